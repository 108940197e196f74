// The shape of a workgroup's tile of a GEMM on matrix instructions, as host and device see it.
#pragma once

#include <stdint.h>

namespace w4 {

// Elements by which a row in LDS is longer than the tile is deep: rows of a whole tile would start
// in the same banks. With 8 more, 8 consecutive rows read or written in pieces of 16 bytes meet in
// no bank, for depths of 32, 64 and 128.
inline constexpr uint32_t kGemmRowPad = 8;

// 16-bit elements of LDS: bm rows of activations, bn rows of weights, bk deep.
constexpr uint32_t gemm_lds_elements(uint32_t bm, uint32_t bn, uint32_t bk) {
  return (bm + bn) * (bk + kGemmRowPad);
}
constexpr uint32_t gemm_lds_bytes(uint32_t bm, uint32_t bn, uint32_t bk) {
  return 2 * gemm_lds_elements(bm, bn, bk);
}

}  // namespace w4
