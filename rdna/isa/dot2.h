// The arithmetic of a dot product with an fp32 accumulator, one lane at a time and in integers: the
// exact form (one rounding) and the adders measured on gfx11 and gfx12. README.md says what was
// measured. dot_adders.h holds the forms for rows of lanes.
#pragma once

#include <cstdint>
#include <span>

namespace w4::rdna {

// p0 + p1 + c rounded to odd in double: a later rounding to fp32, bf16 or fp16 (at most 51 bits) is
// the one rounding of the exact sum. p0, p1: products of two fp16 or bf16 values,
// exact in double. Each argument has at most 24 significant bits. IEEE for NaN and infinities.
double sum3_to_odd(double p0, double p1, double c);

inline float dot2_ieee(double p0, double p1, float c) {
  return static_cast<float>(sum3_to_odd(p0, p1, c));
}
// fp16 bits of a double that was rounded to odd (or is exact).
uint16_t odd_to_f16(double x);

enum class DotType : uint8_t { f16, bf16 };

// What a step gives: fp32 bits, or 16 bits of the operands' type (matrix instructions with 16-bit
// results, which narrow after every step). The accumulator is fp32 bits in either case.
enum class DotResult : uint8_t { f32, half };

// a0 * b0 + a1 * b1 + c as gfx11 computes it. Operands are bit patterns.
uint32_t dot2_gfx1151(DotType type, uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1, uint32_t c,
                      DotResult result = DotResult::f32);

// sum a[i] * b[i] + c over two or four elements as gfx12 computes it.
uint32_t dot_gfx1201(DotType type, std::span<const uint16_t> a, std::span<const uint16_t> b,
                     uint32_t c, DotResult result = DotResult::f32);

// Exponents of the unit in which both adders work, below that of the largest term: of the sum of a
// product's operand exponents, and of the leading bit of any term.
inline constexpr int kProductGrid = 24, kLeadingGrid = 26;

}  // namespace w4::rdna
