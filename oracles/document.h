// The comparison of oracles as a page: what is compared, catch rates and false alarms, by kernel
// and dtype, by fault, and what the project's own oracle misses.
#pragma once

#include <string>

#include "oracles/comparison.h"

namespace w4 {

std::string document(const OracleRuns& runs);

}  // namespace w4
