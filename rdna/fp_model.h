// Which arithmetic dot2 (and later WMMA) follows; rdna.md "Arithmetic" says where each comes from.
#pragma once

#include <cstdint>

namespace w4::rdna {

enum class FpModel : uint8_t {
  ieee,     // one rounding
  gfx1151,  // the sign-magnitude adder described in ROCm/rocm-systems#12056
};

}  // namespace w4::rdna
