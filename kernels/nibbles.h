// Orders of eight codes in a 32-bit word, converted a word at a time: preparation handles tens of
// millions of codes per layer. The maps they must equal are in core/layout.h.
#pragma once

#include <array>
#include <cstdint>

namespace w4 {

// Sequential (code i at bits 4i) to shuffled (0 2 4 6 1 3 5 7): even codes to the low half.
constexpr uint32_t shuffle_nibbles(uint32_t w) {
  const auto gather = [](uint32_t x) {  // nibbles 0 2 4 6 to bits 0..15
    x &= 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    return (x | x >> 8) & 0xffffu;
  };
  return gather(w) | gather(w >> 4) << 16;
}

// The inverse. AWQ's order along N is the shuffled one, so this also reads AWQ words.
constexpr uint32_t unshuffle_nibbles(uint32_t w) {
  const auto spread = [](uint32_t x) {  // bits 0..15 to nibbles 0 2 4 6
    x = (x | x << 8) & 0x00ff00ffu;
    return (x | x << 4) & 0x0f0f0f0fu;
  };
  return spread(w & 0xffffu) | spread(w >> 16) << 4;
}

// Eight words of eight codes, transposed: code j of result i is code i of word j.
constexpr std::array<uint32_t, 8> transpose_nibbles(std::array<uint32_t, 8> w) {
  // Swaps blocks of 4, 2 and 1 codes between words that far apart.
  const auto swap = [&w](size_t distance, uint32_t low) {
    const auto shift = static_cast<uint32_t>(4 * distance);
    for (size_t i = 0; i < 8; i++) {
      if ((i & distance) != 0) continue;
      uint32_t& a = w[i];
      uint32_t& b = w[i + distance];
      const uint32_t t = ((a >> shift) ^ b) & low;
      b ^= t;
      a ^= t << shift;
    }
  };
  swap(4, 0x0000ffffu);
  swap(2, 0x00ff00ffu);
  swap(1, 0x0f0f0f0fu);
  return w;
}

}  // namespace w4
