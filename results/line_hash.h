// What the store finds a case line by.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash.h"

namespace w4 {

// The same in every store: stores are merged.
constexpr int64_t line_hash(std::string_view line) { return static_cast<int64_t>(hash_of(line)); }

}  // namespace w4
