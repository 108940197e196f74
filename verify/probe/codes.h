// Which element of a tensor each product takes, from outputs alone. The number of every element is
// written into the tensor bit by bit, one launch a bit, as a 0 or a 1 that an output shows; rows of
// act are 1 2 4 … 128 at eight neighbouring k and 0 elsewhere, so that an output holds the bits of
// eight products, exact in every 16-bit type.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/result.h"
#include "verify/probe/rig.h"

namespace w4::probe {

inline constexpr int64_t kNothing = -1;

// Element that the product of (n,k), or the output (m,n), takes; kNothing: none that was numbered.
struct Map {
  int64_t rows = 0, cols = 0;  // [N,K], or [M,N] of a bias
  std::vector<int64_t> of;
  int64_t at(int64_t row, int64_t col) const { return of[static_cast<size_t>(row * cols + col)]; }
};

using Write = std::function<void(size_t element, bool one)>;

// On input: with every element 0 all products are 0, with every element 1 they are `unit` = 1 or
// -1. Errors: they are not; the kernel fails.
Result<Map> products(Rig& rig, size_t elements, const Write& write, int unit);
// The same of what is added to out[m,n] whatever act is: act is zeros.
Result<Map> additions(Rig& rig, size_t elements, const Write& write);

// Row m of act is 1 at k = m * (K div M) and 0 elsewhere.
void one_hot_rows(Rig& rig);

void set_nibble(std::span<std::byte> bytes, size_t nibble, unsigned code);
void set_half(std::span<std::byte> bytes, size_t element, uint16_t bits);
void fill_nibbles(std::span<std::byte> bytes, unsigned code);
void fill_halves(std::span<std::byte> bytes, uint16_t bits);

}  // namespace w4::probe
