// Layers of experts: what `moe` and `moe_prefill` promise.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/case.h"

namespace w4 {

std::vector<Case> moe_cases(uint64_t seed);

// Every instantiation of both kernels at least once: of each tile each form, G, type and zero
// points.
std::vector<Case> moe_instantiations(uint64_t seed);

// One line a clause of a MoE kernel, which must be refused by its name.
struct MoeRefusal {
  std::string_view clause, line;
};
std::span<const MoeRefusal> moe_refusals();

}  // namespace w4
