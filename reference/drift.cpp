#include "reference/drift.h"

#include <algorithm>
#include <cmath>

namespace w4 {

double ulp_at(DType t, double v) {
  const bool half = t == DType::f16;
  const int lowest = half ? -14 : -126, fraction = half ? 10 : 7;
  return std::ldexp(1.0, std::max(std::ilogb(v), lowest) - fraction);
}

Drift drift_of(const Arrays& x, const Twin& twin, const Bound& bound,
               std::span<const uint16_t> out) {
  constexpr double kShown = 0.25;  // ulps
  const DType t = x.wei->act;
  Drift d;
  for (int64_t n = 0; n < twin.n; ++n) {
    double errors = 0;
    int64_t count = 0;
    for (int64_t m = 0; m < twin.m; ++m) {
      const size_t i = twin.at(m, n);
      const double y = to_f64(t, out[i]), centre = twin.declared[i] + x.bias_at(m, n);
      if (!x.promises(m) || centre == 0 || !std::isfinite(centre) || !std::isfinite(y)) continue;
      const double ulp = ulp_at(t, centre), open = bound.b[i] / ulp;
      if (!(open <= kShown)) continue;
      ++count;
      errors += std::copysign(1.0, centre) * (y - centre) / ulp;
      d.open += open;
    }
    if (count == 0) continue;
    const auto c = static_cast<double>(count);
    d.outputs += count;
    ++d.columns;
    d.sum += errors;
    d.squares += errors * errors, d.products += errors * c, d.counts += c * c;
  }
  return d;
}

}  // namespace w4
