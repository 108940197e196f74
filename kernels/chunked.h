// The row `chunked` of the kernel table: out = round(act * dequant(wei)^T + bias) for M = 1..5 and
// any K; activation rows may have a stride, zero points are packed where there are any
// (contract.md 6, V3).
#pragma once

#include <string>

#include "kernels/chunked_tile.h"
#include "kernels/module.h"

namespace w4 {

w4_kernel chunked_kernel();

// The instantiation of a call as its symbol in the code object and as reports name it
// ("chunked m5 y4u2a16w16 w13 g64 f16 packed").
struct ChunkedInstantiation {
  ChunkedPlan plan;
  int64_t m = 0;
  int g = 0;                 // group size the code is compiled for
  std::string_view act, zp;  // "f16"; "symmetric"
  std::string symbol() const;
  std::string text() const;
};

// On input: a call that check_chunked accepts.
ChunkedInstantiation select_chunked(const w4_call& call);

}  // namespace w4
