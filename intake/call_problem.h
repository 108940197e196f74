// A call read back as the problem it is: what the clauses of core/contract.h judge. The source of
// the weights cannot be seen in a call and stays `shuffled`.
#pragma once

#include "core/problem.h"
#include "kernels/module.h"

namespace w4 {

Problem problem_of(const w4_call& call);

}  // namespace w4
