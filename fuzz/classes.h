// Where a case stands in the classes of generated cases (verify/cases/coverage.h), two at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"

namespace w4::fuzz {

// On input: a legal case. An id for each pair of values that the case has in two classes, of those
// that are few.
std::vector<uint64_t> class_pairs(const Case& c);

}  // namespace w4::fuzz
