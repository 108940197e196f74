// The row `moe_prefill` of the kernel table: MoE for many tokens, blocks of 16, 32 or 64 rows of
// one expert each, on matrix instructions (contract.md 12). Zero points are read like scales (K23);
// the rules of kernels/moe.h for ids and padding hold here too.
#pragma once

#include <optional>
#include <string>

#include "core/problem.h"
#include "kernels/module.h"

namespace w4 {

w4_kernel moe_prefill_kernel();

// The tile whose BM is block_m; nothing where there is none.
std::optional<Tile> moe_prefill_tile(int64_t block_m);

// The instantiation of a call as its symbol in the code object and as reports name it
// ("m32 bm32bn64bk32w4 g64 f16 packed").
struct MoePrefillInstantiation {
  Tile tile{};
  int64_t m = 0;  // block_m
  int64_t g = 0;
  std::string_view act, zp;  // "f16"; "symmetric"
  std::string symbol() const;
  std::string text() const;
};

// On input: a call that check_moe_prefill accepts.
MoePrefillInstantiation select_moe_prefill(const w4_call& call);

}  // namespace w4
