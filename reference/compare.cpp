#include "reference/compare.h"

#include <cmath>
#include <vector>

#include "reference/drift.h"

namespace w4 {
namespace {

// Signed multiple of B that explains y; B = 0 leaves only 0 and infinity.
double ratio_of(double needed, double b, double y, double centre) {
  if (needed == 0) return 0;
  const double size = b > 0 ? needed / b : HUGE_VAL;
  return y < centre ? -size : size;
}

}  // namespace

Comparison compare(const Arrays& x, const Numerics& numerics, const Twin& twin, const Bound& bound,
                   std::span<const uint16_t> out) {
  const DType t = x.wei->act;
  Comparison c;
  c.total = twin.m * twin.n;
  std::vector<int64_t> bad;
  double worst = -1;
  for (int64_t m = 0; m < twin.m; ++m) {
    for (int64_t n = 0; n < twin.n; ++n) {
      const size_t i = twin.at(m, n);
      const double y = to_f64(t, out[i]), declared = twin.declared[i], b = bound.b[i];
      const double bias = x.bias_at(m, n);
      const Legal legal =
          legal_values(t, numerics, declared, b, bound.overflow[i] != 0, bias, x.has_bias());
      const bool inside = legal.contains(y);
      if (!inside) bad.push_back(static_cast<int64_t>(i));
      if (b > 0 && std::isfinite(declared + bias)) {
        c.exposure += std::min(1.0, b / ulp_at(t, declared + bias));
      }
      if (x.promises(m)) {
        ++c.products;
        if (!(b <= std::abs(declared) / 8)) ++c.weak;
        if (y == 0 || !std::isfinite(y)) ++c.silent;
      }
      const double centre = to_f64(t, numerics.store(declared, bias, x.has_bias()));
      double ratio = 0;
      if (!(inside && legal.overflow)) {
        const double needed = needed_error(t, numerics, declared, b, bias, x.has_bias(), y);
        ratio = ratio_of(needed, b, y, centre);
      }
      // A failing element is worse than any legal one, whatever the rounding of its ratio.
      const double rank = std::abs(ratio) + (inside ? 0 : 1e6);
      if (inside) c.headroom = std::max(c.headroom, std::abs(ratio));
      if (rank <= worst) continue;
      worst = rank;
      c.worst = {.m = m,
                 .n = n,
                 .got = y,
                 .low = legal.low,
                 .high = legal.high,
                 .twin = declared,
                 .bound = b,
                 .ratio = ratio};
    }
  }
  c.bad = static_cast<int64_t>(bad.size());
  c.pattern = describe_pattern(bad, twin.m, twin.n);
  return c;
}

}  // namespace w4
