// hip/hip_bf16.h for ROCm releases that have none (before 5.7): the types and conversions that
// kernels use, under its names. Found last of all, so that an installed one wins. Arithmetic goes
// through fp32 and is rounded to nearest, ties to even; NaN becomes the quiet NaN 0x7fc0 with the
// sign kept.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#define W4_BF16 static inline __host__ __device__

typedef struct __attribute__((aligned(2))) {
  unsigned short x;
} __hip_bfloat16_raw;

struct __attribute__((aligned(2))) __hip_bfloat16 {
  unsigned short data;

  __hip_bfloat16() = default;
  __host__ __device__ __hip_bfloat16(float v) : data(rounded(v)) {}  // NOLINT: as in HIP
  __host__ __device__ __hip_bfloat16(double v) : data(rounded(static_cast<float>(v))) {}  // NOLINT
  __host__ __device__ __hip_bfloat16(int v) : data(rounded(static_cast<float>(v))) {}     // NOLINT
  __host__ __device__ __hip_bfloat16(__hip_bfloat16_raw r) : data(r.x) {}                 // NOLINT
  __host__ __device__ operator float() const {                                            // NOLINT
    return __builtin_bit_cast(float, static_cast<uint32_t>(data) << 16);
  }
  __host__ __device__ operator __hip_bfloat16_raw() const {  // NOLINT
    return __hip_bfloat16_raw{data};
  }

 private:
  static __host__ __device__ unsigned short rounded(float v) {
    const uint32_t b = __builtin_bit_cast(uint32_t, v);
    if ((b & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>((b >> 16) | 0x40u);
    return static_cast<unsigned short>((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
  }
};

struct __attribute__((aligned(4))) __hip_bfloat162 {
  __hip_bfloat16 x, y;
  __hip_bfloat162() = default;
  __host__ __device__ __hip_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) : x(a), y(b) {}
};

typedef __hip_bfloat16 __nv_bfloat16;
typedef __hip_bfloat162 __nv_bfloat162;

W4_BF16 float __bfloat162float(__hip_bfloat16 a) { return static_cast<float>(a); }
W4_BF16 __hip_bfloat16 __float2bfloat16(float v) { return __hip_bfloat16(v); }
W4_BF16 __hip_bfloat16 __float2bfloat16_rn(float v) { return __hip_bfloat16(v); }
W4_BF16 __hip_bfloat16 __double2bfloat16(double v) { return __hip_bfloat16(v); }
W4_BF16 float2 __bfloat1622float2(__hip_bfloat162 a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}
W4_BF16 __hip_bfloat162 __float22bfloat162_rn(float2 v) {
  return {__hip_bfloat16(v.x), __hip_bfloat16(v.y)};
}
W4_BF16 __hip_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {__hip_bfloat16(a), __hip_bfloat16(b)};
}
W4_BF16 __hip_bfloat162 __float2bfloat162_rn(float v) {
  return {__hip_bfloat16(v), __hip_bfloat16(v)};
}
W4_BF16 __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) { return {a, a}; }
W4_BF16 __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) { return {a, b}; }
W4_BF16 __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
W4_BF16 __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
W4_BF16 __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a) { return {a.x, a.x}; }
W4_BF16 __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a) { return {a.y, a.y}; }
W4_BF16 float __low2float(__hip_bfloat162 a) { return static_cast<float>(a.x); }
W4_BF16 float __high2float(__hip_bfloat162 a) { return static_cast<float>(a.y); }
W4_BF16 unsigned short __bfloat16_as_ushort(__hip_bfloat16 a) { return a.data; }
W4_BF16 short __bfloat16_as_short(__hip_bfloat16 a) { return static_cast<short>(a.data); }
W4_BF16 __hip_bfloat16 __ushort_as_bfloat16(unsigned short b) { return __hip_bfloat16_raw{b}; }
W4_BF16 __hip_bfloat16 __short_as_bfloat16(short b) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(b)};
}

W4_BF16 __hip_bfloat16 __hadd(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) + float(b); }
W4_BF16 __hip_bfloat16 __hsub(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) - float(b); }
W4_BF16 __hip_bfloat16 __hmul(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) * float(b); }
W4_BF16 __hip_bfloat16 __hdiv(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) / float(b); }
W4_BF16 __hip_bfloat16 __hneg(__hip_bfloat16 a) { return -float(a); }
W4_BF16 __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __builtin_fmaf(float(a), float(b), float(c));
}
W4_BF16 __hip_bfloat162 __hadd2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
}
W4_BF16 __hip_bfloat162 __hsub2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hsub(a.x, b.x), __hsub(a.y, b.y)};
}
W4_BF16 __hip_bfloat162 __hmul2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
}
W4_BF16 __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

W4_BF16 __hip_bfloat16 operator+(__hip_bfloat16 a, __hip_bfloat16 b) { return __hadd(a, b); }
W4_BF16 __hip_bfloat16 operator-(__hip_bfloat16 a, __hip_bfloat16 b) { return __hsub(a, b); }
W4_BF16 __hip_bfloat16 operator*(__hip_bfloat16 a, __hip_bfloat16 b) { return __hmul(a, b); }
W4_BF16 __hip_bfloat16 operator/(__hip_bfloat16 a, __hip_bfloat16 b) { return __hdiv(a, b); }
W4_BF16 __hip_bfloat16& operator+=(__hip_bfloat16& a, __hip_bfloat16 b) { return a = a + b; }
W4_BF16 __hip_bfloat16& operator*=(__hip_bfloat16& a, __hip_bfloat16 b) { return a = a * b; }
W4_BF16 __hip_bfloat162 operator+(__hip_bfloat162 a, __hip_bfloat162 b) { return __hadd2(a, b); }
W4_BF16 __hip_bfloat162 operator-(__hip_bfloat162 a, __hip_bfloat162 b) { return __hsub2(a, b); }
W4_BF16 __hip_bfloat162 operator*(__hip_bfloat162 a, __hip_bfloat162 b) { return __hmul2(a, b); }

#undef W4_BF16
