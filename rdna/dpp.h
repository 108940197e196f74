// The lane that a DPP control reads, from the RDNA3 ISA document, "DPP".
#pragma once

namespace w4::rdna {

inline constexpr int kDppInvalid = -1;  // outside the row: bound_ctrl decides
inline constexpr int kDppUnknown = -2;  // a control this emulator does not implement

constexpr int dpp_source(int ctrl, int lane) {
  const int row = lane & ~15, i = lane & 15, n = ctrl & 15;
  if (ctrl >= 0 && ctrl < 0x100) return (lane & ~3) | (ctrl >> (2 * (lane & 3)) & 3);  // quad_perm
  switch (ctrl >> 4) {
    case 0x10: return n == 0 ? kDppUnknown : i + n < 16 ? lane + n : kDppInvalid;  // row_shl
    case 0x11: return n == 0 ? kDppUnknown : i - n >= 0 ? lane - n : kDppInvalid;  // row_shr
    case 0x12: return n == 0 ? kDppUnknown : row | ((i - n) & 15);                 // row_ror
    case 0x14:
      if (n == 0) return row | (15 - i);                       // row_mirror
      return n == 1 ? (lane & ~7) | (7 - (lane & 7)) : kDppUnknown;  // row_half_mirror
    case 0x15: return row | n;        // row_share
    case 0x16: return row | (i ^ n);  // row_xmask
    default: return kDppUnknown;
  }
}

}  // namespace w4::rdna
