// Where a numerics declaration rounds, found by carrying it out at many points and holding it
// against the ways that such kernels have: the words of a report, never a bound.
#pragma once

#include <string>

#include "core/dtypes.h"
#include "kernels/module.h"

namespace w4 {

// Of the value that multiplies an activation: "(q - z) * s, not rounded", "…, rounded once to f16",
// or that it is neither.
std::string weight_rounding(const w4_numerics& n, w4_dtype act, DType type);
// Of what is written: where the bias is added.
std::string store_rounding(const w4_numerics& n, w4_dtype act, DType type);

}  // namespace w4
