#include "core/layout.h"

#include <cstddef>

namespace w4 {
namespace {

// A permutation of eight nibbles: slot of logical position, and back.
struct Order {
  std::array<int, 8> slot;
  std::array<int, 8> logical;
};
constexpr Order kShuffled{kShuffledSlot, kShuffledOrder};
constexpr Order kSequential{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}};

constexpr bool inverse(const Order& o) {
  for (std::size_t i = 0; i < 8; ++i) {
    if (o.logical[static_cast<std::size_t>(o.slot[i])] != static_cast<int>(i)) return false;
  }
  return true;
}
static_assert(inverse(kShuffled) && inverse(kSequential));

// [rows, packed/8]: the packed coordinate runs along a row of words.
Nibble along_row(int64_t row, int64_t packed, const Order& o) {
  return {row, packed / 8, o.slot[static_cast<std::size_t>(packed % 8)]};
}
// [packed/8, cols]: eight rows share a word.
Nibble along_column(int64_t packed, int64_t col) {
  return {packed / 8, col, static_cast<int>(packed % 8)};
}
int64_t packed_in_row(Nibble p, const Order& o) {
  return p.col * 8 + o.logical[static_cast<std::size_t>(p.nibble)];
}

uint32_t shift_of(Nibble at) { return static_cast<uint32_t>(at.nibble) * 4; }

}  // namespace

Nibble wei_shuffled(LogicalNK l) { return along_row(l.n, l.k, kShuffled); }
LogicalNK wei_shuffled_inverse(Nibble p) { return {p.row, packed_in_row(p, kShuffled)}; }

Nibble wei_sequential(LogicalNK l) { return along_row(l.n, l.k, kSequential); }
LogicalNK wei_sequential_inverse(Nibble p) { return {p.row, packed_in_row(p, kSequential)}; }

// The order of AWQ is the shuffled one along the other axis (contract.md 3.2).
Nibble wei_awq(LogicalNK l) { return along_row(l.k, l.n, kShuffled); }
LogicalNK wei_awq_inverse(Nibble p) { return {packed_in_row(p, kShuffled), p.row}; }

Nibble wei_gptq(LogicalNK l) { return along_column(l.k, l.n); }
LogicalNK wei_gptq_inverse(Nibble p) { return {p.col, p.row * 8 + p.nibble}; }

Nibble zp_packed(LogicalNG l) { return along_column(l.n, l.g); }
LogicalNG zp_packed_inverse(Nibble p) { return {p.row * 8 + p.nibble, p.col}; }

Nibble zp_awq(LogicalNG l) { return along_row(l.g, l.n, kShuffled); }
LogicalNG zp_awq_inverse(Nibble p) { return {packed_in_row(p, kShuffled), p.row}; }

Nibble zp_gptq(LogicalNG l) { return along_row(l.g, l.n, kSequential); }
LogicalNG zp_gptq_inverse(Nibble p) { return {packed_in_row(p, kSequential), p.row}; }

uint32_t get_nibble(const uint32_t* words, int64_t stride, Nibble at) {
  return words[at.row * stride + at.col] >> shift_of(at) & 0xF;
}

void set_nibble(uint32_t* words, int64_t stride, Nibble at, uint32_t code) {
  uint32_t& word = words[at.row * stride + at.col];
  word = (word & ~(0xFu << shift_of(at))) | (code & 0xF) << shift_of(at);
}

}  // namespace w4
