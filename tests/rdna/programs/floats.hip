// fp32: arithmetic, rounding, conversions at the edges, compares, classes. Answers: floats.cpp.
#include "tests/rdna/programs/elementwise.h"

MAP2(divide_f32, float, float, float, a / b)
MAP1(root_f32, float, float, __builtin_sqrtf(a))
MAP3(fused_f32, float, float, float, float, __builtin_fmaf(a, b, c))
MAP3(arithmetic_f32, float, float, float, float, (a + b) * c - a * -b)
MAP3(negated_f32, float, float, float, float, __builtin_fmaf(-a, b, -c) + __builtin_fabsf(b) * -__builtin_fabsf(c))
MAP1(round_down, float, float, __builtin_floorf(a))
MAP1(round_up, float, float, __builtin_ceilf(a))
MAP1(round_to_zero, float, float, __builtin_truncf(a))
MAP1(round_to_even, float, float, __builtin_rintf(a))
MAP1(round_half_away, float, float, __builtin_roundf(a))
MAP2(min_with_nan, float, float, float, __builtin_fminf(a, b))
MAP2(max_with_nan, float, float, float, __builtin_fmaxf(a, b))
MAP3(clamp_f32, float, float, float, float, __builtin_fminf(__builtin_fmaxf(a, b), c))
MAP2(compare_f32, u32, float, float,
     (a < b ? 1u : 0) | (a <= b ? 2u : 0) | (a > b ? 4u : 0) | (a >= b ? 8u : 0) | (a == b ? 16u : 0) | (a != b ? 32u : 0) |
         (!(a < b) ? 64u : 0) | (!(a >= b) ? 128u : 0) | (__builtin_isunordered(a, b) ? 256u : 0) |
         (__builtin_islessgreater(a, b) ? 512u : 0))
MAP1(classify_f32, u32, float,
     (__builtin_isnan(a) ? 1u : 0) | (__builtin_isinf(a) ? 2u : 0) | (__builtin_isfinite(a) ? 4u : 0) | (__builtin_isnormal(a) ? 8u : 0) |
         (__builtin_signbit(a) ? 16u : 0) | (__builtin_isfpclass(a, 0x90) ? 32u : 0))
MAP2(copy_sign, float, float, float, __builtin_copysignf(a, b))
MAP2(scale_by_power, float, float, i32, __builtin_ldexpf(a, b))
MAP1(split_exponent, float, float, [](float x) {
  int e = 0;
  const float m = __builtin_frexpf(x, &e);
  return m + static_cast<float>(e) * 4.0f;
}(a))
MAP1(to_i32, i32, float, a)
MAP1(to_u32, u32, float, a)
MAP1(to_i64, i64, float, a)
MAP1(to_u64, u64, float, a)
MAP1(to_narrow, i32, float, static_cast<i32>(static_cast<i16>(a)) * 65536 + static_cast<i8>(a / 256.0f) * 256 + static_cast<u8>(__builtin_fabsf(a) / 129.0f))
MAP1(from_i32, float, i32, static_cast<float>(a) + static_cast<float>(static_cast<u32>(a)) * 0.5f)
MAP1(from_i64, float, i64, a)
MAP1(from_u64, float, u64, a)
MAP1(from_bytes, float, u32,
     static_cast<float>(a & 0xff) + static_cast<float>(a >> 8 & 0xff) * 2.0f + static_cast<float>(a >> 16 & 0xff) * 4.0f +
         static_cast<float>(a >> 24) * 8.0f)
MAP1(reciprocal_f32, float, float, 1.0f / a)
MAP1(exponential, float, float, __builtin_exp2f(a))
MAP1(logarithm, float, float, __builtin_log2f(a))
MAP1(bits_of_f32, u32, float, __builtin_bit_cast(u32, a) ^ __builtin_bit_cast(u32, -a) >> 1)
// Saturation and NaN are the instruction's own: C++ has no defined answer out of range.
MAP1(convert_saturating, i64, float, [](float x) {
  i32 i;
  u32 u;
  asm("v_cvt_i32_f32 %0, %1" : "=v"(i) : "v"(x));
  asm("v_cvt_u32_f32 %0, %1" : "=v"(u) : "v"(x));
  return static_cast<i64>(i) << 32 ^ u;
}(a))

extern "C" {

__global__ void polynomial(const float* a, float* out) {
  const float c[8] = {1.5f, -0.25f, 3.0f, 0.125f, -7.0f, 0.0625f, 2.0f, -1.0f};
  const float x = a[global_id()];
  float y = c[0];
#pragma unroll 1
  for (int i = 1; i < 8; ++i) y = __builtin_fmaf(y, x, c[i]);
  out[global_id()] = y;
}

// A sum whose lost low parts are carried along.
__global__ void compensated_sum(const float* a, float* out) {
  float s = 0, lost = 0;
  for (u32 i = 0; i < 40; ++i) {
    const float y = a[(global_id() + i * 7) % 512] - lost;
    const float t = s + y;
    lost = (t - s) - y;
    s = t;
  }
  out[global_id()] = s + lost * 0.5f;
}

__global__ void newton_root(const float* a, float* out) {
  const float x = a[global_id()];
  float y = x > 1 ? x : 1.0f;
  for (int i = 0; i < 60; ++i) {
    const float z = (y + x / y) * 0.5f;
    if (z >= y) break;
    y = z;
  }
  out[global_id()] = y;
}

__global__ void escape_time(const float* a, const float* b, u32* out) {
  const float cx = a[global_id()], cy = b[global_id()];
  float x = 0, y = 0;
  u32 n = 0;
  while (n < 100 && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[global_id()] = n;
}

// Uniform values: scalar floating point where the arch has it.
__global__ void uniform_f32(const float* a, u32* out) {
  float s = a[block()], t = a[block() + 64];
  u32 flags = 0;
  for (int i = 0; i < 20; ++i) {
    s = s * t + 0.37f;
    t = __builtin_floorf(t * 8.0f) * 0.123f - s * 0.01f;
    if (s > t) flags = flags * 3 + static_cast<u32>(i);
    if (s > 1e3f) s = __builtin_truncf(s * 0.01f);
    flags ^= static_cast<u32>(static_cast<i32>(__builtin_fminf(s, t)));
  }
  out[global_id()] = flags ^ __builtin_bit_cast(u32, s) ^ __builtin_bit_cast(u32, t);
}
}
