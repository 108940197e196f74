// The MoE kernel's arguments and instantiations, read by both its sides: the one place where host
// and device agree on offsets, array sizes and symbol names.
#pragma once

#include <stdint.h>

#include "kernels/walk_args.h"

namespace w4 {

// Activation elements in the kernel's LDS array, which is one of two: the launch asks for it by
// these numbers, as the choice of form and the guard of the fused silu do, and never by what a
// device reports (contract.md K1, K24).
inline constexpr uint32_t kMoeSmallElements = 8192;
inline constexpr uint32_t kMoeLargeElements = 32768;

// Kernel arguments at their offsets in the kernarg segment. Addresses are device addresses.
struct MoeArgs {
  uint64_t act;          // [T,K], [S,K] or [S,2K]
  uint64_t wei;          // [E,N,K/2] bytes, shuffled
  uint64_t scale;        // [E,N,K/G]
  uint64_t zp;           // packed, [E,N/8,K/G]; 0 where symmetric
  uint64_t out;          // [S,N]
  uint64_t expert_ids;   // [blocks]
  uint64_t sorted_ids;   // [blocks*block_m]; 0: rows in the order of the blocks
  int64_t act_stride;    // elements between activation rows
  int64_t wei_stride;    // bytes between weight rows
  int64_t scale_stride;  // elements between scale rows, and between zero-point rows
  int64_t out_stride;    // elements between output rows
  int64_t wei_expert;    // bytes between experts
  int64_t scale_expert;  // elements between experts' scales
  int64_t zp_expert;     // words between experts' zero points
  uint32_t n;
  uint32_t k;
  uint32_t experts;
  uint32_t blocks;  // of rows
  uint32_t rows;    // of the output
  uint32_t top_k;   // slots of one activation row; 1: a slot has its own
  uint32_t waves;   // W': waves of a workgroup that produce rows
  uint32_t grid;    // workgroups
  uint32_t step;    // output columns between two tiles of one wave: grid * waves * Y
  uint32_t chunk;   // elements of K between two refills of the array; K where all of it fits
};
static_assert(sizeof(MoeArgs) == 152);

}  // namespace w4

// Every (form, block_m, Y, U, A, W) that exists: what contract.md 12 and 6.8 can choose. Forms:
// resident keeps K*block_m in the array, silu gates on the way there, chunked walks K through it.
// X(form, m, y, u, a, w).
#define W4_MOE_TILES(X)        \
  X(resident, 1, 4, 2, 32, 32) \
  X(resident, 1, 4, 4, 16, 16) \
  X(resident, 1, 4, 1, 8, 32)  \
  X(resident, 1, 4, 2, 16, 16) \
  X(resident, 2, 2, 2, 16, 16) \
  X(resident, 3, 2, 2, 16, 16) \
  X(resident, 3, 2, 4, 16, 16) \
  X(resident, 3, 4, 1, 16, 16) \
  X(resident, 4, 2, 2, 16, 16) \
  X(resident, 4, 2, 4, 16, 16) \
  X(resident, 4, 4, 1, 16, 16) \
  X(resident, 5, 2, 2, 16, 16) \
  X(resident, 5, 2, 4, 16, 16) \
  X(resident, 5, 4, 1, 16, 16) \
  X(silu, 1, 4, 2, 32, 32)     \
  X(silu, 1, 4, 4, 16, 16)     \
  X(silu, 1, 4, 1, 8, 32)      \
  X(silu, 1, 4, 2, 16, 16)     \
  X(chunked, 1, 4, 4, 16, 16)  \
  X(chunked, 2, 4, 1, 16, 16)  \
  X(chunked, 2, 4, 2, 16, 16)  \
  X(chunked, 3, 4, 1, 16, 16)  \
  X(chunked, 3, 4, 2, 16, 16)  \
  X(chunked, 4, 4, 1, 16, 16)  \
  X(chunked, 4, 4, 2, 16, 16)  \
  X(chunked, 5, 4, 1, 16, 16)  \
  X(chunked, 5, 4, 2, 16, 16)
