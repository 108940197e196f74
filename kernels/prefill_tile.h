// Which prefill instantiation a call runs: the tile table of contract.md 7.4 (V1; fp16 above 128
// tokens on gfx1151 as V3 has it) and its mapping to what exists.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/problem.h"
#include "kernels/module.h"

namespace w4 {

// Where the weights come from: the rows prefill, prefill_dense and prefill_carrier.
enum class PrefillWeights : uint8_t { packed, dense, carrier };

// What the table wants, as it stands there: before BK is clamped to the group size. Arch: gfx12x,
// gfx1151 (and host and cuda, which have no row of their own) or any other. On input: M, N, K and G
// at least 1.
Tile prefill_wanted(std::string_view arch, w4_dtype act, int64_t m, int64_t n, int64_t k,
                    int64_t g);

// The instantiation that runs for a wanted tile: BM and BN capped at 128, BK at G (load-bearing:
// one scale a tile, contract.md 7.3), then at the deepest that exists for the shape and the
// weights; as many waves as it is compiled for. There is one for everything the table wants.
Tile prefill_given(const Tile& wanted, int64_t g, PrefillWeights weights);

bool prefill_exists(const Tile& tile, PrefillWeights weights);

// Every instantiation: one for each activation dtype and form of zero points.
std::vector<Tile> prefill_tiles(PrefillWeights weights);

// Every tile the table can want on an arch.
std::vector<Tile> prefill_all_wanted(std::string_view arch);

int64_t prefill_lds_bytes(const Tile& tile);

struct PrefillPlan {
  Tile tile;
  int64_t tiles_m = 0;  // workgroups along M
  int64_t blocks = 0;
  bool operator==(const PrefillPlan&) const = default;
};

// `forced`: a tile that exists and is no deeper than G.
PrefillPlan plan_prefill(std::string_view arch, w4_dtype act, int64_t m, int64_t n, int64_t k,
                         int64_t g, PrefillWeights weights, const std::optional<Tile>& forced);

}  // namespace w4
