#include "reference/interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace w4 {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double stored(DType t, const Numerics& numerics, double acc, double bias, bool has_bias) {
  return to_f64(t, numerics.store(acc, bias, has_bias));
}

}  // namespace

bool Legal::contains(double y) const {
  if (std::isnan(y)) return nan || overflow;
  if (nan) return false;
  return (low <= y && y <= high) || (overflow && std::isinf(y));
}

Legal legal_values(DType t, const Numerics& numerics, double declared, double b, bool overflow,
                   double bias, bool has_bias) {
  Legal out;
  out.overflow = overflow;
  // An infinite sum has no interval round it.
  const double reach = std::isfinite(declared) ? b : 0;
  out.low = stored(t, numerics, declared - reach, bias, has_bias);
  out.high = stored(t, numerics, declared + reach, bias, has_bias);
  out.nan = std::isnan(out.low) || std::isnan(out.high);
  return out;
}

double needed_error(DType t, const Numerics& numerics, double declared, double b, double bias,
                    bool has_bias, double y) {
  const double centre = stored(t, numerics, declared, bias, has_bias);
  if (y == centre || (std::isnan(y) && std::isnan(centre))) return 0;
  if (std::isnan(y) || std::isnan(centre) || !std::isfinite(declared)) return kInf;
  const double sign = y > centre ? 1 : -1;
  const auto reaches = [&](double d) {
    const double v = stored(t, numerics, declared + sign * d, bias, has_bias);
    return sign > 0 ? v >= y : v <= y;
  };
  double high = std::max({b, std::abs(declared) * 0x1p-30, 0x1p-140});
  while (!reaches(high)) {
    high *= 2;
    if (!std::isfinite(high)) return kInf;
  }
  double low = 0;
  for (int i = 0; i < 40; ++i) {
    const double middle = low + (high - low) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace w4
