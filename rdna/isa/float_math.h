// Scalar float semantics of the ISA that C++ has no operator for, for any of float and double.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace w4::rdna::fmath {

template <class F>
using Bits = std::conditional_t<sizeof(F) == 8, uint64_t, uint32_t>;

// The bit that tells a quiet NaN from a signalling one.
template <class F>
inline bool is_signalling(F x) {
  constexpr Bits<F> kQuiet = Bits<F>{1} << (sizeof(F) == 8 ? 51 : 22);
  return x != x && !(std::bit_cast<Bits<F>>(x) & kQuiet);
}

// -0 is below +0. One NaN gives the other source, two give a NaN.
template <class F>
inline F min_num(F a, F b) {
  const F both = std::bit_cast<F>(std::bit_cast<Bits<F>>(a) | std::bit_cast<Bits<F>>(b));
  const F r = a < b ? a : a == b ? both : b;
  return b != b ? (a != a ? a + b : a) : r;
}
template <class F>
inline F max_num(F a, F b) {
  const F both = std::bit_cast<F>(std::bit_cast<Bits<F>>(a) & std::bit_cast<Bits<F>>(b));
  const F r = a > b ? a : a == b ? both : b;
  return b != b ? (a != a ? a + b : a) : r;
}
// gfx12: a NaN wins.
template <class F>
inline F minimum(F a, F b) {
  return a != a || b != b ? a + b : min_num(a, b);
}
template <class F>
inline F maximum(F a, F b) {
  return a != a || b != b ? a + b : max_num(a, b);
}
// MODE.IEEE: a signalling NaN gives a quiet one.
template <class F>
inline F min_ieee(F a, F b) {
  return is_signalling(a) || is_signalling(b) ? std::numeric_limits<F>::quiet_NaN() : min_num(a, b);
}
template <class F>
inline F max_ieee(F a, F b) {
  return is_signalling(a) || is_signalling(b) ? std::numeric_limits<F>::quiet_NaN() : max_num(a, b);
}
// The middle of three as the documents write it, which of equal zeros takes the larger; with a NaN
// among them the least of the others.
template <class F>
inline F med3(F a, F b, F c) {
  if (a != a || b != b || c != c) return min_num(min_num(a, b), c);
  const F top = max_num(max_num(a, b), c);
  return top == a ? max_num(b, c) : top == b ? max_num(a, c) : max_num(a, b);
}
template <class F>
inline F med3_ieee(F a, F b, F c) {
  return a != a || b != b || c != c ? min_ieee(min_ieee(a, b), c) : med3(a, b, c);
}
// sin and cos of x turns. The quarter turns are taken off exactly, so that the multiples of them
// give 0 (of x's sign only for x = 0) and 1.
inline double sin_turns(double x) {
  if (!std::isfinite(x)) return __builtin_nan("");
  if (x == 0) return x;
  x = std::fmod(x, 1.0);
  const double quarters = std::rint(4 * x), r = 6.283185307179586476925 * (x - quarters / 4);
  switch (static_cast<int>(quarters) & 3) {
    case 0:
      return std::sin(r) + 0.0;
    case 1:
      return std::cos(r);
    case 2:
      return 0.0 - std::sin(r);
    default:
      return -std::cos(r);
  }
}
inline double cos_turns(double x) {
  return std::isfinite(x) ? sin_turns(std::fmod(x, 1.0) + 0.25) : __builtin_nan("");
}

// x - floor(x), kept below 1: the largest value below 1 where rounding would give 1.
template <class F>
inline F fract(F x) {
  const F r = x - std::floor(x);
  const F top =
      sizeof(F) == 8 ? static_cast<F>(0x1.fffffffffffffp-1) : static_cast<F>(0x1.fffffep-1);
  return r >= F{1} ? top : r;
}
template <class F>
inline int frexp_exp(F x) {
  int e = 0;
  if (!std::isfinite(x) || x == 0) return 0;
  std::frexp(x, &e);
  return e;
}
template <class F>
inline F frexp_mant(F x) {
  int e;
  return std::isfinite(x) ? std::frexp(x, &e) : x;
}

// a * b + c of fp32 values rounded to odd in double (the product is exact there): what a narrower
// format or a denormal scale rounds afterwards is rounded once.
inline double fma_to_odd64(float a, float b, float c) {
  const double p = double{a} * b, s = p + c, t = s - p;
  const double e = (p - (s - t)) + (c - t);
  const auto bits = std::bit_cast<uint64_t>(s);
  const bool step = (e < 0 || e > 0) && !(bits & 1);
  return step ? std::bit_cast<double>(bits + ((e > 0) == (s > 0) ? 1 : ~uint64_t{0})) : s;
}

// A double rounded to odd in fp32: ready for one rounding to fp16.
inline float odd32(double x) {
  const float f = static_cast<float>(x);
  const double back = f;
  const auto bits = std::bit_cast<uint32_t>(f);
  const bool step = (back < x || back > x) && !(bits & 1);
  // Away from zero where the rounding went toward it.
  return step ? std::bit_cast<float>(bits + ((back < x) == (x > 0) ? 1u : ~0u)) : f;
}
inline float fma_to_odd32(float a, float b, float c) { return odd32(fma_to_odd64(a, b, c)); }

}  // namespace w4::rdna::fmath
