// The row `decode` of the kernel table: out = round(act * dequant(wei)^T + bias) for M = 1..5
// (contract.md 6).
#pragma once

#include <string>

#include "kernels/decode_tile.h"
#include "kernels/module.h"

namespace w4 {

w4_kernel decode_kernel();

// The instantiation of a call as its symbol in the code object and as reports name it
// ("small m3 y2u4a16w16 w13 g64 f16 packed").
struct DecodeInstantiation {
  DecodePlan plan;
  int64_t m = 0;
  int g = 0;                 // group size the code is compiled for
  std::string_view act, zp;  // "f16"; "symmetric"
  std::string symbol() const;
  std::string text() const;
};

// On input: a call that check_decode accepts; the activations the kernel's LDS array holds.
DecodeInstantiation select_decode(const w4_call& call, int64_t lds_elements);

}  // namespace w4
