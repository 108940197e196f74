// Which lane a DPP control reads: the one definition of row shifts, rotates, quads and mirrors.
#pragma once

#include <cstdint>

namespace w4::rdna {

// Source lane of `lane` for dpp_ctrl of gfx11/gfx12 (rows of 16 lanes): -1 where the shift leaves
// the row (bound_ctrl decides), -2 where the control is not one of this architecture.
constexpr int dpp_source(int ctrl, int lane) {
  const int row = lane & ~15, i = lane & 15, n = ctrl & 15;
  if (ctrl >= 0 && ctrl < 0x100) return (lane & ~3) | (ctrl >> (2 * (lane & 3)) & 3);  // quad_perm
  switch (ctrl >> 4) {
    case 0x10:
      return n == 0 ? -2 : i + n < 16 ? lane + n : -1;  // row_shl
    case 0x11:
      return n == 0 ? -2 : i - n >= 0 ? lane - n : -1;  // row_shr
    case 0x12:
      return n == 0 ? -2 : row | ((i - n) & 15);  // row_ror
    case 0x14:
      if (n == 0) return row | (15 - i);                  // row_mirror
      if (n == 1) return (lane & ~7) | (7 - (lane & 7));  // row_half_mirror
      return -2;
    case 0x15:
      return row | n;  // row_share
    case 0x16:
      return row | (i ^ n);  // row_xmask
    default:
      return -2;
  }
}

// DPP8: eight 3-bit lane selectors inside each group of eight.
constexpr int dpp8_source(uint32_t sel, int lane) {
  return (lane & ~7) | static_cast<int>(sel >> (3 * (lane & 7)) & 7);
}

}  // namespace w4::rdna
