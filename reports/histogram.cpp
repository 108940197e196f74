#include "reports/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace w4 {
namespace {

// first/per, (first+1)/per, … last/per: each edge is a quotient of its own, none a sum of steps.
std::vector<double> evenly(int first, int last, double per) {
  std::vector<double> out;
  for (int i = first; i <= last; ++i) out.push_back(i / per);
  return out;
}

}  // namespace

void Histogram::add(double value) {
  const auto at = std::isnan(value) ? edges_->end() : std::ranges::lower_bound(*edges_, value);
  ++counts_[static_cast<size_t>(at - edges_->begin())];
}

int64_t Histogram::all() const { return std::reduce(counts_.begin(), counts_.end()); }

const std::vector<double>& headroom_edges() {
  static const std::vector<double> edges = [] {
    std::vector<double> out = evenly(-20, 0, 2);
    for (double& e : out) e = std::exp2(e);
    return out;
  }();
  return edges;
}

const std::vector<double>& signed_edges() {
  static const std::vector<double> edges = evenly(-20, 20, 20);
  return edges;
}

const std::vector<double>& ulp_edges() {
  static const std::vector<double> edges = evenly(-24, 24, 40);
  return edges;
}

}  // namespace w4
