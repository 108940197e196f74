// The adders of gfx11 and gfx12, one lane at a time, in integers: see dot2.h.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "rdna/isa/dot2.h"
#include "rdna/isa/float_in.h"

namespace w4::rdna {
namespace {

constexpr int kNone = -4096;  // exponent of a term that is zero: below any other

// magnitude * 2^scale with a sign of its own, zeros included.
struct Term {
  uint64_t magnitude;
  int scale;
  bool negative;
  int leading() const {
    return magnitude ? scale + static_cast<int>(std::bit_width(magnitude)) - 1 : kNone;
  }
};

// One 16-bit operand.
struct Factor {
  uint64_t significand;
  int exponent;  // of the leading bit of normal numbers; the type's least one for subnormals
  int fraction_bits;
  bool negative, finite;
};
Factor factor(DotType type, uint16_t x, bool flush) {
  const int fraction_bits = type == DotType::f16 ? 10 : 7, bias = type == DotType::f16 ? 15 : 127;
  const int field = (x & 0x7fff) >> fraction_bits;
  const uint64_t fraction = x & ((1u << fraction_bits) - 1);
  return {field   ? fraction | uint64_t{1} << fraction_bits
          : flush ? 0
                  : fraction,
          std::max(field, 1) - bias, fraction_bits, (x & 0x8000) != 0, field != 2 * bias + 1};
}
struct Product {
  Term term;
  int exponent;  // sum of the operands' exponents
};
Product product(const Factor& a, const Factor& b) {
  const Term t{a.significand * b.significand,
               a.exponent - a.fraction_bits + b.exponent - b.fraction_bits,
               a.negative != b.negative};
  return {t, t.magnitude ? a.exponent + b.exponent : kNone};
}
Term accumulator(uint32_t c, bool flush) {
  const int field = static_cast<int>(c >> 23 & 255);
  const uint64_t fraction = c & 0x7fffffu;
  return {field   ? fraction | 0x800000u
          : flush ? 0
                  : fraction,
          std::max(field, 1) - 150, (c >> 31) != 0};
}

// Units of 2^grid in t, the rest cut off.
uint64_t cut(const Term& t, int grid) {
  const int shift = t.scale - grid;
  if (!t.magnitude || shift <= -64) return 0;
  return shift >= 0 ? t.magnitude << shift : t.magnitude >> -shift;
}
// … or rounded down, sign included.
int64_t floor_to(const Term& t, int grid) {
  const uint64_t units = cut(t, grid);
  const bool rest = grid > t.scale && units << std::min(grid - t.scale, 63) != t.magnitude;
  return t.negative ? -static_cast<int64_t>(units + rest) : static_cast<int64_t>(units);
}

// NaNs and infinities follow IEEE; payloads are not modelled.
uint32_t ieee_sum(DotType type, std::span<const uint16_t> a, std::span<const uint16_t> b,
                  uint32_t c, bool flush) {
  const auto value = [&](uint16_t x) -> double {
    if (type == DotType::f16) return _cvtsh_ss(x);
    const uint32_t bits = uint32_t{x} << 16;
    return as_f32(flush ? flush32(bits) : bits);
  };
  double sum = as_f32(c);
  for (size_t i = 0; i < a.size(); ++i) sum += value(a[i]) * value(b[i]);
  return one_nan(bits_of(static_cast<float>(sum)));
}

uint64_t round_even(uint64_t x, int shift) {
  if (shift <= 0) return x << -shift;
  if (shift >= 64) return 0;
  const uint64_t tail = x & ((uint64_t{1} << shift) - 1), half = uint64_t{1} << (shift - 1);
  return (x >> shift) + (tail > half || (tail == half && (x >> shift & 1)));
}

// units * 2^grid to nearest even. Zero is positive. `flush`: what is below the least normal number
// after a rounding to 24 bits is +0; otherwise subnormals are rounded on their own grid.
uint32_t to_f32(int64_t units, int grid, bool frame_negative, bool flush) {
  if (units == 0) return 0;
  const uint32_t sign = (units < 0) != frame_negative ? 0x80000000u : 0;
  const auto x = static_cast<uint64_t>(std::abs(units));
  const int top = static_cast<int>(std::bit_width(x)) - 1;
  if (!flush && top + grid < -126) {
    const auto fraction = static_cast<uint32_t>(round_even(x, -149 - grid));
    return fraction ? sign | fraction : 0;
  }
  const uint64_t significand = round_even(x, top - 23);
  const int exponent = top + grid + static_cast<int>(significand >> 24);
  if (exponent < -126) return 0;
  if (exponent > 127) return sign | 0x7f800000u;
  return sign | static_cast<uint32_t>(exponent + 127) << 23 |
         (static_cast<uint32_t>(significand >> (significand >> 24)) & 0x7fffffu);
}
uint32_t to_f16(int64_t units, int grid, bool frame_negative) {
  if (units == 0) return 0;
  const uint32_t sign = (units < 0) != frame_negative ? 0x8000u : 0;
  // At most 30 bits: exact in double, whose conversion through round-to-odd rounds once.
  const uint32_t h = odd_to_f16(std::ldexp(static_cast<double>(std::abs(units)), grid));
  return h ? sign | h : 0;
}

uint32_t narrow_special(DotType type, uint32_t bits, DotResult result) {
  if (result == DotResult::f32) return bits;
  return type == DotType::f16 ? odd_to_f16(as_f32(bits)) : bits >> 16;
}

// bf16 results are the fp32 result cut off, fp16 results the sum rounded once.
uint32_t give(DotType type, DotResult result, int64_t units, int grid, bool frame_negative,
              bool flush) {
  if (result == DotResult::half && type == DotType::f16) return to_f16(units, grid, frame_negative);
  const uint32_t bits = to_f32(units, grid, frame_negative, flush);
  return result == DotResult::half ? bits >> 16 : bits;
}

// Exponent below which an accumulator of an fp16 result counts no lower, however small it is.
int accumulator_floor(DotType type, DotResult result) {
  return result == DotResult::half && type == DotType::f16 ? -14 : kNone;
}

}  // namespace

uint32_t dot2_gfx1151(DotType type, uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1, uint32_t c,
                      DotResult result) {
  const bool flush = type == DotType::bf16;
  const std::array<uint16_t, 2> a{a0, a1}, b{b0, b1};
  const Factor x[4] = {factor(type, a0, flush), factor(type, b0, flush), factor(type, a1, flush),
                       factor(type, b1, flush)};
  if (!x[0].finite || !x[1].finite || !x[2].finite || !x[3].finite ||
      (c & 0x7f800000u) == 0x7f800000u) {
    return narrow_special(type, ieee_sum(type, a, b, c, flush), result);
  }
  const Product p[2] = {product(x[0], x[1]), product(x[2], x[3])};
  const Term acc = accumulator(c, true);
  if (!(p[0].term.magnitude | p[1].term.magnitude | acc.magnitude)) return 0;
  const int leading = std::max(
      {acc.leading(), accumulator_floor(type, result), p[0].term.leading(), p[1].term.leading()});
  const int grid =
      std::max(std::max(p[0].exponent, p[1].exponent) - kProductGrid, leading - kLeadingGrid);
  // In the frame of the accumulator's sign; what opposes it is flipped without the increment, so it
  // lands one unit further from zero, zeros too.
  int64_t sum = 0;
  for (const Term& t : {acc, p[0].term, p[1].term}) {
    const auto m = static_cast<int64_t>(cut(t, grid));
    sum += t.negative == acc.negative ? m : ~m;
  }
  return give(type, result, sum, grid, acc.negative, true);
}

uint32_t dot_gfx1201(DotType type, std::span<const uint16_t> a, std::span<const uint16_t> b,
                     uint32_t c, DotResult result) {
  std::array<Product, 4> p;
  bool finite = (c & 0x7f800000u) != 0x7f800000u;
  int top = kNone;
  for (size_t i = 0; i < a.size(); ++i) {
    const Factor x = factor(type, a[i], false), y = factor(type, b[i], false);
    finite = finite && x.finite && y.finite;
    p[i] = product(x, y);
    top = std::max(top, p[i].exponent);
  }
  if (!finite) return narrow_special(type, ieee_sum(type, a, b, c, false), result);
  const Term acc = accumulator(c, false);
  const int floor = std::max(accumulator_floor(type, result), -126);
  const int grid = std::max(top - kProductGrid, std::max(floor, acc.leading()) - kLeadingGrid);
  int64_t sum = floor_to(acc, grid);
  // An accumulator below the unit is dropped, unless the unit is as small as they come.
  if (sum == -1 && grid > floor && acc.leading() < grid) sum = 0;
  for (size_t i = 0; i < a.size(); i += 2) {
    const int pair = std::max(p[i].exponent, p[i + 1].exponent) - kProductGrid;
    const int64_t s = floor_to(p[i].term, pair) + floor_to(p[i + 1].term, pair);
    sum += floor_to({static_cast<uint64_t>(std::abs(s)), pair, s < 0}, grid);
  }
  return give(type, result, sum, grid, false, false);
}

}  // namespace w4::rdna
