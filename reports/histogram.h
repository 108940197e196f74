// Counts of numbers between given edges.
#pragma once

#include <cstdint>
#include <vector>

namespace w4 {

// Bin 0 holds what is at most edges[0], bin i what lies in (edges[i-1], edges[i]], the last what is
// beyond them all, NaN included.
class Histogram {
 public:
  explicit Histogram(const std::vector<double>& edges)
      : edges_(&edges), counts_(edges.size() + 1) {}
  void add(double value);
  const std::vector<int64_t>& counts() const { return counts_; }
  int64_t all() const;

 private:
  const std::vector<double>* edges_;  // outlive the histogram
  std::vector<int64_t> counts_;
};

// 2^-10 to 1 in half octaves: parts of B.
const std::vector<double>& headroom_edges();
// -1 to 1 in twentieths: signed parts of B.
const std::vector<double>& signed_edges();
// -0.6 to 0.6 in fortieths: ulps of the output.
const std::vector<double>& ulp_edges();

}  // namespace w4
