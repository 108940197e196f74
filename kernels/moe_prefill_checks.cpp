#include "kernels/moe_prefill_checks.h"

#include "core/contract.h"
#include "kernels/experts.h"
#include "kernels/moe_prefill.h"

namespace w4 {
namespace {

Broken blockm_tile(const View& v) {
  if (moe_prefill_tile(v.c.block_m)) return {};
  return broken("block_m = {}; legal: 16, 32, 64", v.c.block_m);
}

Broken silu_none(const View& v) {
  if (v.c.silu == 0) return {};
  return broken("fused silu is asked for; legal: none");
}

Broken tile_auto(const View& v) {
  if (v.c.tile == nullptr) return {};
  return broken("tile is {}; legal: none, it follows from block_m", v.c.tile);
}

// On input: what is checked before it.
Broken grid_width(const View& v) {
  if (auto wide = check::expert_index(v)) return wide;
  const int64_t bn = moe_prefill_tile(v.c.block_m)->bn;
  const Wide groups = Wide{v.c.expert_ids->dim[0]} * (v.n / bn + (v.n % bn != 0));
  if (groups <= kMaxWorkgroups) return {};
  return broken("{} workgroups for {} blocks and N = {}; legal: at most {}", groups,
                v.c.expert_ids->dim[0], v.n, kMaxWorkgroups);
}

constexpr std::array kOwn{ClauseCheck{"act.rank", check::act_rank},
                          ClauseCheck{"experts.positive", check::experts_positive},
                          ClauseCheck{"topk.range", check::topk_range},
                          ClauseCheck{"act.dtype", check::act_dtype},
                          ClauseCheck{"tokens.positive", check::tokens_positive},
                          ClauseCheck{"blockm.tile", blockm_tile},
                          ClauseCheck{"bias.none", check::bias_none},
                          ClauseCheck{"k.positive", check::k_positive},
                          ClauseCheck{"n.positive", check::n_positive},
                          ClauseCheck{"silu.none", silu_none},
                          ClauseCheck{"out.contiguous", check::expert_out},
                          ClauseCheck{"ids.dtype", check::ids_dtype},
                          ClauseCheck{"act.contiguous", check::expert_act},
                          ClauseCheck{"weight.stride", check::expert_weights},
                          ClauseCheck{"scale.stride", check::expert_scales},
                          ClauseCheck{"index.width", grid_width},
                          ClauseCheck{"tile.auto", tile_auto}};

constexpr std::array kLayer{ClauseCheck{"weight.stride", check::weight_stride},
                            ClauseCheck{"scale.dtype", check::scale_dtype},
                            ClauseCheck{"group.size", check::group_size},
                            ClauseCheck{"k.group", check::k_group},
                            ClauseCheck{"scale.stride", check::scale_stride},
                            ClauseCheck{"zp.encoding", check::zp_encoding},
                            ClauseCheck{"zp.dtype", check::zp_dtype},
                            ClauseCheck{"zp.octet", check::zp_octet},
                            ClauseCheck{"lds.device", check::lds_device},
                            ClauseCheck{"index.width", check::index_width},
                            ClauseCheck{"align.act", check::align_act},
                            ClauseCheck{"align.weight", check::align_weight},
                            ClauseCheck{"align.scale", check::align_scale},
                            ClauseCheck{"align.zp", check::align_zp},
                            ClauseCheck{"align.out", check::align_out}};

}  // namespace

const char* const* moe_prefill_clauses() {
  static const auto names =
      clause_names_of_experts(kOwn, kLayer, std::array{"source.experts", "source.octet"});
  return names.data();
}

std::optional<BrokenClause> check_moe_prefill(const w4_call& call, const w4_device& device) {
  return first_broken_of_experts(kOwn, kLayer, call, device);
}

}  // namespace w4
