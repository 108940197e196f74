// Suite boundary: K*M round the capacity of the LDS array and round the limit of the op
// (contract.md 15). Right or refused, never wrong. decode has both limits; chunked has the array
// only, and past it one more edge: where K needs another piece. And where counts of tiles and
// offsets of rows outgrow 16, 31 and 32 bits.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"

namespace w4 {

// The largest multiples of G that keep K*M within 32768 and 39321, and their successors.
struct BoundaryRow {
  int64_t g, m;
  int64_t last_fit, first_past, last_accepted, first_refused;
};
BoundaryRow boundary_row(int64_t g, int64_t m);

// K of a row's cases: each column, one G below and one above, ascending, each once.
std::vector<int64_t> boundary_ks(const BoundaryRow& row);

// K of a row's chunked cases: on both sides of the array, and of what two pieces take.
std::vector<int64_t> boundary_chunked_ks(const BoundaryRow& row);

std::vector<Case> boundary_decode_cases(uint64_t seed);
std::vector<Case> boundary_chunked_cases(uint64_t seed);
std::vector<Case> boundary_width_cases(uint64_t seed);
std::vector<Case> boundary_cases(uint64_t seed);  // all

}  // namespace w4
