// The adders of gfx11 and gfx12 (dot2.h) as lane functions in double, where their aligned terms and
// sums are exact, for loops that the compiler vectorises. Finite operands only: what is not finite
// goes to the one-lane models.
#pragma once

#include "rdna/isa/dot2.h"
#include "rdna/isa/float_in.h"

namespace w4::rdna::adder {

// One product of a step: its exact value and the sum of its operands' exponents.
struct Term {
  double value;
  int exponent;
};

// All ones where fp32 bits are an infinity or a NaN.
inline uint32_t not_finite(uint32_t bits) { return (bits & 0x7f800000u) == 0x7f800000u ? ~0u : 0u; }

constexpr int kNone = -900;  // exponent of a zero: below any other, and a power of two in double

inline double power(int e) {
  return std::bit_cast<double>(static_cast<uint64_t>(int64_t{1023} + e) << 52);
}
inline int leading(double x) {
  return static_cast<int>(std::bit_cast<uint64_t>(x) >> 52 & 2047) - 1023;
}
inline int larger(int a, int b) { return a > b ? a : b; }

// Exponent of a widened operand: subnormals count as the least normal number does.
template <DotType kType>
int exponent_of(float x) {
  return larger(static_cast<int>(bits_of(x) >> 23 & 255) - 127, kType == DotType::f16 ? -14 : -126);
}
template <DotType kType>
Term product(float a, float b) {
  const double p = double{a} * double{b};
  return {p, p != 0 ? exponent_of<kType>(a) + exponent_of<kType>(b) : kNone};
}

// p0 + p1 + c: fp32 bits. bf16 operands come with their subnormals flushed.
inline uint32_t add_gfx1151(Term p0, Term p1, uint32_t c) {
  const double acc = double{as_f32(flush32(c))};
  const int top = larger(leading(acc), larger(leading(p0.value), leading(p1.value)));
  const int grid = larger(larger(p0.exponent, p1.exponent) - kProductGrid, top - kLeadingGrid);
  const double to_grid = power(-grid);
  // An opposing term, be it zero, is flipped without the increment: one unit further from zero.
  const auto term = [&](double p) {
    const bool opposes = (std::bit_cast<int64_t>(p) ^ std::bit_cast<int64_t>(acc)) < 0;
    return __builtin_trunc(p * to_grid) + __builtin_copysign(opposes ? 1.0 : 0.0, p);
  };
  const double sum = __builtin_trunc(acc * to_grid) + term(p0.value) + term(p1.value);
  const double value = sum * power(grid);
  // Rounded to 24 bits first, then flushed: only what rounds up to 2^-126 survives below it.
  const bool tiny = __builtin_fabs(value) < 0x1p-126 - 0x1p-151;
  return tiny ? 0 : bits_of(static_cast<float>(value));
}

// The sum of N / 2 pairs of products and c: fp32 bits.
template <int N>
uint32_t add_gfx1201(const Term (&p)[N], uint32_t c) {
  const double acc = double{as_f32(c)};
  int grid = larger(-126, leading(acc)) - kLeadingGrid;
  int pair[N / 2];
  for (int i = 0; i < N / 2; ++i) {
    pair[i] = larger(p[2 * i].exponent, p[2 * i + 1].exponent) - kProductGrid;
    grid = larger(grid, pair[i]);
  }
  const double units = acc * power(-grid);
  // An accumulator below the unit is dropped, unless the unit is as small as they come.
  double sum = grid > -126 && __builtin_fabs(units) < 1 ? 0 : __builtin_floor(units);
  for (int i = 0; i < N / 2; ++i) {
    const double to_pair = power(-pair[i]);
    const double s =
        __builtin_floor(p[2 * i].value * to_pair) + __builtin_floor(p[2 * i + 1].value * to_pair);
    sum += __builtin_floor(s * power(larger(pair[i] - grid, -1000)));
  }
  const float r = static_cast<float>(sum * power(grid));
  return r == 0 ? 0 : bits_of(r);
}

}  // namespace w4::rdna::adder
