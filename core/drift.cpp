#include "core/drift.h"

#include <algorithm>
#include <cmath>

namespace w4 {

Drift& Drift::operator+=(const Drift& other) {
  outputs += other.outputs, columns += other.columns;
  sum += other.sum, squares += other.squares, products += other.products;
  counts += other.counts, open += other.open;
  return *this;
}

double Drift::mean() const { return outputs == 0 ? 0 : sum / static_cast<double>(outputs); }

double Drift::sigma() const {
  if (outputs == 0) return 0;
  const double m = mean();
  const double spread = squares - 2 * m * products + m * m * counts;
  return std::sqrt(std::max(spread, 0.0)) / static_cast<double>(outputs);
}

double Drift::mean_open() const { return outputs == 0 ? 0 : open / static_cast<double>(outputs); }

double allowed_drift(const Drift& d, bool rounds_to_nearest) {
  return rounds_to_nearest ? 0 : d.mean_open();
}

double drift_sigmas(const Drift& d, double allowed) {
  const double outside = std::abs(d.mean()) - allowed;
  if (d.columns < kDriftColumns || outside <= 0) return 0;
  const double sigma = d.sigma();
  return sigma > 0 ? outside / sigma : HUGE_VAL;
}

}  // namespace w4
