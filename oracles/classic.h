// The oracles that GEMM kernels are usually tested with, to be compared with the project's own: all
// of them look at the output y and at the reference r that users know (Eigen's fp32 product of the
// dequantised weights, bias added, rounded once to T).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/arrays.h"
#include "reference/experts.h"

namespace w4 {

// The data of one call and every reference of it, all [M,N].
struct Golden {
  DType act = DType::f16;
  int64_t k = 0;
  bool zero_points = false;
  std::vector<uint16_t> eigen_bits;
  std::vector<double> eigen;      // r
  std::vector<double> exact;      // y* + b
  std::vector<double> magnitude;  // S + |b|
};
Golden make_golden(const Arrays& x, const Reference& right);

struct Oracle {
  std::string_view name;  // "allclose 1e-2"
  std::string_view rule;  // the formula
  std::string_view user;  // whose tests do so; empty: a habit of many
  bool (*accepts)(const Golden& g, std::span<const uint16_t> y);
  bool integers_only = false;  // looks at fill=integer, where every sum is exact, and nothing else
};
std::span<const Oracle> classic_oracles();

// eigen_reference, expert by expert where there are experts; rows without one are zeros.
std::vector<uint16_t> eigen_of(const Arrays& x);

}  // namespace w4
