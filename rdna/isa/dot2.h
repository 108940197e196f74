// The arithmetic of a two-element dot product with an fp32 accumulator, one lane at a time: the
// exact form (one rounding) and the adder reported for gfx1151. dot2.cpp holds the vector forms.
#pragma once

#include <cstdint>

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

// Exponent of the unit in which the adder of gfx1151 works, below the largest exponent of the three
// terms. Published example: -1 + 32 + 24 lands two units from 55.
inline constexpr int kGfx1151Grid = 23;

// a0 * b0 + a1 * b1 + c as a chip of gfx1151 is reported to compute it (ROCm/rocm-systems#12056;
// see README.md for what is evidence and what is our reading). Operands are bit patterns.
uint32_t dot2_gfx1151(DotType type, uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1, uint32_t c);

}  // namespace w4::rdna
