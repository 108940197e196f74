#include "verify/explain/observe.h"

#include "verify/trial.h"

namespace w4::explain {

std::expected<std::unique_ptr<Observed>, std::vector<Outcome>> observe(const Case& c,
                                                                       Context& context) {
  auto setup = make_setup(c, context);
  if (!setup) return std::unexpected(std::vector{setup.error()});
  if (!setup->broken.empty()) {
    const std::string& clause = setup->broken.front();
    return std::unexpected(std::vector<Outcome>{Refused{clause, setup->message_of(clause), true}});
  }
  if (c.problem.m == 0) return std::unexpected(std::vector<Outcome>{Pass{}});
  Call call(*setup);
  const auto material = context.material(c);
  Arrays x = arrays_of(*setup, material->weights);
  Trial t = try_call(*setup, call, x, material->source);
  if (!t.complete()) return std::unexpected(std::move(t.outcomes));
  std::unique_ptr<Observed> o(
      new Observed{.line = c,
                   .x = std::move(x),
                   .numerics = numerics_of(*setup),
                   .gate = declared_numerics(*setup->kernel, c.problem).gate,
                   .slack = setup->arithmetic == Arithmetic::ieee ? 1.0 : 8.0,
                   .out = std::move(t.out),
                   .bad = {},
                   .outcomes = std::move(t.outcomes),
                   .right = std::move(t.right),
                   .instantiation = std::move(t.run.instantiation),
                   .symbols = std::move(t.run.symbols)});
  o->bad.resize(o->out.size());
  const DType type = o->x.wei->act;
  for (int64_t m = 0; m < o->m(); ++m) {
    for (int64_t n = 0; n < o->n(); ++n) {
      const size_t i = o->right.twin.at(m, n);
      if (legal_at(*o, m, n).contains(to_f64(type, o->out[i]))) continue;
      o->bad[i] = 1;
      ++o->bad_count;
    }
  }
  return o;
}

Legal legal_at(const Observed& o, int64_t m, int64_t n) {
  const size_t i = o.right.twin.at(m, n);
  return legal_values(o.x.wei->act, o.numerics, o.right.twin.declared[i], o.right.bound.b[i],
                      o.right.bound.overflow[i] != 0, o.x.bias_at(m, n), o.x.has_bias());
}

}  // namespace w4::explain
