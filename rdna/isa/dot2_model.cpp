// The dot product rounded once: see dot2.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "rdna/isa/dot2.h"
#include "rdna/isa/float_math.h"
#include "rdna/isa/half.h"

namespace w4::rdna {
namespace {

struct Exact {
  double s, e;  // s = fl(a + b), a + b = s + e
};
Exact two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// `s` plus a remainder of sign `e` smaller than a unit of s, rounded to odd.
double round_odd(double s, double e) {
  if (e == 0 || (std::bit_cast<uint64_t>(s) & 1)) return s;
  const bool away = (e > 0) == (s > 0);
  return std::bit_cast<double>(std::bit_cast<uint64_t>(s) + (away ? 1 : -1));
}

}  // namespace

double sum3_to_odd(double p0, double p1, double c) {
  if (!std::isfinite(p0) || !std::isfinite(p1) || !std::isfinite(c)) return p0 + p1 + c;
  double x[3] = {p0, p1, c};
  const auto order = [&](int i, int j) {
    if (std::fabs(x[i]) < std::fabs(x[j])) std::swap(x[i], x[j]);
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  const Exact small = two_sum(x[1], x[2]);
  if (small.e == 0) {
    const Exact all = two_sum(x[0], small.s);
    // Zeros: +0 unless all three are -0, as one exact sum gives.
    return all.s == 0 ? p0 + p1 + c : round_odd(all.s, all.e);
  }
  // x[2] is more than 28 binades below x[1], so it is smaller than a unit of x[1] and of any
  // nonzero exact x[0] + x[1]: it can only break a tie or an evenness.
  const Exact big = two_sum(x[0], x[1]);
  if (big.e != 0) return round_odd(big.s, big.e);
  const Exact all = two_sum(big.s, x[2]);
  return round_odd(all.s, all.e);
}

uint16_t odd_to_f16(double x) {
  return static_cast<uint16_t>(_cvtss_sh(one_nan(fmath::odd32(x)), _MM_FROUND_TO_NEAREST_INT));
}

}  // namespace w4::rdna
