#include "kernels/moe_checks.h"

#include "core/contract.h"
#include "kernels/descriptors.h"
#include "kernels/experts.h"
#include "kernels/moe_args.h"
#include "kernels/moe_tile.h"

namespace w4 {
namespace {

static_assert(kMoeElements == kMoeSmallElements && kLdsElements == kMoeLargeElements);

Broken blockm_range(const View& v) {
  if (v.c.block_m >= 1 && v.c.block_m <= kMaxDecodeM) return {};
  return broken("block_m = {}; legal: 1 to {}", v.c.block_m, kMaxDecodeM);
}

Broken silu_guard(const View& v) {
  if (v.c.silu == 0 || moe_silu_fits(v.c.block_m, v.k)) return {};
  return broken("fused silu with block_m = {} and K = {}; legal: block_m 1 and K up to {}",
                v.c.block_m, v.k, kMoeSmallElements);
}

Broken tile_moe(const View& v) {
  if (v.c.tile == nullptr) return {};
  const auto tile = parse_tile(v.c.tile);
  if (tile && moe_form(v.c.block_m, v.k, v.c.silu != 0, *tile)) return {};
  return broken("tile is {}; legal at block_m = {}, K = {}: {}", v.c.tile, v.c.block_m, v.k,
                list_of(moe_tiles(v.c.block_m, v.k, v.c.silu != 0)));
}

constexpr std::array kOwn{ClauseCheck{"act.rank", check::act_rank},
                          ClauseCheck{"experts.positive", check::experts_positive},
                          ClauseCheck{"topk.range", check::topk_range},
                          ClauseCheck{"act.dtype", check::act_dtype},
                          ClauseCheck{"tokens.positive", check::tokens_positive},
                          ClauseCheck{"blockm.range", blockm_range},
                          ClauseCheck{"bias.none", check::bias_none},
                          ClauseCheck{"k.positive", check::k_positive},
                          ClauseCheck{"n.positive", check::n_positive},
                          ClauseCheck{"out.contiguous", check::expert_out},
                          ClauseCheck{"ids.dtype", check::ids_dtype},
                          ClauseCheck{"silu.guard", silu_guard},
                          ClauseCheck{"act.contiguous", check::expert_act},
                          ClauseCheck{"weight.stride", check::expert_weights},
                          ClauseCheck{"scale.stride", check::expert_scales},
                          ClauseCheck{"index.width", check::expert_index}};

constexpr std::array kLayer{ClauseCheck{"weight.stride", check::weight_stride},
                            ClauseCheck{"scale.dtype", check::scale_dtype},
                            ClauseCheck{"group.size", check::group_size},
                            ClauseCheck{"k.group", check::k_group},
                            ClauseCheck{"scale.stride", check::scale_stride},
                            ClauseCheck{"zp.encoding", check::zp_encoding},
                            ClauseCheck{"zp.dtype", check::zp_dtype},
                            ClauseCheck{"zp.octet", check::zp_octet},
                            ClauseCheck{"k.step", check::k_step},
                            ClauseCheck{"cus.positive", check::cus_positive},
                            ClauseCheck{"lds.device", check::lds_device},
                            ClauseCheck{"index.width", check::index_width},
                            ClauseCheck{"align.act", check::align_act},
                            ClauseCheck{"align.weight", check::align_weight},
                            ClauseCheck{"align.scale", check::align_scale},
                            ClauseCheck{"align.zp", check::align_zp},
                            ClauseCheck{"align.out", check::align_out}};

// After the layer's: a tile is looked up by a K that is one.
constexpr std::array kLast{ClauseCheck{"tile.moe", tile_moe}};

}  // namespace

const char* const* moe_clauses() {
  static const auto names = clause_names_of_experts(
      kOwn, kLayer, std::array{"tile.moe", "source.experts", "source.octet"});
  return names.data();
}

std::optional<BrokenClause> check_moe(const w4_call& call, const w4_device& device) {
  if (auto why = first_broken_of_experts(kOwn, kLayer, call, device)) return why;
  return first_broken_of_experts(kLast, {}, call, device);
}

}  // namespace w4
