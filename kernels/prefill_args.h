// The prefill kernels' arguments and instantiations, read by both their sides: the one place where
// host and device agree on offsets, shapes, array sizes and symbol names.
#pragma once

#include <stdint.h>

#include "kernels/gemm_shape.h"

namespace w4 {

// Kernel arguments at their offsets in the kernarg segment. Addresses are device addresses.
struct PrefillArgs {
  uint64_t act;          // [M,K]
  uint64_t wei;          // [N,K/2] bytes, shuffled; dense: [N,K] elements
  uint64_t scale;        // [N,K/G]; the carrier and dense forms read none
  uint64_t zp;           // by the encoding, or the carrier [N,K/G]; 0 where there is none
  uint64_t bias;         // 0: none
  uint64_t out;          // [M,N]
  int64_t act_stride;    // elements between activation rows
  int64_t wei_stride;    // bytes between weight rows; dense: elements
  int64_t scale_stride;  // elements between scale rows
  int64_t zp_stride;     // elements between zero-point rows, or the carrier's
  // At most N, which fits 31 bits.
  uint32_t bias_n_stride;  // elements; 0 repeats one column
  uint32_t bias_m_stride;  // elements; 0 repeats one row
  uint32_t out_stride;     // elements between output rows
  uint32_t m;
  uint32_t n;
  uint32_t k;
  uint32_t group_shift;   // log2(G); any where the form reads no groups
  uint32_t tiles_m;       // ceil(M/BM): workgroup b has tile (b mod tiles_m, b div tiles_m)
  uint32_t tiles_factor;  // Quotient of tiles_m
  uint32_t tiles_shift;
};
static_assert(sizeof(PrefillArgs) == 120);

// x div d as x * factor >> shift, for x and d below 2^27: with shift = 27 + ceil(log2(d)) the
// factor's rounding up adds less than x / 2^shift < 1/d. Division by itself goes through v_rcp_f32,
// which is specified to 1 ulp.
struct Quotient {
  uint32_t factor = 0, shift = 0;
  constexpr explicit Quotient(uint32_t d) {
    shift = 27;
    while ((uint64_t{1} << (shift - 27)) < d) shift++;
    factor = static_cast<uint32_t>(((uint64_t{1} << shift) + d - 1) / d);
  }
  constexpr uint32_t of(uint32_t x) const {
    return static_cast<uint32_t>(uint64_t{x} * factor >> shift);
  }
};

}  // namespace w4

// Every (BM, BN, BK) that exists, and the waves that share its rows and columns. The shapes are
// those that the table of contract.md 7.4 wants, with BM and BN capped at 128; each has every BK up
// to the largest that the table gives it. X(bm, bn, bk, rows, columns).
#define W4_PREFILL_TILES_32(X) \
  X(16, 16, 32, 1, 1)          \
  X(32, 32, 32, 2, 2)          \
  X(32, 64, 32, 2, 2)          \
  X(64, 16, 32, 1, 1)          \
  X(64, 32, 32, 2, 2)          \
  X(64, 64, 32, 2, 2)          \
  X(64, 128, 32, 2, 4)         \
  X(128, 32, 32, 4, 1)         \
  X(128, 64, 32, 4, 2)         \
  X(128, 128, 32, 4, 2)
#define W4_PREFILL_TILES_DEEP(X) \
  X(16, 16, 64, 1, 1)            \
  X(16, 16, 128, 1, 1)           \
  X(32, 32, 64, 2, 2)            \
  X(32, 32, 128, 2, 2)           \
  X(32, 64, 64, 2, 2)            \
  X(32, 64, 128, 2, 2)           \
  X(64, 16, 64, 1, 1)            \
  X(64, 32, 64, 2, 2)            \
  X(64, 32, 128, 2, 2)           \
  X(64, 64, 64, 2, 2)            \
  X(64, 128, 64, 2, 4)           \
  X(128, 32, 64, 4, 1)           \
  X(128, 32, 128, 4, 1)          \
  X(128, 64, 64, 4, 2)           \
  X(128, 64, 128, 4, 2)          \
  X(128, 128, 64, 4, 2)
#define W4_PREFILL_TILES(X) W4_PREFILL_TILES_32(X) W4_PREFILL_TILES_DEEP(X)

// Each tile with its forms: the three of prefill, and at a depth of 32 those of prefill_dense and
// prefill_carrier, which the compile time of all depths would not be worth.
// X(form, bm, bn, bk, rows, columns).
#define W4_PREFILL_PACKED(X, BM, BN, BK, ROWS, COLUMNS) \
  X(symmetric, BM, BN, BK, ROWS, COLUMNS)               \
  X(packed, BM, BN, BK, ROWS, COLUMNS)                  \
  X(unpacked, BM, BN, BK, ROWS, COLUMNS)
#define W4_PREFILL_OTHERS(X, BM, BN, BK, ROWS, COLUMNS) \
  X(dense, BM, BN, BK, ROWS, COLUMNS)                   \
  X(carrier, BM, BN, BK, ROWS, COLUMNS)

namespace w4 {

// The largest LDS array among them: what a device must have.
inline constexpr uint32_t kPrefillLdsBytes = [] {
  uint32_t most = 0;
#define W4_ROW(BM, BN, BK, ROWS, COLUMNS) \
  most = most < gemm_lds_bytes(BM, BN, BK) ? gemm_lds_bytes(BM, BN, BK) : most;
  W4_PREFILL_TILES(W4_ROW)
#undef W4_ROW
  return most;
}();

}  // namespace w4
