// Which part of a case's data is left, the rest being zeros: the key `only` of a case line, by
// which shrinking removes rows, groups and octets without changing a shape.
// `m0..0+n8..15+k64..127`:
//   m: rows of act (tokens; rows of the blocks where those are contiguous), others are zeros
//   n: rows of the weights (of each expert), the scales of others are zeros
//   k: columns of act, others are zeros
// Ranges are inclusive, may reach past the tensor, and an axis without one is left whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace w4 {

struct Span {
  int64_t first = 0, last = 0;  // 0 <= first <= last
  bool has(int64_t v) const { return first <= v && v <= last; }
  bool operator==(const Span&) const = default;
};

struct Only {
  std::optional<Span> m, n, k;
  bool act(int64_t row, int64_t column) const {
    return (!m || m->has(row)) && (!k || k->has(column));
  }
  bool row(int64_t v) const { return !n || n->has(v); }
  bool everything() const { return !m && !n && !k; }
  bool operator==(const Only&) const = default;
};

inline constexpr std::string_view kLegalOnly =
    "all, or ranges joined by +, one of each axis in the order m n k: m<first>..<last>, "
    "n<first>..<last>, k<first>..<last>, with 0 <= first <= last";

Result<Only> parse_only(std::string_view text);
std::string to_string(const Only& o);  // parse_only's inverse; "all" where nothing is left out

}  // namespace w4
