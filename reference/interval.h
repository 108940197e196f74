// The interval of legal stored values of each output element (oracles.md 2 and 3):
//   pass iff store(y~ - B) <= y <= store(y~ + B)
// with B of bound.h. store is monotone, so this is exact at binade edges, in subnormals, at
// overflow and under double rounding.
#pragma once

#include "core/dtypes.h"
#include "reference/bound.h"
#include "reference/numerics.h"

namespace w4 {

// Legal values of one element. Signed zeros are equal; payloads of NaN are never compared.
struct Legal {
  double low = 0, high = 0;  // of the stored type, infinities included
  bool nan = false;          // NaN is what is right
  bool overflow = false;     // Inf and NaN are legal too
  bool contains(double y) const;
};

Legal legal_values(DType t, const Numerics& numerics, double declared, double b, bool overflow,
                   double bias, bool has_bias);

// The smallest |d| for which store(y~ + d) is y, or beyond it as seen from y~: 0 where
// y = store(y~), at most B exactly where y is legal. Infinity where no d gets there.
double needed_error(DType t, const Numerics& numerics, double declared, double b, double bias,
                    bool has_bias, double y);

}  // namespace w4
