// A materialised problem: what the references compute on, in logical order and without any packing.
//   act [M,K], q and z [N,K] and [N,K/G], s [N,K/G], bias [By,Bx] broadcast to [M,N]
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/dtypes.h"

namespace w4 {

// Shared between the cases of a campaign that differ in M, bias, device or schedule only.
// With experts, expert e has rows e*N to e*N+N-1 of everything.
struct Weights {
  int64_t n = 0, k = 0, g = 1;
  int64_t experts = 0;  // 0: a dense layer
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

// What a layer of experts adds. M is then the number of output rows.
struct ExpertRows {
  std::vector<int32_t> expert;  // [M]: whose weights the row meets; -1: no one's, the row is zeros
  // The call's own tensors, of which Arrays::a is what the product sees.
  std::vector<uint16_t> act;  // [act_rows, act_columns], bits
  int64_t act_rows = 0, act_columns = 0;
  std::vector<int32_t> expert_ids;  // [blocks]
  std::vector<int32_t> sorted_ids;  // [blocks*block_m]; empty: rows in the order of the blocks
};

struct Arrays {
  int64_t m = 0;
  std::shared_ptr<const Weights> wei;
  std::vector<uint16_t> a;     // [M,K], bits of wei->act
  std::vector<uint16_t> bias;  // [By,Bx]; empty: none
  int64_t by = 0, bx = 0;
  std::optional<ExpertRows> moe;

  // Whether row m is a product at all.
  bool promises(int64_t row) const { return !moe || moe->expert[static_cast<size_t>(row)] >= 0; }

  bool has_bias() const { return !bias.empty(); }
  // bias[m mod By, n mod Bx]; 0 where there is none.
  double bias_at(int64_t row, int64_t col) const {
    if (bias.empty()) return 0;
    return to_f64(wei->act, bias[static_cast<size_t>((row % by) * bx + col % bx)]);
  }
};

}  // namespace w4
