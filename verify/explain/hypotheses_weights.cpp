// Codes: the order of nibbles, rows and their stride.
#include <fmt/format.h>

#include <algorithm>

#include "verify/explain/hypothesis.h"
#include "verify/explain/tables.h"

namespace w4::explain {
namespace {

// The code at row and column that `place` gives for (r,k).
template <class F>
Recipe with_code(const Observed& o, F code) {
  const Tables t(o);
  Recipe r = declared_recipe(o);
  r.code = [t, code](int64_t row, int64_t k) -> double { return code(t, row, k); };
  return r;
}

Variant along_k(const Observed& o, std::string says, std::array<int, 8> order) {
  return {std::move(says), with_code(o, [order](const Tables& t, int64_t row, int64_t k) {
            return t.code(row, in_octet(k, order));
          })};
}

std::vector<Variant> linear(const Observed& o) {
  return {along_k(o, "codes lie in sequence along K and are read in shuffled order 0 2 4 6 1 3 5 7",
                  kShuffledSlot),
          along_k(o, "codes lie in shuffled order 0 2 4 6 1 3 5 7 along K and are read in sequence",
                  kShuffledOrder)};
}

// Nibbles of a shuffled word (contract.md 2): bytes are k0|k2, k4|k6, k1|k3, k5|k7.
std::vector<Variant> in_a_byte(const Observed& o) {
  return {along_k(o, "the two codes of each byte are swapped", {2, 3, 0, 1, 6, 7, 4, 5})};
}

std::vector<Variant> in_a_word(const Observed& o) {
  return {
      along_k(o, "the bytes of each word of codes are in reverse order", {5, 4, 7, 6, 1, 0, 3, 2}),
      along_k(o, "the eight codes of each word are in reverse order", {7, 6, 5, 4, 3, 2, 1, 0}),
      along_k(o, "even and odd k are swapped: the halves of each word change places",
              kPairsSwapped)};
}

std::vector<Variant> along_n(const Observed& o) {
  if (o.n() % 8 != 0) return {};
  const auto with = [&](std::array<int, 8> order) {
    return with_code(o, [order](const Tables& t, int64_t row, int64_t k) {
      return t.code(in_octet(row, order), k);
    });
  };
  return {{"codes lie in AWQ order 0 2 4 6 1 3 5 7 along N and are read in sequence",
           with(kShuffledOrder)},
          {"codes lie in sequence along N and are read in AWQ order 0 2 4 6 1 3 5 7",
           with(kShuffledSlot)}};
}

std::vector<Variant> stride(const Observed& o) {
  const int64_t row_bytes = weight_row_bytes(o.line.problem);
  const int64_t real = weight_stride_bytes(o.line.problem);
  if (real == row_bytes) return {};
  // Byte `flat` of the tensor holds codes of row flat / have, from column 2 * (flat % have) on; in
  // whole words, because the order within a word stays.
  const auto read = [&](int64_t have, int64_t use, double pad) {
    return with_code(o, [=](const Tables& t, int64_t row, int64_t k) {
      const int64_t flat = row * use + k / 8 * 4;
      const int64_t at = flat % have;
      return at >= row_bytes ? pad : t.code(flat / have, at * 2 + k % 8);
    });
  };
  std::string says =
      fmt::format("the row stride of the weights is K/2 = {} bytes, the pad is ignored", row_bytes);
  return {{says + "; pads hold zeros", read(real, row_bytes, 0)},
          {says, read(real, row_bytes, kUnknown)},
          {fmt::format("rows of weights lie K/2 = {} bytes apart and are read with their pad, {} "
                       "bytes apart",
                       row_bytes, real),
           read(row_bytes, real, kUnknown)}};
}

std::vector<Variant> neighbour(const Observed& o) {
  const auto by = [&](int64_t rows) {
    return with_code(o, [rows](const Tables& t, int64_t row, int64_t k) {
      return t.code(std::clamp<int64_t>(row + rows, 0, t.rows - 1), k);
    });
  };
  return {{"every channel uses the next channel's codes", by(1)},
          {"every channel uses the previous channel's codes", by(-1)}};
}

// Everything that belongs to a row of the weights, but not the bias; without one the output's
// columns are what has moved (out.column_order, out.shifted).
std::vector<Variant> whole_rows(const Observed& o) {
  if (o.x.bx < 2) return {};
  const Tables t(o);
  std::vector<Variant> out;
  const auto add = [&](std::string says, auto from) {
    const auto row = [t, from](int64_t r) { return r / t.n * t.n + from(r % t.n); };
    Recipe r = declared_recipe(o);
    r.code = [t, row](int64_t n, int64_t k) { return t.code(row(n), k); };
    r.scale = [t, row](int64_t n, int64_t k) { return t.scale(row(n), k / t.g); };
    r.zero = [t, row](int64_t n, int64_t k) { return t.zero(row(n), k / t.g); };
    out.push_back({std::move(says), std::move(r)});
  };
  const auto order = [&](std::string_view which, std::array<int, 8> of) {
    if (t.n % 8 != 0) return;
    add(fmt::format("channels of each octet, with scales and zero points, are in {}; the bias is "
                    "not",
                    which),
        [of](int64_t n) { return in_octet(n, of); });
  };
  order("order 0 2 4 6 1 3 5 7", kShuffledOrder);
  order("order 0 4 1 5 2 6 3 7", kShuffledSlot);
  order("reverse order", kReversed);
  for (const int64_t by : {1, -1, 8, -8, 16, -16, 32, -32}) {
    if (by >= t.n || -by >= t.n) continue;
    add(fmt::format(
            "channel n has codes, scales and zero points of channel n{:+}, and its own bias", by),
        [by, n_all = t.n](int64_t n) {
          return n + by < 0 || n + by >= n_all ? int64_t{-1} << 40 : n + by;
        });
  }
  return out;
}

std::vector<Variant> of_signed(const Observed& o) {
  return {{"codes are read as two's complement, -8..7, instead of 0..15",
           with_code(o,
                     [](const Tables& t, int64_t row, int64_t k) {
                       const double q = t.code(row, k);
                       return q >= 8 ? q - 16 : q;
                     })},
          {"codes lack their offset: q xor 8 is used",
           with_code(o, [](const Tables& t, int64_t row, int64_t k) {
             const double q = t.code(row, k);
             return q >= 8 ? q - 8 : q + 8;
           })}};
}

std::vector<Variant> transposed(const Observed& o) {
  if (o.x.moe) return {};
  if (o.n() == o.k()) {
    return {{"weights are transposed: [K,N] is taken for [N,K]",
             with_code(o, [](const Tables& t, int64_t row, int64_t k) { return t.code(k, row); })}};
  }
  if (o.n() == o.k() / 8) {
    return {{"words of weights packed along K are transposed: [K/8,N] is taken for [N,K/8]",
             with_code(o, [](const Tables& t, int64_t row, int64_t k) {
               return t.code(k / 8, 8 * row + k % 8);
             })}};
  }
  if (o.n() / 8 != o.k()) return {};
  return {{"words of weights packed along N are transposed: [K,N/8] is taken for [N/8,K]",
           with_code(o, [](const Tables& t, int64_t row, int64_t k) {
             return t.code(8 * k + row % 8, row / 8);
           })}};
}

std::vector<Variant> offset_32_bits(const Observed& o) {
  const int64_t row_bytes = weight_row_bytes(o.line.problem);
  const int64_t stride = weight_stride_bytes(o.line.problem);
  std::vector<Variant> out;
  // Rows begin at `begin` of their offset in bytes; below 0 lies nothing of the weights.
  const auto add = [&](std::string_view says, int64_t least, int64_t (*begin)(int64_t offset)) {
    if ((Tables(o).rows - 1) * stride < least) return;
    out.push_back({fmt::format("the offset of a row of weights is {}: it wraps", says),
                   with_code(o, [=](const Tables& t, int64_t row, int64_t k) {
                     const int64_t flat = begin(row * stride) + k / 8 * 4;
                     if (flat < 0 || flat % stride >= row_bytes) return kUnknown;
                     return t.code(flat / stride, flat % stride * 2 + k % 8);
                   })});
  };
  add("a signed number of 32 bits", int64_t{1} << 31,
      [](int64_t b) -> int64_t { return static_cast<int32_t>(b); });
  add("an unsigned number of 32 bits", int64_t{1} << 32,
      [](int64_t b) -> int64_t { return static_cast<uint32_t>(b); });
  add("counted in codes, in a signed number of 32 bits", int64_t{1} << 30,
      [](int64_t b) -> int64_t { return static_cast<int32_t>(2 * b) / 2; });
  add("counted in codes, in an unsigned number of 32 bits", int64_t{1} << 31,
      [](int64_t b) -> int64_t { return static_cast<uint32_t>(2 * b) / 2; });
  return out;
}

constexpr Hypothesis kAll[]{
    {"wei.order_along_k", "shuffled and sequential nibble order along K are taken for each other",
     "B22", "always", linear},
    {"wei.nibbles_of_a_byte", "the two codes of each byte are swapped", "B21", "always", in_a_byte},
    {"wei.order_in_a_word", "bytes, halves or codes of a word are in another order", "B21 B22",
     "always", in_a_word},
    {"wei.order_along_n", "AWQ order along N is undone once too often or too seldom", "B15 B22",
     "N % 8 = 0", along_n},
    {"wei.stride", "the row stride of the weights ignores the pad, or counts one that is not there",
     "B29 B70 B71", "wpad= or pad=", stride},
    {"wei.neighbour_row", "a neighbouring channel's codes are used", "B60", "always", neighbour},
    {"wei.whole_rows",
     "channels are permuted or shifted with scales and zero points, the bias is not", "B44 B60",
     "bias=n, 1xn, mxn", whole_rows},
    {"wei.signed", "codes are read as signed, or without their offset", "B21", "always", of_signed},
    {"wei.transposed", "weights are transposed", "B92", "N = K, K/8 or 8*K", transposed},
    {"wei.offset_32_bits", "the offset of a row of weights wraps at 32 bits", "B73",
     "weights of 1 GiB and more", offset_32_bits},
};

}  // namespace

std::span<const Hypothesis> weight_hypotheses() { return kAll; }

}  // namespace w4::explain
