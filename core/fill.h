// Inputs as pure functions of (fill, seed, tensor, logical coordinates): counter-based generator of
// our own, integer arithmetic and table look-up only, so that a case line means the same data on
// every machine and in ten years, and a smaller M, N or K keeps the surviving elements
// (oracles.md 10).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/dtypes.h"

namespace w4 {

enum class Fill : uint8_t { flat, normal, integer, onehot, lane, cancel, extreme, special, constant };
std::string_view name_of(Fill f);
std::optional<Fill> fill_from(std::string_view name);
std::span<const Fill> all_fills();

// Whether the interval may use the random-error bound (oracles.md 2) and whether a pass of this
// fill promises signal (oracles.md 8).
bool is_random(Fill f);
bool promises_signal(Fill f);

// 64 random bits for a coordinate of a tensor (Philox-like counter mixing; stable for ever).
uint64_t counter_bits(uint64_t seed, uint32_t tensor, int64_t i, int64_t j);

class Filler {
 public:
  // `k` and `g` only where the recipe needs a magnitude (integer: exact sums; bias scale).
  Filler(Fill fill, uint64_t seed, DType act, int64_t k, int64_t g);
  uint16_t act(int64_t m, int64_t k) const;     // bits in the act dtype
  uint8_t code(int64_t n, int64_t k) const;     // 0..15
  uint16_t scale(int64_t n, int64_t g) const;   // bits in the act dtype
  uint8_t zero(int64_t n, int64_t g) const;     // 0..15
  uint16_t bias(int64_t row, int64_t col) const;

 private:
  Fill fill_;
  uint64_t seed_;
  DType act_;
  int64_t k_, g_;
};

}  // namespace w4
