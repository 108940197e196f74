// The verdict over what a legal call did: launches, findings, outputs, trust.
#pragma once

#include <vector>

#include "core/verdict.h"
#include "verify/call.h"
#include "verify/module_numerics.h"
#include "verify/setup.h"

namespace w4 {

struct Trial;

// On input trial.run is the call's run; a finding is confirmed by a second one, which replaces it.
// Fills in the rest of `trial`.
void judge_run(const Setup& setup, Call& call, const Arrays& x, const ModuleNumerics& numerics,
               Trial& trial);

// Of a call whose output has no element: nothing has to run, and what runs has nothing to compare.
std::vector<Outcome> judge_empty(const Run& run);

// Unsupported, Timeout, findings and refused launches, as outcomes.
std::vector<Outcome> outcomes_of(const std::vector<LaunchResult>& launches);

Outcome refused(const Refusal& refusal, bool expected, bool untouched);
void append(std::vector<Outcome>& to, std::vector<Outcome> more);
Provenance provenance(const Setup& setup, const Call& call);

// Why a pass would prove little (oracles.md 8), or an empty string.
std::string distrust(const Setup& setup, const Run& run, const struct Comparison& compared);

}  // namespace w4
