// 32 lanes of one 32-bit register, contiguous, so that lane loops vectorise.
#pragma once

#include <cstdint>

namespace w4::rdna {

inline constexpr int kLanes = 32;

struct alignas(64) Lanes {
  uint32_t v[kLanes];
};

}  // namespace w4::rdna
