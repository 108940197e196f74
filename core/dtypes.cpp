#include "core/dtypes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace w4 {
namespace {

struct Row {
  DType type;
  int bytes;
  std::string_view name;
};
constexpr std::array<Row, 9> kTypes{{{DType::f16, 2, "f16"},
                                     {DType::bf16, 2, "bf16"},
                                     {DType::f32, 4, "f32"},
                                     {DType::f64, 8, "f64"},
                                     {DType::i8, 1, "i8"},
                                     {DType::u8, 1, "u8"},
                                     {DType::i32, 4, "i32"},
                                     {DType::u32, 4, "u32"},
                                     {DType::i64, 8, "i64"}}};

const Row& row_of(DType t) {
  for (const Row& r : kTypes) {
    if (r.type == t) return r;
  }
  std::abort();  // not a value of the enum
}

// A binary format: mantissa bits stored, exponent bits.
template <int Mantissa, int Exponent>
struct Format {
  static constexpr int mantissa = Mantissa;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr int sign = Mantissa + Exponent;
  static constexpr uint64_t mantissa_mask = (uint64_t{1} << Mantissa) - 1;
  static constexpr uint64_t exponent_max = (uint64_t{1} << Exponent) - 1;
};
using F16 = Format<10, 5>;
using BF16 = Format<7, 8>;
using F32 = Format<23, 8>;
using F64 = Format<52, 11>;

// Round to nearest even from format S to the narrower D, in one step.
template <class S, class D>
uint16_t narrow(uint64_t x) {
  const uint64_t sign = (x >> S::sign & 1) << D::sign;
  const uint64_t exponent = x >> S::mantissa & S::exponent_max;
  const uint64_t mantissa = x & S::mantissa_mask;
  constexpr uint64_t kInf = D::exponent_max << D::mantissa;
  if (exponent == S::exponent_max) {
    if (mantissa == 0) return static_cast<uint16_t>(sign | kInf);
    const uint64_t payload = mantissa >> (S::mantissa - D::mantissa);
    return static_cast<uint16_t>(sign | kInf | uint64_t{1} << (D::mantissa - 1) | payload);
  }
  // value = significand * 2^(e - S::mantissa), e the unbiased exponent.
  const uint64_t significand = exponent == 0 ? mantissa : mantissa | uint64_t{1} << S::mantissa;
  const int e = static_cast<int>(std::max<uint64_t>(exponent, 1)) - S::bias;
  constexpr int kMinExponent = 1 - D::bias;
  const int lost = std::max(kMinExponent - e, 0);  // further bits lost to a subnormal result
  // From S::mantissa + 2 on the value is below half of the smallest subnormal.
  const int shift = std::min(S::mantissa - D::mantissa + lost, S::mantissa + 2);
  const uint64_t half = uint64_t{1} << (shift - 1);
  const uint64_t rest = significand & (2 * half - 1);
  uint64_t rounded = significand >> shift;
  if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  // The implicit bit (and a carry of the rounding) adds itself to the exponent field.
  const uint64_t field = lost > 0 ? 0 : static_cast<uint64_t>(e - kMinExponent);
  return static_cast<uint16_t>(sign | std::min((field << D::mantissa) + rounded, kInf));
}

// Place on the number line: 0 for both zeros, +-1 for the smallest subnormals, ...
int64_t ordinal(uint16_t bits) {
  const int64_t magnitude = bits & 0x7FFF;
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

uint16_t infinity(DType t) { return t == DType::f16 ? 0x7C00 : 0x7F80; }

}  // namespace

int bytes_of(DType t) { return row_of(t).bytes; }
std::string_view name_of(DType t) { return row_of(t).name; }

std::optional<DType> dtype_from(std::string_view name) {
  for (const Row& r : kTypes) {
    if (r.name == name) return r.type;
  }
  return std::nullopt;
}

float f16_to_f32(uint16_t h) {
  const uint32_t sign = uint32_t{h & 0x8000u} << 16;
  const uint32_t exponent = h >> 10 & 0x1F;
  const uint32_t mantissa = h & 0x3FF;
  if (exponent == 0x1F) {
    const uint32_t quiet = mantissa != 0 ? 0x400000u : 0u;
    return std::bit_cast<float>(sign | 0x7F800000u | quiet | mantissa << 13);
  }
  if (exponent != 0) {
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  }
  if (mantissa == 0) return std::bit_cast<float>(sign);
  const int top = std::bit_width(mantissa) - 1;  // value = mantissa * 2^-24
  const auto biased = static_cast<uint32_t>(top + 103);
  return std::bit_cast<float>(sign | biased << 23 | (mantissa << (23 - top) & 0x7FFFFFu));
}

float bf16_to_f32(uint16_t h) {
  const bool nan = (h & 0x7FFF) > 0x7F80;
  return std::bit_cast<float>((uint32_t{h} | (nan ? 0x40u : 0u)) << 16);
}

uint16_t f32_to_f16(float f) { return narrow<F32, F16>(std::bit_cast<uint32_t>(f)); }
uint16_t f32_to_bf16(float f) { return narrow<F32, BF16>(std::bit_cast<uint32_t>(f)); }
uint16_t f64_to_f16(double d) { return narrow<F64, F16>(std::bit_cast<uint64_t>(d)); }
uint16_t f64_to_bf16(double d) { return narrow<F64, BF16>(std::bit_cast<uint64_t>(d)); }

double unit_roundoff(DType t) {
  switch (t) {
    case DType::f16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
    case DType::f32:
      return 0x1p-24;
    case DType::f64:
      return 0x1p-53;
    default:
      return 0;
  }
}

uint16_t step_toward(DType t, uint16_t bits, int steps) {
  if (is_nan(t, bits) || steps == 0) return bits;
  const int64_t end = infinity(t);
  const int64_t to = std::clamp(ordinal(bits) + steps, -end, end);
  return static_cast<uint16_t>(to < 0 ? 0x8000 - to : to);
}

int64_t ulps_between(DType t, uint16_t a, uint16_t b) { return std::abs(ordinal(a) - ordinal(b)); }

bool is_nan(DType t, uint16_t bits) { return (bits & 0x7FFF) > infinity(t); }
bool is_inf(DType t, uint16_t bits) { return (bits & 0x7FFF) == infinity(t); }

}  // namespace w4
