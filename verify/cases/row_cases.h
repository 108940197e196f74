// Legal cases for every row of the kernel table, weighted to the edges, from a sequence of choices:
// properties, fuzz targets, the soak and anything else that can choose numbers share this one
// vocabulary. Every sequence of choices is a legal case.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/case.h"
#include "verify/cases/chooser.h"

namespace w4 {

struct CaseLimits {
  int64_t n = 64;     // largest N but for tile edges and model layers
  int64_t k = 1024;   // largest K but for the large ones
  bool large = true;  // also K at both sides of LDS arrays, K/G > G, long steps, model layers
  bool mostly_large = false;  // where large: these mostly, not about one in five
  // Of rows with a table of tiles along M, now and then more tokens than 2^15 or 2^16 tiles of 16
  // hold, for which K and N are the smallest; a second or two each.
  bool far_rows = false;
  std::span<const std::string_view> devices{};  // emulated archs to choose from; empty: gfx1151
};

// The rows that choose_case knows.
std::span<const std::string_view> generated_rows();

// A legal case of `row`, one of generated_rows(), whose pass proves something (signal.h).
Case choose_case(Chooser& choose, const CaseLimits& limits, std::string_view row);

// The same before its data are tried, which may turn into others: some microseconds.
Case choose_draft(Chooser& choose, const CaseLimits& limits, std::string_view row);

}  // namespace w4
