#include "verify/probe/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>
#include <optional>

namespace w4::probe {
namespace {

using Order = std::array<int64_t, 8>;  // logical position of each nibble of a word

// "n*4", "n", "" of 4, 1, 0.
std::string term(std::string_view what, int64_t by) {
  if (by == 0) return "";
  return by == 1 ? std::string(what) : fmt::format("{} * {}", what, by);
}

std::string sum(std::initializer_list<std::string> terms, int64_t constant) {
  std::string out;
  for (const std::string& t : terms) {
    if (!t.empty()) out += (out.empty() ? "" : " + ") + t;
  }
  if (constant != 0 || out.empty()) out += fmt::format("{}{}", out.empty() ? "" : " + ", constant);
  return out;
}

std::string order_text(const Order& order) {
  const Order shuffled{0, 2, 4, 6, 1, 3, 5, 7}, sequential{0, 1, 2, 3, 4, 5, 6, 7};
  return fmt::format("order {}{}", fmt::join(order, " "),
                     order == shuffled     ? " (shuffled)"
                     : order == sequential ? " (sequential)"
                                           : "");
}

// Where it says nothing regular: the first places.
std::string irregular(const Map& map, const char* row, const char* col) {
  std::vector<std::string> some;
  for (int64_t i = 0; i < 6; ++i) {
    const int64_t r = i < 3 ? 0 : 1, c = i % 3 * (map.cols / 3);
    if (r >= map.rows) break;
    some.push_back(map.at(r, c) == kNothing
                       ? fmt::format("{}={} {}={}: nothing", row, r, col, c)
                       : fmt::format("{}={} {}={}: element {}", row, r, col, c, map.at(r, c)));
  }
  return fmt::format("irregular: {}", fmt::join(some, ", "));
}

// The nibbles of words that hold eight neighbours along one axis: the order, the same in every
// word, and the words. `along_cols`: the neighbours are columns.
struct Words {
  Order order{};
  Map words;  // one a row and octet
};
std::optional<Words> words_of(const Map& map, bool along_cols) {
  const int64_t rows = along_cols ? map.rows : map.rows / 8;
  const int64_t cols = along_cols ? map.cols / 8 : map.cols;
  if (rows == 0 || cols == 0) return std::nullopt;
  Words out{{}, {rows, cols, std::vector<int64_t>(static_cast<size_t>(rows * cols))}};
  out.order.fill(kNothing);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      for (int64_t i = 0; i < 8; ++i) {
        const int64_t nibble = along_cols ? map.at(r, 8 * c + i) : map.at(8 * r + i, c);
        if (nibble == kNothing) return std::nullopt;
        int64_t& word = out.words.of[static_cast<size_t>(r * cols + c)];
        if (i == 0) word = nibble / 8;
        int64_t& logical = out.order[static_cast<size_t>(nibble % 8)];
        if (logical == kNothing) logical = i;
        if (word != nibble / 8 || logical != i) return std::nullopt;
      }
    }
  }
  return out;
}

struct Affine {
  int64_t constant = 0, row = 0, col = 0, group = 1;
};
// element = constant + row*r + col*(c div group), the largest group that fits.
std::optional<Affine> affine_of(const Map& map) {
  Affine a;
  a.constant = map.at(0, 0);
  int64_t first = 1;
  while (first < map.cols && map.at(0, first) == a.constant) ++first;
  a.group = first;
  a.col = first < map.cols ? map.at(0, first) - a.constant : 0;
  a.row = map.rows > 1 ? map.at(1, 0) - a.constant : 0;
  for (int64_t r = 0; r < map.rows; ++r) {
    for (int64_t c = 0; c < map.cols; ++c) {
      const int64_t expected = a.constant + a.row * r + a.col * (c / a.group);
      if (map.at(r, c) == kNothing || map.at(r, c) != expected) return std::nullopt;
    }
  }
  return a;
}

std::string group_term(const Affine& a, int64_t k) {
  if (a.col == 0 || a.group >= k) return "";
  return term(a.group == 1 ? "k" : fmt::format("k div {}", a.group), a.col);
}

std::string groups_text(std::string_view row, const Affine& a, int64_t k) {
  return sum({term(row, a.row), group_term(a, k)}, a.constant);
}

std::string words_text(std::string_view axis, std::string_view row, std::string_view col,
                       const Order& order, const Affine& a) {
  return fmt::format("along {}, {}; word {}", axis, order_text(order),
                     sum({term(row, a.row), term(col, a.col)}, a.constant));
}

}  // namespace

std::string describe_weights(const Map& nibbles) {
  for (const bool along_k : {true, false}) {
    const auto words = words_of(nibbles, along_k);
    if (!words) continue;
    const auto a = affine_of(words->words);
    if (!a || a->group != 1) continue;
    return along_k ? words_text("K", "n", "k div 8", words->order, *a)
                   : words_text("N", "n div 8", "k", words->order, *a);
  }
  return irregular(nibbles, "n", "k");
}

std::string describe_dense(const Map& elements) {
  const auto a = affine_of(elements);
  return a ? groups_text("n", *a, elements.cols) : irregular(elements, "n", "k");
}

std::string describe_groups(const Map& elements) { return describe_dense(elements); }

std::string describe_packed(const Map& nibbles) {
  if (const auto words = words_of(nibbles, false)) {
    if (const auto a = affine_of(words->words)) {
      return fmt::format("along N, {}; word {}", order_text(words->order),
                         groups_text("n div 8", *a, nibbles.cols));
    }
  }
  return irregular(nibbles, "n", "k");
}

std::string describe_bias(const Map& elements) {
  const auto a = affine_of(elements);
  if (!a || (a->group != 1 && a->col != 0)) return irregular(elements, "m", "n");
  return sum({term("m", a->row), term("n", a->col)}, a->constant);
}

Declared declared_weights(int64_t words) {
  const Order shuffled{0, 2, 4, 6, 1, 3, 5, 7};
  return {words_text("K", "n", "k div 8", shuffled, {0, words, 1, 1}),
          fmt::format("along K, {}; word n * stride + k div 8", order_text(shuffled))};
}
Declared declared_dense(int64_t stride) {
  return {groups_text("n", {0, stride, 1, 1}, std::numeric_limits<int64_t>::max()),
          "n * stride + k"};
}
Declared declared_groups(int64_t stride, int64_t g, int64_t k) {
  return {groups_text("n", {0, stride, 1, g}, k), "n * stride + k div G"};
}
Declared declared_packed(int64_t stride, int64_t g, int64_t k) {
  const std::string order = order_text({0, 1, 2, 3, 4, 5, 6, 7});
  return {fmt::format("along N, {}; word {}", order, groups_text("n div 8", {0, stride, 1, g}, k)),
          fmt::format("along N, {}; word n div 8 * stride + k div G", order)};
}
Declared declared_bias(int64_t m_stride, int64_t n_stride) {
  return {sum({term("m", m_stride), term("n", n_stride)}, 0),
          sum({m_stride > 1 ? "m * stride" : term("m", m_stride), term("n", n_stride)}, 0)};
}

}  // namespace w4::probe
