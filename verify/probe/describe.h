// Maps of codes.h in words: order of the codes in a word, group size, strides, orientation.
#pragma once

#include <string>

#include "verify/probe/codes.h"

namespace w4::probe {

// 4-bit codes by (n,k): "along K, order 0 2 4 6 1 3 5 7 (shuffled); word n*32 + k div 8".
std::string describe_weights(const Map& nibbles);
// Dense weights by (n,k), one element each.
std::string describe_dense(const Map& elements);
// Elements by (n,k): "n*4 + k div 64".
std::string describe_groups(const Map& elements);
// Packed zero points by (n,k): "along N, order 0 1 2 3 4 5 6 7; word n div 8 * 4 + k div 64".
std::string describe_packed(const Map& nibbles);
// Elements by (m,n): "m*16 + n".
std::string describe_bias(const Map& elements);

// What a call's layouts mean: with the call's numbers, and for any call. Strides in elements (words
// of shuffled weights).
struct Declared {
  std::string here, rule;
};
Declared declared_weights(int64_t words);
Declared declared_dense(int64_t stride);
Declared declared_groups(int64_t stride, int64_t g, int64_t k);
Declared declared_packed(int64_t stride, int64_t g, int64_t k);
Declared declared_bias(int64_t m_stride, int64_t n_stride);

}  // namespace w4::probe
