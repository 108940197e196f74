// The chunked kernel's arguments and instantiations, read by both its sides: the one place where
// host and device agree on offsets, array size and symbol names.
#pragma once

#include <stdint.h>

#include "kernels/walk_args.h"

namespace w4 {

// Activation elements in the kernel's LDS array. The host's choice of form uses this number and
// never what a device reports (contract.md K1).
inline constexpr uint32_t kChunkedLdsElements = 32768;
inline constexpr uint32_t kChunkedWaves = 16;

// Kernel arguments at their offsets in the kernarg segment. Addresses are device addresses.
struct ChunkedArgs {
  uint64_t act;           // [M,K]
  uint64_t wei;           // [N,K/2] bytes, shuffled
  uint64_t scale;         // [N,K/G]
  uint64_t zp;            // packed, [N/8,K/G]; 0 where symmetric
  uint64_t bias;          // 0: none
  uint64_t out;           // [M,N]
  int64_t act_stride;     // elements between activation rows
  int64_t wei_stride;     // bytes between weight rows
  int64_t scale_stride;   // elements between scale rows, and between zero-point rows
  int64_t bias_n_stride;  // elements; 0 repeats one column
  int64_t bias_m_stride;  // elements; 0 repeats one row
  int64_t out_stride;     // elements between output rows
  uint32_t n;
  uint32_t k;
  uint32_t waves;  // W': waves of a block that produce rows
  uint32_t step;   // output rows between two tiles of one wave: blocks * waves * Y
  uint32_t chunk;  // elements of K between two refills of the array; K in the resident form
  uint32_t unused;
};
static_assert(sizeof(ChunkedArgs) == 120);

}  // namespace w4

// Every (form, M, Y, U, A) that exists, with the zero points it exists for: what V3's tile table
// can choose (contract.md 6.8). `both`: none and packed.
#define W4_CHUNKED_TILES(X)           \
  X(resident, 1, 1, 4, 16, both)      \
  X(resident, 1, 2, 4, 16, both)      \
  X(resident, 1, 1, 4, 32, both)      \
  X(resident, 1, 2, 8, 32, symmetric) \
  X(resident, 2, 2, 2, 16, both)      \
  X(resident, 3, 2, 2, 16, both)      \
  X(resident, 3, 2, 4, 16, both)      \
  X(resident, 3, 4, 1, 16, both)      \
  X(resident, 4, 2, 2, 16, both)      \
  X(resident, 4, 2, 4, 16, both)      \
  X(resident, 4, 4, 1, 16, both)      \
  X(resident, 5, 2, 2, 16, both)      \
  X(resident, 5, 2, 4, 16, both)      \
  X(resident, 5, 4, 1, 16, both)      \
  X(chunked, 1, 2, 2, 16, both)       \
  X(chunked, 1, 4, 1, 16, both)       \
  X(chunked, 1, 4, 2, 16, both)       \
  X(chunked, 2, 2, 2, 16, both)       \
  X(chunked, 2, 4, 1, 16, both)       \
  X(chunked, 2, 4, 2, 16, both)       \
  X(chunked, 3, 2, 2, 16, both)       \
  X(chunked, 3, 4, 1, 16, both)       \
  X(chunked, 3, 4, 2, 16, both)       \
  X(chunked, 4, 2, 2, 16, both)       \
  X(chunked, 4, 4, 1, 16, both)       \
  X(chunked, 4, 4, 2, 16, both)       \
  X(chunked, 5, 2, 2, 16, both)       \
  X(chunked, 5, 4, 1, 16, both)       \
  X(chunked, 5, 4, 2, 16, both)
