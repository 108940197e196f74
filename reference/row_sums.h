// What B needs of one activation row (bound.h): sums over its groups and chunks, and the grid on
// which its numbers lie.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/arrays.h"

namespace w4 {

// Sums over each group of one activation row: everything B needs that is not S.
struct GroupSums {
  double chunks1 = 0;    // sum over chunks of P_c = sum|a| of the chunk
  double chunks2 = 0;    // sum of P_c^2
  double growth = 0;     // sum over chunks and dot2 of the 2j largest |a|
  double subnormal = 0;  // sum |a| over subnormal a
  int64_t subnormals = 0;
  bool infinite = false;
};

inline constexpr int kNoBit = 4096;  // of nothing but zeros

struct RowSums {
  std::vector<GroupSums> group;  // [K/G]
  double largest_chunk = 0;      // max P_c over finite activations
  bool infinite = false;
  int unit = kNoBit;  // every activation is a multiple of 2^unit
};

// `chunk` elements at a time, none across groups. `growth`: whether GroupSums::growth is wanted.
RowSums sum_row(const Arrays& x, int64_t m, int64_t chunk, bool growth);

// Exponent of the lowest set bit: v is an odd multiple of 2^lowest_bit(v). v is finite, not zero.
int lowest_bit(double v);

}  // namespace w4
