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

// Recipes. Every value is finite and exact in the act dtype unless said otherwise.
enum class Fill : uint8_t {
  flat,      // act N(1/4, 1/2), codes uniform, scale 2^-8..2^-6, z over 0..15: local faults show
  normal,    // act sigma 2^-6 with outliers to 1000x, scale log-uniform 2^-12..2^2 by group and row
  integer,   // sparse act of +-1, scale 1 or 2, integer bias: |out| <= 2048 (fp16), 256 (bf16), so
             // every sum and every store is exact in any order
  onehot,    // one nonzero act (1, 2 or 4) per row, at a place uniform in [0,K)
  lane,      // every output is a sum of distinct powers of two, each from one lane
  cancel,    // pairs of large act that cancel: large S, small y
  extreme,   // largest and subnormal act, zero and subnormal scales; some fp16 outputs overflow
  special,   // flat, and per row of act one NaN, +Inf or -Inf, or an eighth of -0
  constant,  // the same value everywhere: shows why it is not enough
  uniform,   // flat without structure: zero points independent of each other, scales with every bit
             // of the dtype's mantissa random
};
std::string_view name_of(Fill f);
std::optional<Fill> fill_from(std::string_view name);
std::span<const Fill> all_fills();

// Whether the interval may use the random-error bound (oracles.md 2) and whether a pass of this
// fill promises signal (oracles.md 8).
bool is_random(Fill f);
bool promises_signal(Fill f);

// 64 random bits for a coordinate of a tensor: counter mixing, stable for ever.
uint64_t counter_bits(uint64_t seed, uint32_t tensor, int64_t i, int64_t j);

class Filler {
 public:
  // `k` is needed where a recipe chooses one place in a row (onehot, special), which then stays
  // put for every smaller K above it. No recipe needs `g` so far. `k0`: the column of a checkpoint
  // that meets act's column 0, where codes belong to places of act (lane, cancel).
  Filler(Fill fill, uint64_t seed, DType act, int64_t k, int64_t g, int64_t k0 = 0);
  uint16_t act(int64_t m, int64_t k) const;  // bits in the act dtype
  uint8_t code(int64_t n, int64_t k) const;  // 0..15
  // out[k] = code(n, k), several times faster than one by one.
  void code_row(int64_t n, std::span<uint8_t> out) const;
  uint16_t scale(int64_t n, int64_t g) const;  // bits in the act dtype
  uint8_t zero(int64_t n, int64_t g) const;    // 0..15
  // Different in neighbouring columns. flat, normal, onehot, cancel, special, uniform: 1..2 in
  // size, and 64..512 in one column of each octet; elsewhere within the bound of the recipe.
  uint16_t bias(int64_t row, int64_t col) const;

 private:
  Fill fill_;
  uint64_t seed_;
  DType act_;
  int64_t k_, k0_;
};

}  // namespace w4
