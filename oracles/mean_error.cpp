#include "oracles/mean_error.h"

#include <cmath>
#include <optional>
#include <vector>

namespace w4 {
namespace {

constexpr size_t kFewest = 16;
constexpr double kSigmas = 6;

double ulp_of(DType t, double y) {
  const int bits = t == DType::f16 ? 10 : 7, least = t == DType::f16 ? -14 : -126;
  return std::ldexp(1, std::max(std::ilogb(y), least) - bits);
}

std::optional<double> mean_of_column(const Arrays& x, const Twin& twin, std::span<const uint16_t> y,
                                     int64_t n) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t m = 0; m < twin.m; ++m) {
    const size_t i = twin.at(m, n);
    const double v = to_f64(x.wei->act, y[i]), right = twin.declared[i] + x.bias_at(m, n);
    if (!x.promises(m) || v == 0 || !std::isfinite(v) || !std::isfinite(right)) continue;
    sum += (v - right) / ulp_of(x.wei->act, v) * (v < 0 ? -1 : 1);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

}  // namespace

bool mean_error_is_off(const Arrays& x, const Twin& twin, std::span<const uint16_t> y) {
  std::vector<double> columns;
  for (int64_t n = 0; n < twin.n; ++n) {
    if (const auto mean = mean_of_column(x, twin, y, n)) columns.push_back(*mean);
  }
  if (columns.size() < kFewest) return false;
  const auto count = static_cast<double>(columns.size());
  double mean = 0, spread = 0;
  for (const double c : columns) mean += c / count;
  for (const double c : columns) spread += (c - mean) * (c - mean) / (count - 1);
  return std::abs(mean) > kSigmas * std::sqrt(spread / count);
}

}  // namespace w4
