// The MoE prefill kernel's arguments and instantiations, read by both its sides: the one place
// where host and device agree on offsets, shapes and symbol names.
#pragma once

#include <stdint.h>

namespace w4 {

// Kernel arguments at their offsets in the kernarg segment. Addresses are device addresses.
struct MoePrefillArgs {
  uint64_t act;          // [T,K], or [S,K] where there are no sorted ids
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
  uint32_t group_shift;  // log2(G)
  uint32_t experts;
  uint32_t blocks;  // of rows; workgroup i has block i mod blocks, columns i div blocks
  uint32_t rows;    // of the output
  uint32_t top_k;   // slots of one activation row; 1: a slot has its own
  uint32_t unused;
};
static_assert(sizeof(MoePrefillArgs) == 144);

}  // namespace w4

// Every tile: block_m is its BM, BK = 32 is within every group (contract.md 12: BK = min(G, 32)).
// X(bm, bn, bk, rows, columns): waves that share its rows and columns.
#define W4_MOE_PREFILL_TILES(X) \
  X(16, 32, 32, 1, 2)           \
  X(32, 64, 32, 2, 2)           \
  X(64, 64, 32, 2, 2)
