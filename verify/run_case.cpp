#include "verify/run_case.h"

#include <chrono>

#include "core/contract.h"
#include "verify/call.h"
#include "verify/judge.h"
#include "verify/setup.h"

namespace w4 {
namespace {

// A call that breaks a clause must be refused by name, by accept() and by run(), and touch nothing.
std::vector<Outcome> judge_illegal(const Setup& setup, Call& call) {
  const Prepared prepared = call.prepare(nullptr);
  if (auto placed = call.place(nullptr); !placed) return {HarnessError{placed.error().text}};
  if (setup.only_source_broken()) {
    // The tensors of the call itself are in order: preparation is where it must stop. Where the
    // call is broken too, preparation may stop it by any name: the call is what is judged.
    if (!prepared.refusal) return {Accepted{setup.broken.front(), "the source was prepared"}};
    return {refused(*prepared.refusal, setup.breaks(prepared.refusal->clause), true)};
  }
  const std::optional<Refusal> asked = call.accept();
  const Run run = call.run();
  if (!run.trouble.empty()) return {HarnessError{run.trouble}};
  if (!run.refusal || !run.launches.empty()) {
    std::vector<Outcome> out{
        Accepted{setup.broken.front(), setup.message_of(setup.broken.front())}};
    append(out, outcomes_of(run.launches));
    return out;
  }
  const bool expected = setup.breaks(run.refusal->clause) && asked && setup.breaks(asked->clause);
  return {refused(*run.refusal, expected, call.output_untouched())};
}

std::vector<Outcome> judge_legal(const Setup& setup, Call& call, Context& context,
                                 const ModuleNumerics& numerics) {
  const auto material = context.material(setup.line);
  const Arrays x = make_arrays(setup.line, material->weights,
                               declared_numerics(*setup.kernel, setup.line.problem).gate);
  const Prepared prepared = call.prepare(&material->source);
  if (prepared.refusal) return {refused(*prepared.refusal, false, true)};
  if (auto placed = call.place(&x, &prepared.tensors); !placed) {
    return {HarnessError{placed.error().text}};
  }
  const std::optional<Refusal> asked = call.accept();
  const Run run = call.run();
  if (!run.trouble.empty()) return {HarnessError{run.trouble}};
  if (run.refusal) return {refused(*run.refusal, false, call.output_untouched())};
  if (asked) return {refused(*asked, false, false)};
  if (auto wrong = call.wrong_shape()) return {HarnessError{std::move(*wrong)}};
  if (setup.line.problem.m == 0) return judge_empty(run);
  if (run.launches.empty()) return {HarnessError{"the module reports success without a launch"}};
  return judge_run(setup, call, run, x, numerics);
}

}  // namespace

Verdict run_case(const Case& c, Context& context, bool trace) {
  const auto start = std::chrono::steady_clock::now();
  Provenance ran;
  std::vector<Outcome> outcomes;
  if (auto setup = make_setup(c, context); !setup) {
    outcomes.push_back(setup.error());
  } else {
    Call call(*setup, trace);
    if (setup->broken.empty()) {
      const Problem& p = c.problem;
      const ModuleNumerics numerics(declared_numerics(*setup->kernel, p), to_module(p.act),
                                    p.experts > 0 ? p.blockm : p.m, p.n, p.k, p.g,
                                    setup->reported.cus);
      outcomes = judge_legal(*setup, call, context, numerics);
    } else {
      outcomes = judge_illegal(*setup, call);
    }
    ran = provenance(*setup, call);
  }
  ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return make_verdict(to_string(c), std::move(outcomes), std::move(ran));
}

}  // namespace w4
