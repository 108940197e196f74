#include "kernels/moe_tile.h"

#include <algorithm>

#include "kernels/decode_tile.h"
#include "kernels/moe_args.h"

namespace w4 {
namespace {

struct Instantiation {
  MoeForm form;
  int64_t m;
  Tile tile;
};
constexpr Instantiation kAll[] = {
#define W4_ROW(FORM, M, Y, U, A, W) {MoeForm::FORM, M, {Y, U, A, W}},
    W4_MOE_TILES(W4_ROW)
#undef W4_ROW
};

bool fits(int64_t block_m, int64_t k, int64_t elements) {
  return __int128{block_m} * k <= elements;
}

}  // namespace

bool moe_exists(MoeForm form, int64_t block_m, const Tile& t) {
  return std::ranges::any_of(kAll, [&](const Instantiation& i) {
    return i.form == form && i.m == block_m && i.tile == t;
  });
}

bool moe_silu_fits(int64_t block_m, int64_t k) {
  return block_m == 1 && fits(block_m, k, kMoeSmallElements);
}

std::optional<MoeForm> moe_form(int64_t block_m, int64_t k, bool silu, const Tile& t) {
  if (silu) {
    if (!moe_silu_fits(block_m, k) || !moe_exists(MoeForm::silu, block_m, t)) return {};
    return MoeForm::silu;
  }
  if (fits(block_m, k, kMoeLargeElements) && moe_exists(MoeForm::resident, block_m, t)) {
    return MoeForm::resident;
  }
  if (moe_exists(MoeForm::chunked, block_m, t)) return MoeForm::chunked;
  return {};
}

std::vector<Tile> moe_tiles(int64_t block_m, int64_t k, bool silu) {
  std::vector<Tile> out;
  for (const Instantiation& i : kAll) {
    if (i.m == block_m && moe_form(block_m, k, silu, i.tile) == i.form) out.push_back(i.tile);
  }
  return out;
}

Tile moe_tile(int64_t block_m, int64_t n, int64_t k, int64_t cu_count) {
  if (block_m >= 2) return decode_tile(block_m, n, k, cu_count, kMoeLargeElements);
  // U = 4 in the fork: a step of 4096, longer than K, so that its unrolled loop never runs, and it
  // spills on gfx12. At U = 2 the step is K.
  if (k == 2048) return {4, 2, 32, 32};
  if (k >= 1024) return {4, 4, 16, 16};
  if (k == 512) return {4, 1, 8, 32};
  return {4, 2, 16, 16};
}

MoePlan plan_moe(int64_t block_m, int64_t n, int64_t k, int64_t cu_count, bool silu,
                 const std::optional<Tile>& forced) {
  MoePlan plan;
  plan.tile = forced ? *forced : moe_tile(block_m, n, k, cu_count);
  plan.form = moe_form(block_m, k, silu, plan.tile).value_or(MoeForm::chunked);
  plan.elements = fits(block_m, k, kMoeSmallElements) ? kMoeSmallElements : kMoeLargeElements;
  plan.chunk = k;
  if (plan.form == MoeForm::chunked) {
    plan.elements = kMoeLargeElements;
    plan.chunk = walk_chunk(k, plan.elements, block_m, walk_step(plan.tile.a, plan.tile.u));
  }
  plan.waves = mindiv(n, cu_count * plan.tile.y, plan.tile.w);
  plan.grid = persistent_blocks(n, plan.tile.y, plan.waves, cu_count);
  return plan;
}

}  // namespace w4
