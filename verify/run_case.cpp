#include "verify/run_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/contract.h"
#include "verify/call.h"
#include "verify/judge.h"
#include "verify/laws/judge_law.h"
#include "verify/setup.h"
#include "verify/trial.h"

namespace w4 {
namespace {

// A call that breaks a clause must be refused by name, by accept() and by run(), and touch nothing.
std::vector<Outcome> judge_illegal(const Setup& setup, Call& call) {
  if (auto why = call.no_room(nullptr)) return {Skipped{SkipReason::too_large, std::move(*why)}};
  const Prepared prepared = call.prepare(nullptr);
  if (!prepared.trouble.empty()) return {HarnessError{prepared.trouble}};
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

std::vector<Outcome> judge_legal(const Setup& setup, Call& call, Context& context) {
  const auto material = context.material(setup.line);
  return try_call(setup, call, arrays_of(setup, material->weights), material->source).outcomes;
}

bool passes(const std::vector<Outcome>& outcomes) {
  return std::ranges::all_of(outcomes,
                             [](const Outcome& o) { return std::holds_alternative<Pass>(o); });
}

}  // namespace

Verdict run_case(const Case& c, Context& context, bool trace) {
  const auto start = std::chrono::steady_clock::now();
  context.witness() = {};
  Provenance ran;
  std::vector<Outcome> outcomes;
  if (auto setup = make_setup(c, context); !setup) {
    outcomes.push_back(setup.error());
  } else if (c.law != Law::reference && setup->broken.empty()) {
    LawJudgement judged = judge_law(*setup, context, trace);
    outcomes = std::move(judged.outcomes);
    ran = std::move(judged.ran);
  } else {
    Call call(*setup, trace);
    outcomes =
        setup->broken.empty() ? judge_legal(*setup, call, context) : judge_illegal(*setup, call);
    ran = provenance(*setup, call);
  }
  if (!c.mutate.none() || context.witnesses_outputs())
    ran.outputs = fmt::format("{:016x}", context.witness().outputs);
  if (!c.mutate.none() && passes(outcomes) && context.witness().mutated == 0)
    outcomes = {Mistrusted{"the mutated instruction did not run: " + to_string(c.mutate)}};
  const auto broke = [](const Outcome& o) { return std::holds_alternative<HarnessError>(o); };
  if (std::ranges::any_of(outcomes, broke)) context.forget_material();
  ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return make_verdict(to_string(c), std::move(outcomes), std::move(ran));
}

}  // namespace w4
