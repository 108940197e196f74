// N and K of a generated case, at the edges that kernels have: the LDS array on both sides and just
// full, steps of a walk along K, more groups than a group has elements, octets and tiles of N, and
// the layers of real models. A case stays small: where K is long there are few columns.
#pragma once

#include <cstdint>

#include "core/problem.h"
#include "verify/cases/row_cases.h"

namespace w4 {

// The array that K*rows activations are staged in; elements = 0: none.
struct StagingArray {
  int64_t elements = 0;
  int64_t most = 0;  // largest K*rows that the row takes, or that a case should have
};

// G and K. `rows`: what K is multiplied with against the array.
void choose_depth(Chooser& choose, const CaseLimits& limits, Problem& p, int64_t rows,
                  const StagingArray& array);

// N, whole octets where the format of the weights wants them. `products`: about the largest
// N*K*rows.
void choose_columns(Chooser& choose, const CaseLimits& limits, Problem& p, int64_t rows,
                    int64_t products);

// Whether the format of weights or zero points packs along N.
bool wants_octets(const Problem& p);

// Whether G and K are a layer's, or one group away.
enum class ModelShape : uint8_t { other, layer, neighbour };
ModelShape model_shape(const Problem& p);

// Whether a checkpoint that has its zero points [K/G,N/8] has a square of them, N/8 = K/G > 1: then
// the shape does not say which way round they lie.
bool has_square_zero_points(const Problem& p);

// Whether N is a layer's, or 1 or 8 away.
bool is_model_n(int64_t n);

}  // namespace w4
