// The decode kernel's arguments and instantiations, read by both its sides: the one place where
// host and device agree on offsets, array size and symbol names.
#pragma once

#include <stdint.h>

namespace w4 {

// Activation elements in the kernel's LDS array. The host's small/medium rule uses this number and
// never what a device reports (contract.md K1).
inline constexpr uint32_t kDecodeLdsElements = 32768;
inline constexpr uint32_t kDecodeWaves = 16;
inline constexpr uint32_t kDecodeChunk = 16;  // K elements per lane and step, A_CHUNK

// Kernel arguments at their offsets in the kernarg segment. Addresses are device addresses.
struct DecodeArgs {
  uint64_t act;           // [M,K] contiguous
  uint64_t wei;           // [N,K/2] bytes, shuffled
  uint64_t scale;         // [N,K/G]
  uint64_t zp;            // by the encoding; 0 where symmetric
  uint64_t bias;          // 0: none
  uint64_t out;           // [M,N]
  int64_t wei_stride;     // bytes between weight rows
  int64_t scale_stride;   // elements between scale rows, and between zero-point rows
  int64_t bias_n_stride;  // elements; 0 repeats one column
  int64_t bias_m_stride;  // elements; 0 repeats one row
  int64_t out_stride;     // elements between output rows
  uint32_t n;
  uint32_t k;
  uint32_t waves;  // W': waves of a block that produce rows
  uint32_t step;   // output rows between two tiles of one wave: blocks * waves * Y
  uint32_t tail;   // first row of the tile that would reach past N: N - Y, 0 where N < Y
  uint32_t unused;
};
static_assert(sizeof(DecodeArgs) == 112);

}  // namespace w4

// Every (form, M, Y, U) that exists: what the tile table of contract.md 6.8 can choose. For each
// (M, Y, U) there is a medium form, which takes every call, so any of them can be forced; the small
// form is there where the table can want it. X(form, m, y, u).
#define W4_DECODE_TILES(X) \
  X(small, 1, 1, 4)        \
  X(small, 1, 2, 4)        \
  X(small, 2, 2, 2)        \
  X(small, 3, 2, 2)        \
  X(small, 3, 2, 4)        \
  X(small, 3, 4, 1)        \
  X(small, 4, 2, 2)        \
  X(small, 4, 2, 4)        \
  X(small, 4, 4, 1)        \
  X(small, 5, 2, 2)        \
  X(small, 5, 2, 4)        \
  X(small, 5, 4, 1)        \
  X(medium, 1, 1, 4)       \
  X(medium, 1, 2, 4)       \
  X(medium, 1, 4, 1)       \
  X(medium, 1, 4, 2)       \
  X(medium, 2, 2, 2)       \
  X(medium, 2, 4, 1)       \
  X(medium, 2, 4, 2)       \
  X(medium, 3, 2, 2)       \
  X(medium, 3, 2, 4)       \
  X(medium, 3, 4, 1)       \
  X(medium, 3, 4, 2)       \
  X(medium, 4, 2, 2)       \
  X(medium, 4, 2, 4)       \
  X(medium, 4, 4, 1)       \
  X(medium, 4, 4, 2)       \
  X(medium, 5, 2, 2)       \
  X(medium, 5, 2, 4)       \
  X(medium, 5, 4, 1)       \
  X(medium, 5, 4, 2)
