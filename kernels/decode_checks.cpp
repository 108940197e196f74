#include "kernels/decode_checks.h"

#include <fmt/format.h>

#include "core/contract.h"
#include "kernels/decode_args.h"
#include "kernels/decode_tile.h"
#include "kernels/descriptors.h"
#include "kernels/prepare.h"

namespace w4 {
namespace {

static_assert(kLdsElements == kDecodeLdsElements);

Broken lds_limit(const View& v) {
  const Wide elements = Wide{v.k} * v.m;
  const Wide limit = kSoftLdsElements;
  if (v.k <= 0 || v.m <= 0 || elements <= limit) return {};
  return broken("K*M = {}*{} = {} exceeds the LDS capacity; legal: at most {}", v.k, v.m, elements,
                limit);
}

Broken tile_legal(const View& v) {
  if (v.c.tile == nullptr) return {};
  const auto tile = parse_tile(v.c.tile);
  if (tile && tile->a == int{kDecodeChunk} && tile->w == int{kDecodeWaves} &&
      decode_exists(DecodeForm::medium, v.m, tile->y, tile->u)) {
    return {};
  }
  return broken("tile is {}; legal at M = {}: {}", v.c.tile, v.m, list_of(decode_tiles(v.m)));
}

// The public op's order (contract.md 6.2), ours after it.
constexpr std::array kChecks{ClauseCheck{"experts.none", check::experts_none},
                             ClauseCheck{"act.rank", check::act_rank},
                             ClauseCheck{"weight.stride", check::weight_stride},
                             ClauseCheck{"act.dtype", check::act_dtype},
                             ClauseCheck{"scale.dtype", check::scale_dtype},
                             ClauseCheck{"group.size", check::group_size},
                             ClauseCheck{"k.group", check::k_group},
                             ClauseCheck{"scale.stride", check::scale_stride},
                             ClauseCheck{"zp.dtype", check::zp_dtype},
                             ClauseCheck{"zp.octet", check::zp_octet},
                             ClauseCheck{"k.step", check::k_step},
                             ClauseCheck{"lds.limit", lds_limit},
                             ClauseCheck{"act.contiguous", check::act_contiguous},
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
                             ClauseCheck{"tile.legal", tile_legal}};

constexpr auto kNames = clause_names(kChecks, kPreparationClauses);

}  // namespace

const char* const* decode_clauses() { return kNames.data(); }

std::optional<BrokenClause> check_decode(const w4_call& call, const w4_device& device) {
  return first_broken(kChecks, call, device);
}

}  // namespace w4
