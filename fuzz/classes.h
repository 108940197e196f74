// Where a case stands: what an input is new by before it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"

namespace w4::fuzz {

// On input: a legal case. An id for each field of the case that legal cases differ in, but for
// seeds, and for what follows of several fields: where K and N end in a step and an octet, groups
// against G, K*rows against the LDS array, square tables. Numbers up to 8 are told apart, larger
// ones by their width in bits. Of all cases as many, in the same order.
std::vector<uint64_t> classes_of(const Case& c);

}  // namespace w4::fuzz
