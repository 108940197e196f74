// The number formats of W4A16, exact both ways: conversions are pure bit arithmetic, round to
// nearest even, and keep NaN payload bits where the narrower format has room (quieted).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace w4 {

enum class DType : uint8_t { f16, bf16, f32, f64, i8, u8, i32, u32, i64 };

// Bytes of one element.
int bytes_of(DType t);
std::string_view name_of(DType t);  // "f16"
std::optional<DType> dtype_from(std::string_view name);

// fp16 (IEEE binary16) and bf16 as bit patterns. The narrowing from double rounds ONCE: the twin
// in fp64 must not be rounded through fp32.
float f16_to_f32(uint16_t h);
float bf16_to_f32(uint16_t h);
uint16_t f32_to_f16(float f);
uint16_t f32_to_bf16(float f);
uint16_t f64_to_f16(double d);
uint16_t f64_to_bf16(double d);

inline double to_f64(DType t, uint16_t bits) {
  return t == DType::f16 ? f16_to_f32(bits) : bf16_to_f32(bits);
}
inline uint16_t from_f64(DType t, double d) {
  return t == DType::f16 ? f64_to_f16(d) : f64_to_bf16(d);
}

// Unit roundoff u_T: 2^-11 for fp16, 2^-8 for bf16, 2^-24 for fp32 (oracles.md); 0 for integers.
double unit_roundoff(DType t);

// The n-th representable neighbour in value order; -0 and +0 count as one value, infinities are
// the ends, NaN stays NaN.
uint16_t step_toward(DType t, uint16_t bits, int steps);

// Distance (never negative) in representable values between two finite numbers of format t.
int64_t ulps_between(DType t, uint16_t a, uint16_t b);

bool is_nan(DType t, uint16_t bits);
bool is_inf(DType t, uint16_t bits);

}  // namespace w4
