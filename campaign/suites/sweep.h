// Suite sweep: every instantiation of every row that has device code of its own, through forced
// tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"

namespace w4 {

std::vector<Case> sweep_cases(uint64_t seed);

}  // namespace w4
