// How each fill makes its numbers: functions of seed and coordinates, for core/fill.cpp alone. What
// they are for is in fill.h, why they are as they are in fill_recipes.cpp.
#pragma once

#include <bit>
#include <cstdint>

#include "core/dtypes.h"
#include "core/gauss.h"

namespace w4::recipes {

// Streams of random bits: one per tensor, and one per structural choice of a recipe. Frozen.
enum Stream : uint32_t {
  kAct = 1,
  kCode = 2,
  kScale = 3,
  kZero = 4,
  kBias = 5,
  kPlace = 6,    // where a sparse activation sits
  kChannel = 7,  // outlier channels of `normal`
  kRow = 8,      // class of an activation or weight row
  kPair = 9,     // pairs of `cancel`
};

// Bijective mixing of 64 bits: two odd multipliers, three xor-shifts. Frozen.
inline uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9FB21C651E98DF25u;
  x ^= x >> 28;
  x *= 0xD6E8FEB86659FD93u;
  return x ^ x >> 32;
}

// counter_bits in two steps: what a row shares, then one mixing for each column.
inline uint64_t counter_row(uint64_t seed, uint32_t tensor, int64_t i) {
  const uint64_t x = mix(seed + uint64_t{tensor} * 0xA24BAED4963EE407u);
  return mix(x ^ static_cast<uint64_t>(i) * 0x8CB92BA72F3D8DD7u);
}
inline uint64_t counter_column(uint64_t row, uint64_t j) {
  return mix(row + j * 0xE7037ED1A0B428DBu);
}

inline int64_t below(uint64_t bits, int64_t n) {
  return static_cast<int64_t>(bits % static_cast<uint64_t>(n));
}

// 2^e as a double, e within the normal range of a double.
inline double power_of_two(int64_t e) {
  return std::bit_cast<double>(static_cast<uint64_t>(e + 1023) << 52);
}

// 1.xxxxxxx times 2^e: 7 random mantissa bits are exact in fp16 and in bf16.
inline double octave(uint64_t bits, int64_t e) {
  return static_cast<double>(128 + (bits & 127)) * power_of_two(e - 7);
}

inline double flat_act(uint64_t bits) { return static_cast<double>(2048 + gauss(bits)) * 0x1p-13; }
// 2^-8 to 2^-6, as scales of flat, with every bit of the dtype's mantissa random: one that passes
// through a narrower type loses some.
inline double uniform_scale(DType act, uint64_t bits) {
  const int64_t places = act == DType::f16 ? 10 : 7;
  const uint64_t mantissa = bits & ((uint64_t{1} << places) - 1);
  const double v = static_cast<double>((uint64_t{1} << places) + mantissa);
  return v * power_of_two(((bits >> 10 & 1) != 0 ? -7 : -8) - places);
}
double normal_act(uint64_t seed, int64_t m, int64_t k);
double integer_act(uint64_t seed, DType act, int64_t m, int64_t k);
double lane_act(uint64_t seed, int64_t m, int64_t k);
double extreme_act(DType act, uint64_t row, uint64_t bits);
uint16_t special_act(uint64_t seed, DType act, int64_t m, int64_t k, int64_t end);
// Whether k is the one place of row m in [0,end).
bool is_chosen(uint64_t seed, int64_t m, int64_t k, int64_t end);

struct Pair {
  int64_t first;
  bool second;  // this k is the second of its pair
};
Pair pair_of(uint64_t seed, int64_t k);

// The mean of two codes: bell-shaped over 0..15.
inline uint8_t normal_code(uint64_t bits) {
  return static_cast<uint8_t>(((bits & 15) + (bits >> 4 & 15) + 1) / 2);
}
uint8_t lane_code(uint64_t seed, int64_t n, int64_t k);
double extreme_scale(DType act, uint64_t row, uint64_t bits);
uint8_t octet_zero(uint64_t seed, int64_t n, int64_t g, int64_t count);
bool is_loud(uint64_t seed, int64_t col);
int64_t column_value(uint64_t seed, int64_t row, int64_t col, int64_t range);
double flat_bias(uint64_t seed, int64_t row, int64_t col);

}  // namespace w4::recipes
