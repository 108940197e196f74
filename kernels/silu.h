// silu(x) = x / (1 + exp(-x)) in fp32, the same bits on every target: additions, multiplications,
// fma and one IEEE division, nothing that an instruction approximates. With t = exp(-|x|):
//   silu(x) = x / (1 + t) for x >= 0, x t / (1 + t) below
// exp: |x| = n ln 2 - r, |r| <= ln(2)/2 (up to the rounding of n), a Taylor polynomial of degree 7
// (0.35^8/8! < 2^-27), and 2^n in two factors, so that a subnormal result is rounded once.
// silu(+Inf) = +Inf; silu(-Inf) and silu(NaN) are NaN, as the formula gives them.
//
// For device code after kernels/device.h, and for host code, whose references call it.
#pragma once

#include <stdint.h>

#ifdef W4_DEVICE
#define W4_SILU W4_DEVICE
#else
#define W4_SILU inline
#endif

namespace w4 {

// 2^n. On input: -126 <= n <= 0.
W4_SILU float two_to(int32_t n) {
  return __builtin_bit_cast(float, static_cast<uint32_t>(127 + n) << 23);
}

// exp(-y). On input: 0 <= y <= 150, where it is 0.
W4_SILU float exp_minus(float y) {
#pragma clang fp contract(off)
  constexpr float kLog2e = 0x1.715476p+0f;
  constexpr float kLn2High = 0x1.62ep-1f;  // few bits: n times it is exact
  constexpr float kLn2Low = 0x1.0bfbe8p-15f;
  constexpr float kRound = 0x1.8p23f;  // adding it leaves no bits below 1
  const float n = __builtin_fmaf(-y, kLog2e, kRound) - kRound;
  const float r = __builtin_fmaf(n, -kLn2Low, __builtin_fmaf(n, -kLn2High, -y));
  float p = 1.0f / 5040;
  p = __builtin_fmaf(p, r, 1.0f / 720);
  p = __builtin_fmaf(p, r, 1.0f / 120);
  p = __builtin_fmaf(p, r, 1.0f / 24);
  p = __builtin_fmaf(p, r, 1.0f / 6);
  p = __builtin_fmaf(p, r, 0.5f);
  p = __builtin_fmaf(p, r, 1.0f);
  p = __builtin_fmaf(p, r, 1.0f);
  const int32_t whole = static_cast<int32_t>(n);
  const int32_t half = whole / 2;
  return p * two_to(half) * two_to(whole - half);
}

W4_SILU float silu(float x) {
#pragma clang fp contract(off)
  const float size = __builtin_fabsf(x);
  const float t = exp_minus(size < 150.0f ? size : 150.0f);
  return (x < 0.0f ? x * t : x) / (1.0f + t);
}

}  // namespace w4

#undef W4_SILU
