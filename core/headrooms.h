// How much of their intervals clean kernels use: the distribution of the worst element of each case
// by kernel, dtype and arithmetic. An interval of which nobody ever uses a twentieth is too loose
// to catch much.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"

namespace w4 {

class Headrooms {
 public:
  // Counts passes in which an error as large as B would show somewhere (Pass::exposure): where sums
  // are exact, or far finer than the output, every headroom is 0.
  void add(const Case& c, const Verdict& v);

  // "decode f16: p50 0.021, p90 0.080, p99 0.22, max 0.41 of B in 240 cases"; by kernel and dtype.
  std::vector<std::string> lines() const;
  // One sentence for each kernel, dtype and arithmetic that never uses kLoose of B although that
  // would have shown in kShown elements.
  std::vector<std::string> too_loose() const;

  static constexpr double kLoose = 0.05, kShown = 10;

 private:
  struct Use {
    std::vector<double> cases;  // headroom of each that counts
    double most = 0, exposure = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Use> of_;
};

// The least value with at least `part` (0..1) of `sorted` at or below it. On input: not empty.
double quantile(const std::vector<double>& sorted, double part);

}  // namespace w4
