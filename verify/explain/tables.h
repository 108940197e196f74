// Tensors of a call as rows at their strides, for hypotheses about addresses: where an index falls
// into a pad or past the end nobody knows what is read.
#pragma once

#include <array>

#include "core/layout.h"
#include "verify/explain/recipe.h"

namespace w4::explain {

// The tables of `o`, small enough to copy into a recipe; points into `o`.
struct Tables {
  const Observed* o;
  const Weights* w;
  int64_t n, k, g, groups, rows;  // rows of all weights
  int64_t stride;                 // of scales and zero points, in groups
  bool packed;
  double pad = kUnknown;  // what is read from the pads of scales and zero points

  explicit Tables(const Observed& observed)
      : o(&observed),
        w(observed.x.wei.get()),
        n(w->n),
        k(w->k),
        g(w->g),
        groups(w->groups()),
        rows(n * (w->experts > 0 ? w->experts : 1)),
        stride(scale_stride(observed.line.problem)),
        packed(observed.line.problem.zp == ZpMode::packed) {}

  // Row r, group c where both exist.
  double scale(int64_t r, int64_t c) const {
    if (r < 0 || c < 0 || r >= rows || c >= stride) return kUnknown;
    return c >= groups ? pad : w->scale(r, c);
  }
  double zero(int64_t r, int64_t c) const {
    if (w->z.empty()) return 8;
    if (r < 0 || c < 0 || r >= rows || c >= stride) return kUnknown;
    return c >= groups ? pad : w->zero(r, c);
  }
  double code(int64_t r, int64_t c) const {
    return r < 0 || c < 0 || r >= rows || c >= k ? kUnknown : w->q[static_cast<size_t>(r * k + c)];
  }
  // Element `flat` of the scales, and the zero point of a row whose table row starts at `flat`.
  double scale_flat(int64_t flat) const { return scale(flat / stride, flat % stride); }
  // Group c of row r where rows are `wrong` groups apart.
  double scale_at_stride(int64_t r, int64_t c, int64_t wrong) const {
    return scale_flat(r * wrong + c);
  }
  double zero_at_stride(int64_t r, int64_t c, int64_t wrong) const {
    const int64_t flat = (packed ? r / 8 : r) * wrong + c;
    const int64_t row = flat / stride;
    return zero(packed ? row * 8 + r % 8 : row, flat % stride);
  }
};

// Where the value at place j of an octet is found if it was packed in shuffled (AWQ) order and read
// in sequence, and the other way round.
inline int64_t in_octet(int64_t v, const std::array<int, 8>& order) {
  return v - v % 8 + order[static_cast<size_t>(v % 8)];
}
inline constexpr std::array<int, 8> kReversed{7, 6, 5, 4, 3, 2, 1, 0};
inline constexpr std::array<int, 8> kPairsSwapped{1, 0, 3, 2, 5, 4, 7, 6};

}  // namespace w4::explain
