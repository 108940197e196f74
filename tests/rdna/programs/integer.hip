// Integer arithmetic of every width. The host's answers: integer.cpp.
#include "tests/rdna/programs/elementwise.h"

// Vectors of one element: scalars of 8 and 16 bits would be promoted to int before they saturate.
using i16x1 = i16 __attribute__((ext_vector_type(1)));
using u16x1 = u16 __attribute__((ext_vector_type(1)));
using u8x1 = u8 __attribute__((ext_vector_type(1)));

MAP2(divide_u32, u32, u32, u32, a / b * 3 + a % b)
MAP2(divide_i32, i32, i32, i32, b == -1 ? ~a : a / b * 5 ^ a % b)
MAP2(divide_u64, u64, u64, u64, (a / b) ^ (a % b) << 1)
MAP2(divide_i64, i64, i64, i64, b == -1 ? ~a : (a / b) ^ (a % b))
MAP2(divide_u64_u32, u64, u64, u32, a / b + a % b)
MAP2(divide_u16, u16, u16, u16, a / b + (a % b) * 7)
MAP2(divide_i16, i16, i16, i16, a / b - a % b)
MAP2(divide_u8, u8, u8, u8, a / b ^ a % b)
MAP2(divide_i8, i8, i8, i8, a / b + a % b)
MAP1(divide_by_constants, u32, u32, a / 7 + a % 10 + a / 641 - a % 1000003 + static_cast<u32>(static_cast<i32>(a) / 13) + static_cast<u32>(static_cast<i32>(a) % 17))
MAP1(divide_by_constants64, u64, u64, a / 7 + a % 1000000007 + static_cast<u64>(static_cast<i64>(a) / 100))
MAP2(multiply_u64, u64, u64, u64, a * b + (a >> 32) * (b & 0xffffffff))
MAP2(multiply_high_u32, u32, u32, u32, static_cast<u64>(a) * b >> 32)
MAP2(multiply_high_i32, i32, i32, i32, static_cast<i64>(a) * b >> 32)
MAP2(multiply_high_u64, u64, u64, u64, static_cast<unsigned __int128>(a) * b >> 64)
MAP2(multiply_high_i64, i64, i64, i64, static_cast<__int128>(a) * b >> 64)
MAP3(multiply_add_wide, u64, u32, u32, u64, static_cast<u64>(a) * b + c)
MAP3(multiply_add_wide_signed, i64, i32, i32, u64, static_cast<u64>(static_cast<i64>(a) * b) + c)
MAP2(multiply_24, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff) + static_cast<u32>((static_cast<i32>(a << 8) >> 8) * static_cast<i64>(static_cast<i32>(b << 8) >> 8)))
MAP3(sixteen_bits, i16, i16, i16, i16, (a + b) * c - (a >> 3) + (b << 2))
MAP2(sixteen_bits_min_max, u16, u16, u16, (a < b ? a : b) + (static_cast<i16>(a) > static_cast<i16>(b) ? a : b) * 3)
MAP2(eight_bits, i8, i8, i8, a * b + (a >> 1) - (b << 3))
MAP2(compare_64, u32, i64, i64,
     (a < b ? 1u : 0) | (a <= b ? 2u : 0) | (a == b ? 4u : 0) | (a != b ? 8u : 0) |
     (static_cast<u64>(a) < static_cast<u64>(b) ? 16u : 0) | (static_cast<u64>(a) >= static_cast<u64>(b) ? 32u : 0))
MAP2(shifts_64, u64, u64, u64, (a << (b & 63)) ^ (a >> (b & 31)) ^ static_cast<u64>(static_cast<i64>(a) >> (b >> 3 & 63)))
MAP2(min_max_i32, i32, i32, i32, (a < b ? a : b) ^ (a > b ? a : b) << 1 ^ (static_cast<u32>(a) < static_cast<u32>(b) ? a : b) << 2)
MAP3(median, i32, i32, i32, i32,
     __builtin_elementwise_max(__builtin_elementwise_min(a, b), __builtin_elementwise_min(__builtin_elementwise_max(a, b), c)))
