// Sums that are rounded or flushed on their way, as [least, most] over what the fp32 steps between
// may round to.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/dtypes.h"

namespace w4::explain {

// k is in chunk k div `chunk`, or in the last one, and a chunk's sum goes to a lane, whose sum may
// be rounded to T.
struct ShortSums {
  enum class Rounds : uint8_t { never, after_each_chunk, at_the_end };

  int64_t chunk = 0;                         // products; 0: sums in fp32
  int64_t chunks = 0;                        // the last takes what is left; 0: as many as K has
  int64_t lanes = 1;                         // chunk c goes to lane c mod lanes
  Rounds rounds = Rounds::after_each_chunk;  // a lane's sum
  bool backwards = false;                    // the last chunk first
  int sums_of_chunk = 0;  // that k mod this many share, each in T before the scale; 0: one in fp32
  double flush = 0;       // a chunk's sum below this, before the scale, is 0
};

struct Product {
  int64_t k = 0;
  double act = 0, weight = 0;
  double code = 0, scale = 0;  // (q - z) and s, whose product the weight is
};

// k ascending. `slack`: what fp32 steps may be off by, per magnitude that they add up.
std::pair<double, double> short_sum(const ShortSums& how, std::span<const Product> all, DType t,
                                    double slack);

}  // namespace w4::explain
