// The verdict over a case with a law: every call judged by itself, then their relation.
#pragma once

#include <vector>

#include "core/verdict.h"
#include "verify/setup.h"

namespace w4 {

struct LawJudgement {
  std::vector<Outcome> outcomes;  // at least one
  Provenance ran;                 // of the first call, with the wave-instructions of all
};

// On input: setup.broken is empty, setup.line.law is not reference. Skipped where the law does not
// apply to the case.
LawJudgement judge_law(const Setup& setup, Context& context, bool trace);

}  // namespace w4