MAP2(min_max_i64, i64, i64, i64, __builtin_elementwise_min(a, b) ^ __builtin_elementwise_max(a, b) << 1)
MAP2(saturating_i32, i32, i32, i32, __builtin_elementwise_add_sat(a, b) ^ __builtin_elementwise_sub_sat(a, b))
MAP2(saturating_u32, u32, u32, u32, __builtin_elementwise_add_sat(a, b) ^ __builtin_elementwise_sub_sat(a, b))
MAP2(saturating_i16, i16, i16x1, i16x1, __builtin_elementwise_add_sat(a, b).x ^ __builtin_elementwise_sub_sat(a, b).x)
MAP2(saturating_u16, u16, u16x1, u16x1, __builtin_elementwise_add_sat(a, b).x ^ __builtin_elementwise_sub_sat(a, b).x)
MAP2(saturating_u8, u8, u8x1, u8x1, __builtin_elementwise_add_sat(a, b).x ^ __builtin_elementwise_sub_sat(a, b).x)
MAP2(saturating_i64, i64, i64, i64, __builtin_elementwise_add_sat(a, b) ^ __builtin_elementwise_sub_sat(a, b))
MAP1(absolute, u64, i64, static_cast<u64>(__builtin_elementwise_abs(a)) + static_cast<u64>(__builtin_elementwise_abs(static_cast<i32>(a))))

extern "C" {

__global__ void overflow_flags(const i32* a, const i32* b, const i64* c, u32* out) {
  const u32 i = global_id();
  i32 x;
  u32 y;
  i64 z;
  u32 flags = __builtin_add_overflow(a[i], b[i], &x) ? 1 : 0;
  flags |= __builtin_sub_overflow(a[i], b[i], &x) ? 2 : 0;
  flags |= __builtin_mul_overflow(a[i], b[i], &x) ? 4 : 0;
  flags |= __builtin_add_overflow(static_cast<u32>(a[i]), static_cast<u32>(b[i]), &y) ? 8 : 0;
  flags |= __builtin_mul_overflow(static_cast<u32>(a[i]), static_cast<u32>(b[i]), &y) ? 16 : 0;
  flags |= __builtin_add_overflow(c[i], static_cast<i64>(a[i]), &z) ? 32 : 0;
  out[i] = flags ^ static_cast<u32>(x) << 8;
}

// A sum of 128 bits, carried by hand through four words.
__global__ void carry_chain(const u64* a, const u64* b, u64* out) {
  const u32 i = global_id();
  unsigned __int128 s = static_cast<unsigned __int128>(a[i]) << 64 | b[i];
  const unsigned __int128 t = static_cast<unsigned __int128>(b[i]) << 61 | a[i] >> 3;
  s = s + t - (t << 5);
  out[i] = static_cast<u64>(s >> 64) ^ static_cast<u64>(s) * 3;
}

__global__ void greatest_divisor(const u32* a, const u32* b, u32* out) {
  u32 x = a[global_id()], y = b[global_id()];
  while (y) {
    const u32 t = x % y;
    x = y;
    y = t;
  }
  out[global_id()] = x;
}

__global__ void modular_power(const u32* a, const u32* b, u32* out) {
  const u32 m = 1000000007;
  u64 r = 1, x = a[global_id()] % m;
  for (u32 e = b[global_id()]; e; e >>= 1) {
    if (e & 1) r = r * x % m;
    x = x * x % m;
  }
  out[global_id()] = static_cast<u32>(r);
}

// 20 digits of a 64-bit number, most significant first, summed by place.
__global__ void decimal_digits(const u64* a, u32* out) {
  u64 x = a[global_id()];
  char digits[20];
  for (int k = 19; k >= 0; --k, x /= 10) digits[k] = static_cast<char>(x % 10);
  u32 h = 0;
  for (int k = 0; k < 20; ++k) h = h * 11 + static_cast<u32>(digits[k]);
  out[global_id()] = h;
}

__global__ void root_by_bits(const u64* a, u32* out) {
  const u64 x = a[global_id()];
  u64 r = 0;
  for (u64 bit = u64{1} << 31; bit; bit >>= 1) {
    if ((r + bit) * (r + bit) <= x) r += bit;
  }
  out[global_id()] = static_cast<u32>(r);
}
}
