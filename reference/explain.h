// The interval of one output element, with everything that it is made of: for a person who asks why
// a value is legal, or is not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/arrays.h"
#include "reference/bound.h"
#include "reference/interval.h"
#include "reference/numerics.h"

namespace w4 {

struct ExplainedInterval {
  int64_t m = 0, n = 0;
  DType act = DType::f16;
  bool product = true;                            // false: a row without an expert, zeros exactly
  double exact = 0, declared = 0, magnitude = 0;  // y*, y~, S
  double bias = 0;
  bool has_bias = false;
  Chain chain{};
  Arithmetic arithmetic = Arithmetic::ieee;
  bool random_fill = false;
  std::vector<BoundTerm> terms{};
  double b = 0;  // their sum, as in Bound
  Legal legal{};
};

// On input 0 <= m < x.m and 0 <= n < x.wei->n.
ExplainedInterval explain_interval(const Arrays& x, const Numerics& numerics, Arithmetic arithmetic,
                                   bool random_fill, int64_t m, int64_t n);

// Several lines: the interval, y~ and S, the chain, then each term with its value and its share of
// B, and of two formulas for the same roundings which was the smaller.
std::string to_string(const ExplainedInterval& e);

}  // namespace w4
