// What each kernel rounds, as functions that can be run (oracles.md 2).
#pragma once

#include "kernels/module.h"

namespace w4 {

extern const w4_numerics kDecodeNumerics;
extern const w4_numerics kChunkedNumerics;
extern const w4_numerics kPrefillNumerics, kPrefillDenseNumerics, kPrefillCarrierNumerics;
extern const w4_numerics kMoeNumerics;

}  // namespace w4
