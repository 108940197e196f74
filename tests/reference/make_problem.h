// Small problems from the fills, without any packing.
#pragma once

#include "core/fill.h"
#include "reference/arrays.h"

namespace w4::test {

struct Shape {
  int64_t m = 3, n = 24, k = 1024, g = 64;
  DType act = DType::f16;
  bool zero_points = true, bias = true;
};

Arrays make_problem(const Shape& shape, Fill fill, uint64_t seed);

}  // namespace w4::test
