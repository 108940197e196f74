// The data of upstream's tests (oracles/upstream_tests.h), by its rules but from a generator of our
// own: x = 0.25 N(0,1), codes and zero points uniform over 0..15, s = 0.05 U(0,1), each rounded
// once to T; bias = N(0,1) rounded to T, times 0.1 and rounded again.
#pragma once

#include <cstdint>
#include <span>

#include "core/problem.h"
#include "reference/arrays.h"

namespace w4 {

// On input: a dense problem with a meaning and a bias of rank 0 or 1.
Arrays upstream_data(const Problem& p, uint64_t seed);

// torch.testing.assert_close: |y - r| <= atol + rtol |r| for every element, where equal infinities
// are close and NaN is close to nothing. How many are not, and the first of them.
struct NotClose {
  int64_t count = 0, first = -1;
};
NotClose not_close(DType t, std::span<const uint16_t> y, std::span<const uint16_t> r, double rtol,
                   double atol);

}  // namespace w4
