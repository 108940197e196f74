#include "verify/laws/plan.h"

#include <cmath>

#include "core/fill.h"
#include "verify/module_numerics.h"

namespace w4 {
namespace {

// Streams of counter_bits that no tensor has: one for each choice of a law.
constexpr uint32_t kChoices = 64;

}  // namespace

const w4_numerics& Given::numerics() const { return declared_numerics(*setup_.kernel, problem()); }

uint64_t Given::bits(uint32_t choice, int64_t i, int64_t j) const {
  return counter_bits(line().seed, kChoices + choice, i, j);
}

int64_t Given::below(uint32_t choice, int64_t n, int64_t i, int64_t j) const {
  return static_cast<int64_t>(bits(choice, i, j) % static_cast<uint64_t>(n));
}

Side Given::side_of(Case other) const {
  other.law = Law::reference;
  const auto material = context_.material(other);
  Arrays x = make_arrays(other, material->weights, numerics().gate);
  return {std::move(other), std::move(x), {material, &material->source}};
}

std::optional<std::string> Given::why_not(const Case& other) const {
  const auto setup = make_setup(other, context_);
  if (!setup) return to_string(setup.error());
  if (setup->broken.empty()) return std::nullopt;
  return fmt::format("it breaks clause {}: {}", setup->broken.front(),
                     setup->message_of(setup->broken.front()));
}

void Given::refresh(Arrays& x, const Problem& p) const {
  if (!x.moe) return;
  const ExpertRows& rows = *x.moe;
  x.a.clear();
  for (int64_t m = 0; m < x.m; ++m) {
    const auto from = static_cast<size_t>(act_row_of(x, p, m) * rows.act_columns);
    for (size_t k = 0; k < static_cast<size_t>(p.k); ++k) {
      x.a.push_back(p.silu ? numerics().gate(to_module(p.act), rows.act[from + k],
                                             rows.act[from + static_cast<size_t>(p.k) + k])
                           : rows.act[from + k]);
    }
  }
}

int64_t ActRows::rows() const { return x.moe ? x.moe->act_rows : x.m; }

uint16_t& ActRows::at(int64_t row, int64_t k) {
  if (!x.moe) return x.a[static_cast<size_t>(row * x.wei->k + k)];
  const int64_t up = silu ? x.wei->k : 0;
  return x.moe->act[static_cast<size_t>(row * x.moe->act_columns + up + k)];
}

ActRows act_rows(Arrays& x, const Problem& p) { return {x, p.silu}; }

int64_t act_row_of(const Arrays& x, const Problem& p, int64_t m) {
  return x.moe && p.rows == Rows::scattered && !p.silu ? m / p.topk : m;
}

void set_weights(Side& side, Weights w, std::string data) {
  side.line.problem.n0 = side.line.problem.k0 = 0;
  auto shared = std::make_shared<const Weights>(std::move(w));
  side.source = std::make_shared<const SourceTensors>(make_source(side.line.problem, shared.get()));
  side.x.wei = std::move(shared);
  side.data = std::move(data);
}

bool is_normal_or_zero(DType t, double v) {
  const double least = t == DType::f16 ? 0x1p-14 : 0x1p-126;
  return v == 0 || !(std::abs(v) < least);
}

}  // namespace w4
