// One-lane models of the dot product: see dot2.h.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "rdna/isa/dot2.h"
#include "rdna/isa/float_in.h"
#include "rdna/isa/float_math.h"

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

namespace {

struct Parts {
  bool negative;
  int exponent;     // of the leading bit for normal numbers; the type's floor for subnormals
  int64_t integer;  // significand as an integer
  int scale;        // value = integer * 2^scale
  bool finite;
};

template <int kExponentBits, int kFractionBits, bool kFlush>
Parts split(uint32_t x) {
  constexpr int kBias = (1 << (kExponentBits - 1)) - 1, kTop = (1 << kExponentBits) - 1;
  const uint32_t fraction = x & ((1u << kFractionBits) - 1);
  const int e = static_cast<int>(x >> kFractionBits) & kTop;
  Parts p;
  p.negative = x >> (kFractionBits + kExponentBits) & 1;
  p.finite = e != kTop;
  p.exponent = std::max(e, 1) - kBias;
  p.scale = p.exponent - kFractionBits;
  p.integer = e ? int64_t{fraction} | int64_t{1} << kFractionBits : kFlush ? 0 : fraction;
  return p;
}

// |integer| * 2^scale in units of 2^grid, bits below the unit dropped.
int64_t align(int64_t integer, int scale, int grid) {
  const int s = grid - scale;
  if (s <= 0) return integer << -s;
  return s >= 63 ? 0 : integer >> s;
}

}  // namespace

uint32_t dot2_gfx1151(DotType type, uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1,
                      uint32_t c) {
  const auto operand = [&](uint16_t x) {
    return type == DotType::f16 ? split<5, 10, false>(x) : split<8, 7, true>(x);
  };
  const Parts m[4] = {operand(a0), operand(b0), operand(a1), operand(b1)};
  const Parts acc = split<8, 23, true>(c);
  if (!acc.finite || !m[0].finite || !m[1].finite || !m[2].finite || !m[3].finite) {
    const auto value = [&](uint16_t x) -> double {
      if (type == DotType::f16) return _cvtsh_ss(x);
      return flush32(as_f32(uint32_t{x} << 16));
    };
    return one_nan(bits_of(static_cast<float>(value(a0) * value(b0) + value(a1) * value(b1) +
                                              double{flush32(as_f32(c))})));
  }
  struct Term {
    bool negative;
    int exponent, scale;
    int64_t integer;
  };
  Term t[3] = {{acc.negative, acc.exponent, acc.scale, acc.integer}, {}, {}};
  for (int i = 0; i < 2; ++i) {
    const Parts &a = m[2 * i], &b = m[2 * i + 1];
    t[i + 1] = {a.negative != b.negative, a.exponent + b.exponent, a.scale + b.scale,
                a.integer * b.integer};
  }
  int top = -1000;
  for (const Term& x : t) {
    if (x.integer) top = std::max(top, x.exponent);
  }
  if (top == -1000) {  // all terms are zeros
    const bool minus = t[0].negative && t[1].negative && t[2].negative;
    return minus ? 0x80000000u : 0u;
  }
  const int grid = top - kGfx1151Grid;
  int64_t sum = 0;  // in the frame of the accumulator's sign
  for (const Term& x : t) {
    if (!x.integer) continue;
    const int64_t v = align(x.integer, x.scale, grid);
    sum += x.negative == acc.negative ? v : ~v;
  }
  if (sum == 0) return 0;
  const bool negative = (sum < 0) != acc.negative;
  const double r = std::ldexp(static_cast<double>(sum < 0 ? -sum : sum), grid);
  const uint32_t bits = flush32(bits_of(static_cast<float>(r)));
  return bits | (negative ? 0x80000000u : 0u);
}

}  // namespace w4::rdna
