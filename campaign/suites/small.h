// Suite small: every small shape once, the promise that clean kernels raise no alarm anywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"

namespace w4 {

inline constexpr int64_t kSmallN = 64, kSmallK = 2048;

// N 1..64, every multiple of G up to K = 2048, M 1..5: f16 symmetric all of them, bf16 with packed
// zero points where N is a whole octet and with unpacked ones where N is odd. Schedules and models
// of dot2 take turns.
std::vector<Case> small_cases(uint64_t seed);

}  // namespace w4
