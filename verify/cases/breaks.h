// The ways of breaking each clause, by topic.
#pragma once

#include <span>
#include <string_view>

#include "core/problem.h"
#include "verify/cases/chooser.h"

namespace w4 {

struct Break {
  std::string_view clause;
  int ways;
  // In a legal problem without strides given. `way` in [0, ways).
  void (*apply)(Problem& p, int way, Chooser& choose);
};

std::span<const Break> breaks_of_sizes();    // M, N, K, G, tiles, what the device reports
std::span<const Break> breaks_of_tensors();  // dtypes, encodings, strides, offsets, sources, shards
std::span<const Break> breaks_of_experts();

}  // namespace w4
