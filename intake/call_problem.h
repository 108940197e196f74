// A call read back as the problem it is: what the clauses of core/contract.h judge. The source of
// the weights cannot be seen in a call and stays `shuffled`.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/gpu.h"
#include "core/problem.h"
#include "kernels/module.h"

namespace w4 {

Problem problem_of(const w4_call& call);

// The first of `clauses` that the problem of a call breaks.
std::optional<std::string> broken_clause(std::span<const std::string> clauses, const Problem& p,
                                         const Reported& r);

}  // namespace w4
