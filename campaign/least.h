// The least that a case's problem asks of any kernel, to hold what a kernel did against.
#pragma once

#include <cstdint>

#include "core/case.h"

namespace w4 {

// Of layers of experts only what the routing needs: weights, scales and zero points of experts that
// have a row, each expert once; activations of rows that have an expert; every id; every row of the
// output, for those without an expert are zeros (contract.md 12, K21).
struct Least {
  // Weights, scales, zero points, bias, activations, ids and output, each once (contract.md 2, 4,
  // 5, 7): N*K/2 bytes of weights; 2*N*K where the row takes dense ones, which have no scales; a
  // 4-byte word for each (n, g) where it takes a carrier instead of scales and zero points.
  uint64_t bytes = 0;
  double weights = 0;   // N*K
  double products = 0;  // multiply-adds: M*N*K; of experts N*K for each row that has one
};

// On input: a legal case. All 0 where nothing is to be computed. A module's kernel counts as one
// that takes 4-bit weights, scales and zero points.
Least least_of(const Case& c);
// The same for a kernel of any module, which says what it takes.
Least least_of(const Case& c, bool dense_weights, bool reads_carrier);

}  // namespace w4
