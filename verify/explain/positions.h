// Where the rows of the output lie among those that are computed: in a layer of experts blocks of
// sorted slots, otherwise one after the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "verify/explain/recipe.h"

namespace w4::explain {

// -1: nowhere.
inline int64_t position_of(const Observed& o, int64_t m) {
  if (!o.x.moe || o.x.moe->sorted_ids.empty()) return m;
  const auto& ids = o.x.moe->sorted_ids;
  const auto at = std::ranges::find(ids, static_cast<int32_t>(m));
  return at == ids.end() ? -1 : at - ids.begin();
}

// -1: padding, or nothing.
inline int64_t row_at(const Observed& o, int64_t position) {
  const auto& ids = o.x.moe ? o.x.moe->sorted_ids : std::vector<int32_t>{};
  if (position < 0) return -1;
  if (ids.empty()) return position < o.m() ? position : -1;
  if (position >= static_cast<int64_t>(ids.size())) return -1;
  const int64_t row = ids[static_cast<size_t>(position)];
  return row < o.m() ? row : -1;
}

}  // namespace w4::explain
