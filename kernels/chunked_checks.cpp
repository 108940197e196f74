#include "kernels/chunked_checks.h"

#include "core/contract.h"
#include "kernels/chunked_args.h"
#include "kernels/chunked_tile.h"
#include "kernels/descriptors.h"
#include "kernels/prepare.h"

namespace w4 {
namespace {

static_assert(kLdsElements == kChunkedLdsElements);

Broken tile_exists(const View& v) {
  if (v.c.tile == nullptr) return {};
  const bool symmetric = v.c.zp == nullptr;
  const auto tile = parse_tile(v.c.tile);
  if (tile && chunked_form(v.m, v.k, *tile, symmetric)) return {};
  return broken("tile is {}; legal at M = {}, K = {}, {} zero points: {}", v.c.tile, v.m, v.k,
                symmetric ? "no" : "packed", list_of(chunked_tiles(v.m, v.k, symmetric)));
}

// The public op's order (contract.md 6.2), ours after it. No limit on K*M.
constexpr std::array kChecks{ClauseCheck{"experts.none", check::experts_none},
                             ClauseCheck{"act.rank", check::act_rank},
                             ClauseCheck{"weight.stride", check::weight_stride},
                             ClauseCheck{"act.dtype", check::act_dtype},
                             ClauseCheck{"scale.dtype", check::scale_dtype},
                             ClauseCheck{"group.size", check::group_size},
                             ClauseCheck{"k.group", check::k_group},
                             ClauseCheck{"scale.stride", check::scale_stride},
                             ClauseCheck{"zp.encoding", check::zp_encoding},
                             ClauseCheck{"zp.dtype", check::zp_dtype},
                             ClauseCheck{"zp.octet", check::zp_octet},
                             ClauseCheck{"k.step", check::k_step},
                             ClauseCheck{"act.stride", check::act_stride},
                             ClauseCheck{"m.range", check::m_range},
                             ClauseCheck{"n.positive", check::n_positive},
                             ClauseCheck{"k.positive", check::k_positive},
                             ClauseCheck{"bias.shape", check::bias_shape},
                             ClauseCheck{"bias.dtype", check::bias_dtype},
                             ClauseCheck{"bias.contiguous", check::bias_contiguous},
                             ClauseCheck{"out.contiguous", check::out_contiguous},
                             ClauseCheck{"cus.positive", check::cus_positive},
                             ClauseCheck{"lds.device", check::lds_device},
                             ClauseCheck{"index.width", check::index_width},
                             ClauseCheck{"align.act", check::align_act},
                             ClauseCheck{"align.weight", check::align_weight},
                             ClauseCheck{"align.scale", check::align_scale},
                             ClauseCheck{"align.zp", check::align_zp},
                             ClauseCheck{"align.bias", check::align_bias},
                             ClauseCheck{"align.out", check::align_out},
                             ClauseCheck{"tile.chunked", tile_exists}};

constexpr auto kNames = clause_names(kChecks, kPreparationClauses);

}  // namespace

const char* const* chunked_clauses() { return kNames.data(); }

std::optional<BrokenClause> check_chunked(const w4_call& call, const w4_device& device) {
  return first_broken(kChecks, call, device);
}

}  // namespace w4
