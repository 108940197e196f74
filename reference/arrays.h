// A materialised problem: what the references compute on, in logical order and without any packing.
//   act [M,K], q and z [N,K] and [N,K/G], s [N,K/G], bias [By,Bx] broadcast to [M,N]
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/dtypes.h"

namespace w4 {

// Shared between the cases of a campaign that differ in M, bias, device or schedule only.
struct Weights {
  int64_t n = 0, k = 0, g = 1;
  DType act = DType::f16;
  std::vector<uint8_t> q;   // [N,K], 0..15
  std::vector<uint16_t> s;  // [N,K/G], bits of `act`
  std::vector<uint8_t> z;   // [N,K/G], 0..15; empty: 8 everywhere

  int64_t groups() const { return k / g; }
  double scale(int64_t row, int64_t group) const {
    return to_f64(act, s[static_cast<size_t>(row * groups() + group)]);
  }
  double zero(int64_t row, int64_t group) const {
    return z.empty() ? 8.0 : z[static_cast<size_t>(row * groups() + group)];
  }
};

struct Arrays {
  int64_t m = 0;
  std::shared_ptr<const Weights> wei;
  std::vector<uint16_t> a;     // [M,K], bits of wei->act
  std::vector<uint16_t> bias;  // [By,Bx]; empty: none
  int64_t by = 0, bx = 0;

  bool has_bias() const { return !bias.empty(); }
  // bias[m mod By, n mod Bx]; 0 where there is none.
  double bias_at(int64_t row, int64_t col) const {
    if (bias.empty()) return 0;
    return to_f64(wei->act, bias[static_cast<size_t>((row % by) * bx + col % bx)]);
  }
};

}  // namespace w4
