// Which decode instantiation a call runs: the tile table, the wave balance and the choice between
// the small and the medium form (contract.md 6.4, 6.6, 6.8; V1 and V2).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/problem.h"

namespace w4 {

enum class DecodeForm : uint8_t { small, medium };

struct DecodePlan {
  DecodeForm form = DecodeForm::small;
  int y = 0, u = 0;    // rows per wave, K steps in flight
  int waves = 0;       // W': waves of 16 that produce rows
  int64_t blocks = 0;  // of the persistent grid that have a row to do
  bool operator==(const DecodePlan&) const = default;
};

// The smallest wave count of 4..most that needs no more passes over n rows than `most` waves, d
// rows per wave and pass over the whole grid.
int mindiv(int64_t n, int64_t d, int most = 16);

// Workgroups of a persistent grid over n rows, y a wave: those of cu_count that have a row to do,
// as far as a grid can have them. The public op launches cu_count; what is past the last row would
// only stage and leave.
int64_t persistent_blocks(int64_t n, int64_t y, int waves, int64_t cu_count);

// Whether the instantiation exists.
bool decode_exists(DecodeForm form, int64_t m, int y, int u);

// Every tile that can be forced at this M. The table alone reaches some of them only at large N.
std::vector<Tile> decode_tiles(int64_t m);

// Rows per wave and unroll by the table. `lds_elements`: activations the kernel's LDS array holds.
// On input: M in 1..5, N, K and cu_count at least 1.
Tile decode_tile(int64_t m, int64_t n, int64_t k, int64_t cu_count, int64_t lds_elements);

// `forced`: a tile that exists for this M in some form. Where its small form does not exist, the
// medium one runs.
DecodePlan plan_decode(int64_t m, int64_t n, int64_t k, int64_t cu_count, int64_t lds_elements,
                       const std::optional<Tile>& forced);

}  // namespace w4
