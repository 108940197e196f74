// Coverage for people: a row a kernel, a row a source line over all its instantiations, then each
// kernel's code with counts. `!` marks what never ran.
#pragma once

#include <regex>
#include <string>

#include "rdna/coverage.h"

namespace w4 {

// Kernels whose demangled name has a match of `names`; empty where there is none.
std::string coverage_text(const rdna::Coverage& coverage, const std::regex& names);

}  // namespace w4
