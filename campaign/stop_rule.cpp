#include "campaign/stop_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace w4 {

StopRule stop_rule(const StopSample& c) {
  StopRule out;
  if (c.cases <= 0) return out;
  const auto cases = static_cast<double>(c.cases), singles = static_cast<double>(c.singles);
  out.probability = singles / cases;
  constexpr double kDeviations = 1.96, kVariance = 3;
  out.low = std::max(0.0, singles - kDeviations * std::sqrt(kVariance * singles)) / cases;
  if (c.recent > 0 && c.recent_new < c.recent) {
    out.high = boost::math::binomial_distribution<>::find_upper_bound_on_p(
        static_cast<double>(c.recent), static_cast<double>(c.recent_new), 0.025);
  }
  out.high = std::max(out.high, out.probability);
  return out;
}

std::string to_string(const StopRule& r) {
  return fmt::format(
      "the next case shows something new with probability {:.2g} (95 %: {:.2g} to {:.2g})",
      r.probability, r.low, r.high);
}

}  // namespace w4
