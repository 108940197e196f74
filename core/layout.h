// Layouts as functions with inverses: (n,k) or (n,g) to (row, word, nibble) and back. Packing and
// unpacking anywhere in the project goes through these; the kernels have their own, which the
// tests compare with them. Source of the facts: contract.md sections 2, 3 and 5.
#pragma once

#include <array>
#include <cstdint>

namespace w4 {

// A 4-bit code inside a matrix of 32-bit words: word (row, col), bits [4*nibble, 4*nibble+3].
struct Nibble {
  int64_t row = 0, col = 0;
  int nibble = 0;
  bool operator==(const Nibble&) const = default;
};

// kShuffledOrder[nibble] = logical k - k0: {0,2,4,6,1,3,5,7}; kShuffledSlot is its inverse.
inline constexpr std::array<int, 8> kShuffledOrder{0, 2, 4, 6, 1, 3, 5, 7};
inline constexpr std::array<int, 8> kShuffledSlot{0, 4, 1, 5, 2, 6, 3, 7};

struct LogicalNK {
  int64_t n = 0, k = 0;
  bool operator==(const LogicalNK&) const = default;
};
struct LogicalNG {
  int64_t n = 0, g = 0;
  bool operator==(const LogicalNG&) const = default;
};

// Weights.
Nibble wei_shuffled(LogicalNK l);  // [N,K/8], shuffled along K
LogicalNK wei_shuffled_inverse(Nibble p);
Nibble wei_sequential(LogicalNK l);  // compressed-tensors: [N,K/8], bits 4i = k0+i
LogicalNK wei_sequential_inverse(Nibble p);
Nibble wei_awq(LogicalNK l);  // AWQ: [K,N/8], slot j holds n0 + {0,2,4,6,1,3,5,7}[j]
LogicalNK wei_awq_inverse(Nibble p);
Nibble wei_gptq(LogicalNK l);  // GPTQ: [K/8,N], bits 4i = k0+i
LogicalNK wei_gptq_inverse(Nibble p);

// Zero points.
Nibble zp_packed(LogicalNG l);  // kernel and compressed-tensors: [N/8,K/G], bits 4*(n mod 8)
LogicalNG zp_packed_inverse(Nibble p);
Nibble zp_awq(LogicalNG l);  // AWQ: [K/G,N/8], AWQ order along N
LogicalNG zp_awq_inverse(Nibble p);
Nibble zp_gptq(LogicalNG l);  // GPTQ: [K/G,N/8], sequential along N
LogicalNG zp_gptq_inverse(Nibble p);

// Reads and writes one nibble of a word matrix with `stride` words per row.
uint32_t get_nibble(const uint32_t* words, int64_t stride, Nibble at);
void set_nibble(uint32_t* words, int64_t stride, Nibble at, uint32_t code);

}  // namespace w4
