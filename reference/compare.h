// Outputs against their intervals: the worst element, how many are outside, where they lie, and
// what a pass is worth.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/verdict.h"
#include "reference/arrays.h"
#include "reference/interval.h"
#include "reference/numerics.h"
#include "reference/twin.h"

namespace w4 {

struct Comparison {
  Worst worst;  // largest |ratio|
  int64_t bad = 0, total = 0;
  double headroom = 0;   // largest error needed to explain an element, over B
  double exposure = 0;   // as in Pass
  std::string pattern;   // of the elements outside; empty where none is
  int64_t weak = 0;      // elements with B > |y~| / 8: they would pass with a wrong answer
  int64_t silent = 0;    // outputs that are zero or not finite
  int64_t products = 0;  // elements that are a product: all of them, where every row has an expert;
                         // weak and silent count among these
};

// `out`: bits [M,N], contiguous.
Comparison compare(const Arrays& x, const Numerics& numerics, const Twin& twin, const Bound& bound,
                   std::span<const uint16_t> out);

// One sentence on a set of elements of [M,N]: rows, columns, residues of the columns mod 8, 16 and
// 32 where they tell something, contiguous ranges. `bad` holds flat indices m*N+n, ascending.
std::string describe_pattern(std::span<const int64_t> bad, int64_t m, int64_t n);

}  // namespace w4
