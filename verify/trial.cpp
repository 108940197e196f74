#include "verify/trial.h"

#include "verify/judge.h"

namespace w4 {

ModuleNumerics numerics_of(const Setup& setup) {
  const Problem& p = setup.line.problem;
  return {declared_numerics(*setup.kernel, p),
          to_module(p.act),
          p.experts > 0 ? p.blockm : p.m,
          p.n,
          p.k,
          p.g,
          setup.reported.cus};
}

Arrays arrays_of(const Setup& setup, std::shared_ptr<const Weights> weights) {
  return make_arrays(setup.line, std::move(weights),
                     declared_numerics(*setup.kernel, setup.line.problem).gate);
}

Trial try_call(const Setup& setup, Call& call, const Arrays& x, const SourceTensors& source) {
  Trial t;
  const auto stop = [&t](Outcome o) {
    t.outcomes.push_back(std::move(o));
    return std::move(t);
  };
  if (auto why = call.no_room(&x)) return stop(Skipped{SkipReason::too_large, std::move(*why)});
  const Prepared prepared = call.prepare(&source);
  if (!prepared.trouble.empty()) return stop(HarnessError{prepared.trouble});
  if (prepared.refusal) return stop(refused(*prepared.refusal, false, true));
  if (auto placed = call.place(&x, &prepared.tensors); !placed) {
    return stop(HarnessError{placed.error().text});
  }
  const std::optional<Refusal> asked = call.accept();
  t.run = call.run();
  if (!t.run.trouble.empty()) return stop(HarnessError{t.run.trouble});
  if (t.run.refusal) return stop(refused(*t.run.refusal, false, call.output_untouched()));
  if (asked) return stop(refused(*asked, false, false));
  if (auto wrong = call.wrong_shape()) return stop(HarnessError{std::move(*wrong)});
  if (setup.line.problem.m == 0) {
    t.outcomes = judge_empty(t.run);
  } else if (t.run.launches.empty()) {
    return stop(HarnessError{"the module reports success without a launch"});
  } else {
    judge_run(setup, call, x, numerics_of(setup), t);
  }
  if (!setup.line.prep.empty()) {
    // The kernel ran on what it does not declare: right or wrong, nobody knows what it read.
    if (auto o = undeclared_operand(call.operands(), *setup.kernel, setup.line.problem.zp)) {
      t.outcomes.push_back(Accepted{o->clause, std::move(o->what)});
    }
  }
  return t;
}

Trial try_again(const Setup& setup, Call& call, const Arrays& x) {
  Trial t;
  t.run = call.run_over_ones();
  if (!t.run.trouble.empty()) {
    t.outcomes.push_back(HarnessError{t.run.trouble});
  } else if (t.run.refusal) {
    t.outcomes.push_back(refused(*t.run.refusal, false, false));
  } else {
    judge_run(setup, call, x, numerics_of(setup), t);
  }
  return t;
}

}  // namespace w4
