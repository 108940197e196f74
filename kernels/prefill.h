// The rows `prefill`, `prefill_dense` and `prefill_carrier` of the kernel table (contract.md 7,
// 11.4, 11.5): one kernel source, three forms of the weights.
#pragma once

#include <string>

#include "kernels/module.h"
#include "kernels/prefill_tile.h"

namespace w4 {

w4_kernel prefill_kernel();
w4_kernel prefill_dense_kernel();
w4_kernel prefill_carrier_kernel();

// The instantiation of a call as its symbol in the code object and as reports name it
// ("bm64bn64bk32w4 m64 g128 f16 packed").
struct PrefillInstantiation {
  PrefillPlan plan;
  int64_t m = 0, g = 0;
  std::string_view act, form;  // "f16"; "symmetric", "packed", "unpacked", "dense", "carrier"
  std::string symbol() const;
  std::string text() const;
};

// On input: a call that check_prefill accepts.
PrefillInstantiation select_prefill(const w4_call& call, std::string_view arch,
                                    PrefillWeights weights);

}  // namespace w4
