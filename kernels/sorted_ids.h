// Slots grouped by expert, for kernels that take rows in blocks of one expert each (contract.md
// 12).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace w4 {

struct SortedIds {
  // [blocks*block_m]: the slot of row i of block b at [b*block_m + i]; S and above: padding.
  std::vector<int32_t> sorted;
  std::vector<int32_t> experts;  // [blocks]: the expert of each block, -1: none
};

// `expert_of_slot` [S]: the expert of each slot; ids outside [0, experts) live elsewhere and count
// as -1. Experts ascend, slots ascend within an expert; each expert's list is filled up with S to a
// multiple of block_m. Slots of -1 come last, in blocks of id -1, so that their output is defined.
// On input: block_m >= 1, and S plus the padding fits int32.
SortedIds sort_slots(std::span<const int32_t> expert_of_slot, int64_t experts, int64_t block_m);

}  // namespace w4
