// fp16 scalar and packed, bf16 conversions, packed 16-bit integers. Answers: halves.cpp.
#include "tests/rdna/programs/elementwise.h"

using f16x2 = f16 __attribute__((ext_vector_type(2)));
using u16x2 = u16 __attribute__((ext_vector_type(2)));
// The builtins of fp16 return a type that computes in fp32: their results are cast back.
using i16x2 = i16 __attribute__((ext_vector_type(2)));

MAP2(arithmetic_f16, f16, f16, f16, (a + b) * a - b * b)
MAP2(divide_f16, f16, f16, f16, a / b)
MAP1(root_f16, f16, f16, __builtin_sqrtf16(a))
MAP3(fused_f16, f16, f16, f16, f16, __builtin_fmaf16(a, b, -c))
MAP2(min_max_f16, f16, f16, f16, static_cast<f16>(__builtin_fminf16(a, b)) + static_cast<f16>(__builtin_fmaxf16(a, b)) * static_cast<f16>(0.5f))
MAP2(compare_f16, u32, f16, f16,
     (a < b ? 1u : 0) | (a <= b ? 2u : 0) | (a == b ? 4u : 0) | (a != b ? 8u : 0) | (!(a > b) ? 16u : 0) | (__builtin_isunordered(a, b) ? 32u : 0))
MAP1(roundings_f16, f16, f16,
     static_cast<f16>(__builtin_floorf16(a)) + static_cast<f16>(__builtin_ceilf16(a)) * static_cast<f16>(2) +
         static_cast<f16>(__builtin_truncf16(a)) * static_cast<f16>(4) + static_cast<f16>(__builtin_rintf16(a)) * static_cast<f16>(8))
MAP1(widen_f16, float, f16, a)
MAP1(narrow_to_f16, f16, float, a)
MAP1(narrow_f64_to_f16, f16, double, a)
MAP1(f16_to_integers, i32, f16, static_cast<i32>(a) * 65536 + static_cast<i16>(a) + static_cast<u16>(a * a))
MAP1(f16_from_integers, f16, i32, static_cast<f16>(a) + static_cast<f16>(static_cast<i16>(a)) + static_cast<f16>(static_cast<u16>(a)))
MAP1(f16_to_i64, i64, f16, a)
MAP3(mixed_fused, float, f16, f16, float, __builtin_fmaf(static_cast<float>(a), static_cast<float>(b), c))
MAP3(mixed_fused_to_f16, f16, f16, f16, float, __builtin_fmaf(static_cast<float>(a), -static_cast<float>(b), c))
MAP2(packed_arithmetic, f16x2, f16x2, f16x2, (a + b) * a - b.yx)
MAP3(packed_fused, f16x2, f16x2, f16x2, f16x2, __builtin_elementwise_fma(a, b.yx, -c))
MAP2(packed_min_max, f16x2, f16x2, f16x2, __builtin_elementwise_min(a, b) + __builtin_elementwise_max(a, b.yx))
MAP2(packed_choose, f16x2, f16x2, f16x2, f16x2{a.x > b.y ? a.y : b.x, a.y <= b.x ? a.x : b.y})
MAP2(packed_round_to_zero, u32, float, float, __builtin_bit_cast(u32, __builtin_amdgcn_cvt_pkrtz(a, b)))
MAP3(packed_u16, u16x2, u16x2, u16x2, u16x2, a * b + c - (a << (b & 15)) + (c >> (a & 15)))
MAP3(packed_i16, i16x2, i16x2, i16x2, i16x2, (a >> (b & 15)) + __builtin_elementwise_max(a, c) - __builtin_elementwise_min(b, c.yx))
MAP2(packed_saturating, i16x2, i16x2, i16x2, __builtin_elementwise_add_sat(a, b.yx) ^ __builtin_elementwise_sub_sat(a, b))
MAP2(packed_saturating_u16, u16x2, u16x2, u16x2, __builtin_elementwise_add_sat(a, b.yx) ^ __builtin_elementwise_sub_sat(a, b))
MAP1(widen_bf16, float, u16, static_cast<float>(__builtin_bit_cast(__bf16, a)))
MAP1(narrow_to_bf16, u16, float, __builtin_bit_cast(u16, static_cast<__bf16>(a)))
MAP2(arithmetic_bf16, u16, u16, u16,
     __builtin_bit_cast(u16, static_cast<__bf16>(__builtin_bit_cast(__bf16, a) * __builtin_bit_cast(__bf16, b) + __builtin_bit_cast(__bf16, a))))

extern "C" {

// Every fp16 value to fp32, scaled, and back: 65536 of them over the launch. Not -0: at -O0 clang 19
// multiplies by v_fma_mixlo_f16 with an addend of +0, which loses the sign.
__global__ void all_halves(u16* out) {
  for (u32 i = global_id(); i < 65536; i += 512) {
    const float x = static_cast<float>(__builtin_bit_cast(f16, static_cast<u16>(i == 0x8000 ? 1 : i)));
    out[i] = __builtin_bit_cast(u16, static_cast<f16>(x * 1.25f));
  }
}

// The dot product of two rows of eight, fp16 products summed in fp32.
__global__ __launch_bounds__(128) void rows_of_eight(const f16* a, const f16* b, float* out) {
  using f16x8 = f16 __attribute__((ext_vector_type(8)));
  const f16x8 x = *reinterpret_cast<const f16x8*>(a + global_id() * 8);
  const f16x8 y = *reinterpret_cast<const f16x8*>(b + global_id() * 8);
  float s = 0;
  for (int i = 0; i < 8; ++i) s = __builtin_fmaf(static_cast<float>(x[i]), static_cast<float>(y[i]), s);
  out[global_id()] = s;
}

// Nibbles to fp16 by the 1024 trick: 0x6400 | n is 1024 + n.
__global__ void nibbles_to_f16(const u32* q, f16x2* out) {
  const u32 w = q[global_id()];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const u32 pair = (w >> (4 * i) & 0x000f000fu) | 0x64006400u;
    const f16x2 h = __builtin_bit_cast(f16x2, pair) - f16x2{static_cast<f16>(1024 + 8), static_cast<f16>(1024 + 8)};
    out[global_id() * 4 + static_cast<u32>(i)] = h * f16x2{static_cast<f16>(0.125f), static_cast<f16>(3)};
  }
}
}
