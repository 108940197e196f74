// Suite smoke: a spread of everything in seconds.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"

namespace w4 {

// The combinations of M, G, dtype and zero points in turn (90), everything else drawn by a counter
// based generator; then one group of cases round K*M = 32768, cases of each other row of the kernel
// table, then the refusals.
std::vector<Case> smoke_cases(uint64_t seed);

}  // namespace w4
