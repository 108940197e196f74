// How an instantiation divides its output and K among workgroups, waves and lanes: for pictures of
// an output in which the edges of a defect shall be recognised. Each family says it once, here,
// from the text that its kernels report of what they ran.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace w4 {

// Elements between two edges; 0: the axis is not divided so.
struct Edges {
  int64_t tile = 0;    // of a workgroup, in one pass
  int64_t wave = 0;    // of a wave
  int64_t matrix = 0;  // of a matrix instruction: its columns are lanes
  bool operator==(const Edges&) const = default;
};

struct Geometry {
  Edges m, n;
  // Along K.
  int64_t lane = 0;         // elements that a lane takes at a time; 0: lanes share K otherwise
  int64_t step = 0;         // that a wave takes at a time
  int64_t unrolled = 0;     // that it takes before it looks whether any are left: `u` steps
  bool blocks = false;      // M counts rows in the order of blocks of one expert
  std::string_view family;  // "walk" (lanes split K), "matrix"
  bool operator==(const Geometry&) const = default;
};

// `instantiation`: as a kernel of this project reports it ("medium m3 y2u4a16w16 w8 g64 f16
// packed"); `symbol`: of what was launched. Nothing where either is not of this project's form:
// another's module may use the same words for something else.
std::optional<Geometry> geometry_of(std::string_view instantiation, std::string_view symbol);

}  // namespace w4
