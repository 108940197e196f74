// The clauses by topic, one file each; core/contract.cpp joins them.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <span>
#include <string>

#include "core/contract.h"

namespace w4::clauses {

std::span<const Clause> decode();    // the public decode op (contract.md 6.2)
std::span<const Clause> source();    // checkpoints and their shards
std::span<const Clause> layer();     // prefill, preparation, the route
std::span<const Clause> prefill();   // the prefill GEMM
std::span<const Clause> moe();       // experts
std::span<const Clause> manifest();  // asked for by manifests only

using Broken = std::optional<std::string>;
using Wide = __int128;  // products and sums of any two int64 fit

inline constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

template <class... A>
Broken broken(fmt::format_string<A...> f, A&&... a) {
  return fmt::format(f, std::forward<A>(a)...);
}

inline Broken require_multiple(std::string_view argument, int64_t value, int64_t of) {
  if (value % of == 0) return {};
  return broken("{} = {} bytes from an aligned address; legal: a multiple of {}", argument, value,
                of);
}

}  // namespace w4::clauses
