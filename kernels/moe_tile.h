// Which instantiation of the MoE kernel a call runs (contract.md 12; 6.8 where block_m >= 2).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/problem.h"

namespace w4 {

enum class MoeForm : uint8_t { resident, silu, chunked };

struct MoePlan {
  MoeForm form = MoeForm::resident;
  Tile tile{};
  int64_t elements = 0;  // of the LDS array
  int waves = 0;         // W': waves of a workgroup that produce rows
  int64_t grid = 0;      // workgroups of the persistent grid that have a row to do
  int64_t chunk = 0;     // elements of K between two refills of the array
  bool operator==(const MoePlan&) const = default;
};

bool moe_exists(MoeForm form, int64_t block_m, const Tile& t);

// Whether the fused silu may run: one row a block, in the small array. The same rule chooses its
// form (contract.md K24).
bool moe_silu_fits(int64_t block_m, int64_t k);

// The form that a tile runs in, if it exists in any that takes this K.
std::optional<MoeForm> moe_form(int64_t block_m, int64_t k, bool silu, const Tile& t);

// Every tile that can be forced.
std::vector<Tile> moe_tiles(int64_t block_m, int64_t k, bool silu);

// By the tables. On input: block_m in 1..5, N, K and cu_count at least 1.
Tile moe_tile(int64_t block_m, int64_t n, int64_t k, int64_t cu_count);

// On input: as above; with silu moe_silu_fits; `forced` has a form.
MoePlan plan_moe(int64_t block_m, int64_t n, int64_t k, int64_t cu_count, bool silu,
                 const std::optional<Tile>& forced);

}  // namespace w4
