// The suites as a source of cases: smoke, boundary, moe and sweep.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "campaign/streams/stream.h"

namespace w4 {

// Those of the rows that are written for gfx1151, suite by suite.
std::vector<Case> suite_cases(std::span<const std::string> rows, uint64_t seed);

// The same on each of `devices` (names of emulated archs), one device after the other; of `module`
// where that is not empty. Ends.
std::unique_ptr<const Numbered> sweep(std::span<const std::string> rows, uint64_t seed,
                                      std::vector<std::string> devices, std::string module);

}  // namespace w4
