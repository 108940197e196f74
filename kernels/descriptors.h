// Tensor descriptors of the module interface in words, for refusals.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/problem.h"
#include "kernels/module.h"

namespace w4 {

std::string_view name_of(w4_dtype t);      // "f16"; "an unknown dtype" outside the enumeration
std::string_view name_of(w4_layout l);     // "packed zero points"
std::string shape_of(const w4_tensor& t);  // "[64,16]"
int64_t bytes_of(w4_dtype t);              // of one element; 0 outside the enumeration

// "y2u4a16w16", "bm64bn64bk32w4".
std::optional<Tile> parse_tile(std::string_view text);
// Joined by ", ", for refusals.
std::string list_of(std::span<const Tile> tiles);

}  // namespace w4
