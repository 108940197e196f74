// Suite models: the linear layers of real models at M 1-5, through decode where the hybrid route
// sends them there and through chunked where their K*M is past its bound; those of TP 1 at more
// tokens through prefill, and through hybrid on both sides of its route.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"
#include "verify/cases/model_layers.h"

namespace w4 {

// The layer at `m` tokens: symmetric layers without zero points, asymmetric ones with packed zero
// points, prepared from the format that the model's checkpoints use (contract.md 18).
Case case_of(const ModelLayer& layer, int64_t m, DType act, uint64_t seed);

// The layer at `m` tokens through `prefill`, with its first rows only, so that a case takes about
// kPrefillProducts multiply-adds: whole tiles of the tile that the whole layer would get on
// gfx1151, one at least. K is the layer's own, the tile is forced, so that the slice runs what the
// layer runs.
inline constexpr int64_t kPrefillProducts = int64_t{1} << 26;
Case prefill_case_of(const ModelLayer& layer, int64_t m, DType act, uint64_t seed);

std::vector<Case> model_cases(uint64_t seed);
std::vector<Case> model_cases_bf16(uint64_t seed);

}  // namespace w4
