// c10::Half, c10::BFloat16 and the 8-bit floats: storage with the conversions that kernels use. On
// input a float, on output the nearest number of the type, ties to even; NaN stays NaN.
#pragma once

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cstdint>
#include <limits>

namespace c10 {

struct alignas(2) Half {
  uint16_t x;
  struct from_bits_t {};
  static constexpr __host__ __device__ from_bits_t from_bits() { return {}; }

  Half() = default;
  constexpr __host__ __device__ Half(uint16_t bits, from_bits_t) : x(bits) {}
  __host__ __device__ Half(float v) : x(__builtin_bit_cast(uint16_t, static_cast<_Float16>(v))) {}
  __host__ __device__ Half(const __half& v) : x(__builtin_bit_cast(uint16_t, v)) {}
  __host__ __device__ operator float() const {
    return static_cast<float>(__builtin_bit_cast(_Float16, x));
  }
  __host__ __device__ operator __half() const { return __builtin_bit_cast(__half, x); }
};

struct alignas(2) BFloat16 {
  uint16_t x;
  struct from_bits_t {};
  static constexpr __host__ __device__ from_bits_t from_bits() { return {}; }

  BFloat16() = default;
  constexpr __host__ __device__ BFloat16(uint16_t bits, from_bits_t) : x(bits) {}
  __host__ __device__ BFloat16(float v) : x(rounded(v)) {}
  __host__ __device__ BFloat16(const __hip_bfloat16& v) : x(__builtin_bit_cast(uint16_t, v)) {}
  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, static_cast<uint32_t>(x) << 16);
  }
  __host__ __device__ operator __hip_bfloat16() const {
    return __builtin_bit_cast(__hip_bfloat16, x);
  }

 private:
  static __host__ __device__ uint16_t rounded(float v) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, v);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;
    return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
};

// Arithmetic as torch has it: in fp32, rounded to the type.
#define W4_TORCH_ARITHMETIC(T)                                                      \
  inline __host__ __device__ T operator+(T a, T b) { return float(a) + float(b); }  \
  inline __host__ __device__ T operator-(T a, T b) { return float(a) - float(b); }  \
  inline __host__ __device__ T operator*(T a, T b) { return float(a) * float(b); }  \
  inline __host__ __device__ T operator/(T a, T b) { return float(a) / float(b); }  \
  inline __host__ __device__ T operator-(T a) { return -float(a); }                 \
  inline __host__ __device__ T& operator+=(T& a, T b) { return a = a + b; }         \
  inline __host__ __device__ T& operator-=(T& a, T b) { return a = a - b; }         \
  inline __host__ __device__ T& operator*=(T& a, T b) { return a = a * b; }         \
  inline __host__ __device__ T& operator/=(T& a, T b) { return a = a / b; }         \
  inline __host__ __device__ float operator+(T a, float b) { return float(a) + b; } \
  inline __host__ __device__ float operator-(T a, float b) { return float(a) - b; } \
  inline __host__ __device__ float operator*(T a, float b) { return float(a) * b; } \
  inline __host__ __device__ float operator/(T a, float b) { return float(a) / b; } \
  inline __host__ __device__ float operator+(float a, T b) { return a + float(b); } \
  inline __host__ __device__ float operator-(float a, T b) { return a - float(b); } \
  inline __host__ __device__ float operator*(float a, T b) { return a * float(b); } \
  inline __host__ __device__ float operator/(float a, T b) { return a / float(b); }
W4_TORCH_ARITHMETIC(Half)
W4_TORCH_ARITHMETIC(BFloat16)
#undef W4_TORCH_ARITHMETIC

// Bits only: what converts them in kernels is the kernels' own.
struct alignas(1) Float8_e4m3fn {
  uint8_t x;
};
struct alignas(1) Float8_e4m3fnuz {
  uint8_t x;
};
struct alignas(1) Float8_e5m2 {
  uint8_t x;
};

}  // namespace c10

namespace at {
using c10::BFloat16;
using c10::Half;
}  // namespace at

namespace std {
template <>
class numeric_limits<c10::Half> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr __host__ __device__ c10::Half lowest() {
    return {0xfbff, c10::Half::from_bits()};
  }
  static constexpr __host__ __device__ c10::Half max() { return {0x7bff, c10::Half::from_bits()}; }
  static constexpr __host__ __device__ c10::Half infinity() {
    return {0x7c00, c10::Half::from_bits()};
  }
};
template <>
class numeric_limits<c10::BFloat16> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr __host__ __device__ c10::BFloat16 lowest() {
    return {0xff7f, c10::BFloat16::from_bits()};
  }
  static constexpr __host__ __device__ c10::BFloat16 max() {
    return {0x7f7f, c10::BFloat16::from_bits()};
  }
  static constexpr __host__ __device__ c10::BFloat16 infinity() {
    return {0x7f80, c10::BFloat16::from_bits()};
  }
};
}  // namespace std
