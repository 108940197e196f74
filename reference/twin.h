// The fp64 references of a materialised problem:
//   y*[m,n] = sum_k a[m,k] (q[n,k] - z[n,g]) s[n,g]        the mathematical sum
//   y~[m,n] = sum_k a[m,k] weight(q, z, s)                 every declared rounding replayed
//   S [m,n] = sum_k |a[m,k]| |weight(q, z, s)|             what an error bound is relative to
//   R [m,n] = sum_j |y~ up to step j|                      where matrix steps are declared in
//   order:
//             step j takes products A j to A j + A - 1, what came before is what rounds
// without bias, which the declared store adds. Products are exact (11 + 4 + 11 bits at most where
// the weight is exact); the sums err by at most K 2^-53 S each.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/arrays.h"
#include "reference/numerics.h"

namespace w4 {

struct Twin {
  int64_t m = 0, n = 0;
  std::vector<double> declared;   // y~ [M,N]
  std::vector<double> exact;      // y* [M,N]
  std::vector<double> magnitude;  // S  [M,N]
  std::vector<double> prefix{};   // R  [M,N]; empty: no order is declared
  size_t at(int64_t row, int64_t col) const { return static_cast<size_t>(row * n + col); }
};

Twin make_twin(const Arrays& x, const Numerics& numerics);

// The reference users know: weights dequantised to fp32, Eigen's fp32 product, the bias added in
// fp32, one rounding to the activation type. [M,N] bits.
std::vector<uint16_t> eigen_reference(const Arrays& x);

}  // namespace w4
