// What the topics of preparation share: the part of a checkpoint that is wanted, tensors as rows,
// and results with their memory.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "kernels/clause_checks.h"
#include "kernels/module.h"

namespace w4::prepare {

using Failed = std::optional<BrokenClause>;

template <class... A>
BrokenClause refusal(const char* clause, fmt::format_string<A...> f, A&&... a) {
  return {clause, fmt::format(f, std::forward<A>(a)...)};
}

// Rows n0 to n0+n and columns k0 to k0+k of a checkpoint [all_n, all_k]; groups of G columns.
struct Part {
  int64_t n = 0, k = 0, g = 1, groups = 0;
  int64_t n0 = 0, k0 = 0, g0 = 0;
  int64_t all_n = 0, all_k = 0, all_groups = 0;
};

// Elements of a host tensor, row by row; the descriptor may have row strides of its own.
template <class T>
class Rows {
 public:
  explicit Rows(const w4_tensor& t)
      : base_(static_cast<std::byte*>(t.host)), stride_(t.stride[0]) {}
  T get(int64_t row, int64_t col) const {
    T v;
    std::memcpy(&v, at(row, col), sizeof(T));
    return v;
  }
  void set(int64_t row, int64_t col, T v) const { std::memcpy(at(row, col), &v, sizeof(T)); }

 private:
  std::byte* at(int64_t row, int64_t col) const {
    return base_ + (row * stride_ + col) * static_cast<int64_t>(sizeof(T));
  }
  std::byte* base_;
  int64_t stride_;
};

// A source tensor as its layout wants it, on the host. `words`: 32-bit integers.
Failed check_shape(const char* clause, const char* what, const w4_tensor& t, int64_t rows,
                   int64_t cols, bool words);

// Host memory of zeros for [rows, cols] with `pad` elements more in each row.
Failed allocate(const w4_device& device, w4_dtype dtype, w4_layout layout, int64_t rows,
                int64_t cols, int64_t pad, w4_tensor& out);

// The zero point of (n, g) of a part, whatever the encoding.
class Zeros {
 public:
  Zeros(const w4_tensor& t, const Part& part) : layout_(t.layout), part_(part), words_(t) {}
  // Of packed encodings: 0..15.
  uint32_t code(int64_t n, int64_t g) const;

 private:
  w4_layout layout_;
  const Part& part_;
  Rows<uint32_t> words_;
};

// prepare_weights.cpp. find_part() reads sizes off the weight tensor and checks it whole; the
// others on input: a part that it found.
Failed find_part(const w4_source& s, Part& out);
Failed check_group_index(const w4_source& s, const Part& part);
Failed shuffled_weights(const w4_source& s, const Part& part, const w4_device& device,
                        w4_tensor& out);
// prepare_dense.cpp, on input: scales and zero points checked.
Failed dense_weights(const w4_source& s, const Part& part, const w4_device& device, w4_tensor& out);
Failed carrier(const w4_source& s, const Part& part, const w4_device& device, w4_tensor& out);
// prepare_scales.cpp
Failed check_scales(const w4_source& s, const Part& part);
Failed check_zeros(const w4_source& s, const Part& part);
Failed scales(const w4_source& s, const Part& part, const w4_device& device, w4_tensor& out);
Failed zeros(const w4_source& s, const Part& part, const w4_device& device, w4_tensor& out);

// Rows n to n+rows of the part as words of eight codes in shuffled order: word w of row i at
// to + i*stride + 4*w. On input: K % 8 == 0, n % 8 == 0 where the source packs along N.
void shuffled_rows(const w4_tensor& wei, const Part& part, int64_t n, int64_t rows, std::byte* to,
                   int64_t stride);

}  // namespace w4::prepare
