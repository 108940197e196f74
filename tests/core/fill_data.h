// A problem of a fill in doubles, as the twin sees it: small enough to be exact for the structured
// fills.
#pragma once

#include <vector>

#include "core/fill.h"

namespace w4 {

inline constexpr DType kTypes[] = {DType::f16, DType::bf16};

struct Data {
  Data(Fill fill, uint64_t seed, DType t_, int64_t k_, int64_t g_)
      : f(fill, seed, t_, k_, g_), t(t_), k(k_), g(g_) {}
  Filler f;
  DType t;
  int64_t k, g;

  double act(int64_t m, int64_t i) const { return to_f64(t, f.act(m, i)); }
  double scale(int64_t n, int64_t i) const { return to_f64(t, f.scale(n, i / g)); }
  double bias(int64_t row, int64_t n) const { return to_f64(t, f.bias(row, n)); }
  double weight(int64_t n, int64_t i, bool symmetric) const {
    return (f.code(n, i) - (symmetric ? 8 : f.zero(n, i / g))) * scale(n, i);
  }
  std::vector<double> row(int64_t m) const {
    std::vector<double> a;
    for (int64_t i = 0; i < k; ++i) a.push_back(act(m, i));
    return a;
  }
  double out(int64_t m, int64_t n, bool symmetric) const {
    double y = 0;
    for (int64_t i = 0; i < k; ++i) {
      if (const double a = act(m, i); a != 0) y += a * weight(n, i, symmetric);
    }
    return y;
  }
};

}  // namespace w4
