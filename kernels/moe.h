// The row `moe` of the kernel table: fused MoE for few tokens (contract.md 12), blocks of 1 to 5
// rows of one expert each. kernels/moe.hip has the formula; what the public op leaves open:
//   - rows of an expert id outside [0,E), -1 among them, are zeros (K21, K22): the id is compared
//     before it is an index, and the host cannot see it
//   - a sorted id of S or more is padding: nothing is read or written for it
//   - contiguous calls may end in a ragged block
//   - the array, the form and the guard of the fused silu follow from one constant (K24); N need
//     not be whole tiles in any of them
#pragma once

#include <string>

#include "kernels/module.h"
#include "kernels/moe_tile.h"

namespace w4 {

w4_kernel moe_kernel();

// The instantiation of a call as its symbol in the code object and as reports name it
// ("small m2 y2u2a16w16 w13 g64 f16 packed"; small and large: the resident form by its array).
struct MoeInstantiation {
  MoePlan plan;
  int64_t m = 0;             // block_m
  int g = 0;                 // group size the code is compiled for
  std::string_view act, zp;  // "f16"; "symmetric"
  std::string symbol() const;
  std::string text() const;
};

// On input: a call that check_moe accepts.
MoeInstantiation select_moe(const w4_call& call);

}  // namespace w4
