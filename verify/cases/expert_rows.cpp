// Legal cases of the rows of a layer of experts (contract.md 12).
#include <algorithm>
#include <array>
#include <vector>

#include "core/contract.h"
#include "kernels/moe_tile.h"
#include "verify/cases/memory.h"
#include "verify/cases/rows.h"
#include "verify/cases/settings.h"
#include "verify/cases/shapes.h"

namespace w4 {
namespace {

constexpr int64_t kWalkProducts = int64_t{1} << 16;
constexpr int64_t kTileProducts = int64_t{1} << 20;

// No bias, symmetric or packed, from a source whose first dimension is N.
void choose_expert_format(Chooser& choose, Problem& p) {
  choose_format(choose, p, 2);
  if (p.src != Source::shuffled) p.src = Source::ct;
}

// At most so many experts: all weights of a case are E times those of a dense one, and each expert
// that is chosen has whole blocks of rows.
void choose_experts(Chooser& choose, Problem& p, int64_t most) {
  choose.about(Part::experts);
  p.experts = 1 + pick64(choose, std::clamp<int64_t>(most, 1, 8));
  p.topk = 1 + pick64(choose, std::min<int64_t>(p.experts, p.m > 8 ? 3 : 8));
  p.route = static_cast<Routing>(choose.pick(static_cast<int>(Routing::outside) + 1));
  p.rows = choose.pick(2) == 0 ? Rows::scattered : Rows::contiguous;
}

}  // namespace

Case choose_moe(Chooser& choose, const CaseLimits& limits) {
  Case c;
  c.kernel = "moe";
  Problem& p = c.problem;
  choose.about(Part::tokens);
  p.blockm = 1 + pick64(choose, kMaxDecodeM);
  p.silu = choose.pick(4) == 1;
  if (p.silu) p.blockm = 1;
  const bool small = p.silu || choose.pick(2) == 0;
  choose_depth(choose, limits, p, p.blockm,
               {small ? kMoeElements : kLdsElements,
                p.silu ? kMoeElements : kLdsElements + 2 * kMoeElements});
  choose.about(Part::tokens);
  p.m = 1 + pick64(choose, p.k > 1024 ? 3 : 5);
  choose_expert_format(choose, p);
  choose_experts(choose, p, p.k > 1024 ? 2 : 8);
  choose_columns(choose, limits, p, slots(p), kWalkProducts);
  choose_memory(choose, p);
  choose_settings(choose, limits, c, 2 * kLdsElements);
  choose.about(Part::tile);
  if (one_in(choose, 4)) {
    const std::vector<Tile> tiles = moe_tiles(p.blockm, p.k, p.silu);
    p.tile = one_of(choose, std::span<const Tile>(tiles));
  }
  return c;
}

Case choose_moe_prefill(Chooser& choose, const CaseLimits& limits) {
  constexpr std::array<int64_t, 3> kBlocks{16, 32, 64};
  Case c;
  c.kernel = "moe_prefill";
  Problem& p = c.problem;
  choose_depth(choose, limits, p, 1, {});
  choose.about(Part::tokens);
  p.blockm = p.k > 1024 && !one_in(choose, 4) ? 16 : one_of(choose, kBlocks);
  const int64_t most = p.k > 1024 ? 17 : 64;
  p.m = choose.pick(2) == 0 ? 1 + pick64(choose, 8) : 1 + pick64(choose, most);
  choose_expert_format(choose, p);
  const int64_t columns = p.blockm == 16 ? 32 : 64;  // of a tile
  choose_experts(choose, p, kTileProducts / (p.blockm * columns * p.k));
  choose.about(Part::tokens);
  if (p.k <= 512 && one_in(choose, 6)) {  // whole blocks, without padding
    p.route = Routing::single;
    p.m = p.blockm * (1 + pick64(choose, 64 / p.blockm));
    p.topk = std::min<int64_t>(p.topk, 3);
  }
  const int64_t blocks = std::min(slots(p), p.experts + slots(p) / p.blockm);
  choose_columns(choose, limits, p, blocks * p.blockm, kTileProducts);
  choose_memory(choose, p);
  choose_settings(choose, limits, c, 2 * kLdsElements);
  return c;
}

}  // namespace w4
