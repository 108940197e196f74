// What a MoE case adds to a dense one: which expert each slot goes to, the ids of the call, and the
// rows of its activations and outputs (contract.md 12). Slot s is choice s mod top_k of token
// s div top_k.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/case.h"
#include "kernels/module.h"
#include "reference/arrays.h"

namespace w4 {

// [S]: the expert of each slot by route= and the seed; -1: it lives on another rank. On input: a
// legal MoE problem, but for its shape.
std::vector<int32_t> route_slots(const Problem& p, uint64_t seed);

// w4_numerics::gate.
using Gate = uint16_t (*)(w4_dtype act, uint16_t gate, uint16_t up);

// The arrays of a MoE case with a meaning. Scattered: row m of the output is slot m. Contiguous:
// row m is row m of the blocks; rows that pad an expert's last block hold data of their own and
// have its expert, those of the very last block are not there. `gate` may be null where silu is not
// asked for.
Arrays make_expert_arrays(const Case& c, std::shared_ptr<const Weights> weights, Gate gate);

}  // namespace w4
