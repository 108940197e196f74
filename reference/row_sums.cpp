#include "reference/row_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace w4 {

int lowest_bit(double v) {
  int e = 0;
  const double fraction = std::frexp(std::abs(v), &e);
  return e - 53 + std::countr_zero(static_cast<uint64_t>(std::ldexp(fraction, 53)));
}

namespace {

// Sum over j of the 2j largest: no order and no pairing of the chunk makes its sums grow faster.
double growth_of(std::vector<double>& sizes) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  double sum = 0, prefix = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    prefix += sizes[i];
    if (i % 2 == 1 || i + 1 == sizes.size()) sum += prefix;
  }
  return sum;
}

}  // namespace

RowSums sum_row(const Arrays& x, int64_t m, int64_t chunk, bool growth) {
  std::vector<double> sizes;
  const Weights& w = *x.wei;
  RowSums out{std::vector<GroupSums>(static_cast<size_t>(w.groups()))};
  const double smallest_normal = w.act == DType::f16 ? 0x1p-14 : 0x1p-126;
  for (int64_t g = 0; g < w.groups(); ++g) {
    GroupSums& sums = out.group[static_cast<size_t>(g)];
    const int64_t last = g + 1 == w.groups() ? w.k : (g + 1) * w.g;
    for (int64_t c = g * w.g; c < last; c += chunk) {
      double p = 0;
      sizes.clear();
      for (int64_t k = c; k < std::min(c + chunk, last); ++k) {
        const double a = std::abs(to_f64(w.act, x.a[static_cast<size_t>(m * w.k + k)]));
        if (!std::isfinite(a)) {
          out.infinite = sums.infinite = true;
          continue;
        }
        p += a;
        if (a > 0) out.unit = std::min(out.unit, lowest_bit(a));
        sizes.push_back(a);
        if (a < smallest_normal && a > 0) {
          sums.subnormal += a;
          ++sums.subnormals;
        }
      }
      sums.chunks1 += p;
      if (growth) sums.growth += growth_of(sizes);
      sums.chunks2 += p * p;
      out.largest_chunk = std::max(out.largest_chunk, p);
    }
  }
  return out;
}

}  // namespace w4
