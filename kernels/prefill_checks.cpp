#include "kernels/prefill_checks.h"

#include <fmt/format.h>

#include <limits>

#include "core/contract.h"
#include "kernels/descriptors.h"
#include "kernels/prefill_args.h"
#include "kernels/prepare.h"

namespace w4 {
namespace {

static_assert(kPrefillLds == kPrefillLdsBytes);

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();

// Rows of the dense copy, in the words of the packed one: a pad of as many bytes.
Broken dense_stride(const View& v) {
  const w4_tensor& t = *v.c.wei;
  if (t.dtype != v.c.act->dtype || t.layout != W4_DENSE || t.rank != 2 || t.dim[1] != v.k) {
    return broken("weights are {} {} in {}; legal: dense rows [N,K] = [{},{}] of {}",
                  name_of(t.dtype), shape_of(t), name_of(t.layout), v.n, v.k,
                  name_of(v.c.act->dtype));
  }
  const Wide pad = 2 * (Wide{t.stride[0]} - v.k);
  if (t.stride[1] == 1 && pad >= 0 && pad % 4 == 0 && v.k / 2 + v.k % 2 + pad <= kInt32Max) {
    return {};
  }
  return broken(
      "weight strides are {} and {} elements; legal: at least K = {}, the excess even and at most "
      "{}, and 1",
      t.stride[0], t.stride[1], v.k, (kInt32Max - v.k / 2) / 2);
}

Broken lds_prefill(const View& v) {
  const int64_t reported = v.device.property(v.device.self, W4_PROP_LDS_PER_BLOCK);
  if (reported >= kPrefillLdsBytes) return {};
  return broken("the device reports {} bytes of LDS per block; legal: at least {}", reported,
                kPrefillLdsBytes);
}

Broken zp_packed(const View& v) {
  if (v.c.zp != nullptr && packed(*v.c.zp)) return {};
  return broken("zero points are {}; legal: packed",
                v.c.zp == nullptr ? "absent" : name_of(v.c.zp->layout));
}

Broken carrier_stride(const View& v) {
  if (v.c.carrier == nullptr) return broken("the carrier is missing; legal: a tensor");
  const w4_tensor& t = *v.c.carrier;
  const int64_t groups = v.k / v.g;
  if (t.dtype != W4_F32 || t.layout != W4_SCALE_CARRIER || t.rank != 2 || t.dim[0] != v.n ||
      t.dim[1] != groups) {
    return broken("the carrier is {} {} in {}; legal: f32 [N,K/G] = [{},{}] of a scale carrier",
                  name_of(t.dtype), shape_of(t), name_of(t.layout), v.n, groups);
  }
  if (t.stride[1] == 1 && t.stride[0] >= groups && t.stride[0] <= kInt32Max) return {};
  return broken(
      "carrier strides are {} and {} groups; legal: at least K/G = {} and at most {}, and 1",
      t.stride[0], t.stride[1], groups, kInt32Max);
}

Broken align_carrier(const View& v) {
  if (v.c.carrier == nullptr || v.c.carrier->device % 4 == 0) return {};
  return broken("carrier address {:#x}; legal: a multiple of 4 bytes", v.c.carrier->device);
}

// A forced tile deeper than a group is refused, not clamped: the caller gets the tile asked for or
// none. The LDS check above covers every tile.
template <PrefillWeights weights>
Broken tile_legal(const View& v) {
  if (v.c.tile == nullptr) return {};
  const auto tile = parse_tile(v.c.tile);
  if (tile && prefill_exists(*tile, PrefillWeights::packed) && tile->bk <= v.g) return {};
  std::vector<Tile> legal = prefill_tiles(weights);
  std::erase_if(legal, [&](const Tile& t) { return t.bk > v.g; });
  return broken("tile is {}; legal with G = {}: {}", v.c.tile, v.g, list_of(legal));
}

Broken tile_depth(const View& v) {
  if (v.c.tile == nullptr) return {};
  const auto tile = parse_tile(v.c.tile);
  if (tile && tile->bk == 32) return {};
  return broken("tile is {}; legal: bk32", v.c.tile);
}

// The decode op's order (contract.md 6.2).
constexpr std::array kHead{ClauseCheck{"act.dtype", check::act_dtype},
                           ClauseCheck{"scale.dtype", check::scale_dtype},
                           ClauseCheck{"group.size", check::group_size},
                           ClauseCheck{"k.group", check::k_group},
                           ClauseCheck{"scale.stride", check::scale_stride},
                           ClauseCheck{"zp.dtype", check::zp_dtype},
                           ClauseCheck{"zp.octet", check::zp_octet},
                           ClauseCheck{"k.step", check::k_step},
                           ClauseCheck{"act.stride", check::act_stride},
                           ClauseCheck{"m.positive", check::m_positive},
                           ClauseCheck{"n.positive", check::n_positive},
                           ClauseCheck{"k.positive", check::k_positive},
                           ClauseCheck{"bias.shape", check::bias_shape},
                           ClauseCheck{"bias.dtype", check::bias_dtype},
                           ClauseCheck{"bias.contiguous", check::bias_contiguous},
                           ClauseCheck{"out.contiguous", check::out_contiguous},
                           ClauseCheck{"lds.prefill", lds_prefill},
                           ClauseCheck{"index.wide", check::index_wide},
                           ClauseCheck{"align.act", check::align_act},
                           ClauseCheck{"align.weight", check::align_weight},
                           ClauseCheck{"align.scale", check::align_scale},
                           ClauseCheck{"align.zp", check::align_zp},
                           ClauseCheck{"align.bias", check::align_bias},
                           ClauseCheck{"align.out", check::align_out}};

template <size_t... counts>
constexpr auto join(const std::array<ClauseCheck, counts>&... parts) {
  std::array<ClauseCheck, (counts + ...)> all{};
  size_t at = 0;
  const auto put = [&](const auto& part) {
    for (const ClauseCheck& c : part) all[at++] = c;
  };
  (put(parts), ...);
  return all;
}

constexpr auto kPacked =
    join(std::array{ClauseCheck{"experts.none", check::experts_none},
                    ClauseCheck{"act.rank", check::act_rank},
                    ClauseCheck{"weight.stride", check::weight_stride}},
         kHead, std::array{ClauseCheck{"tile.prefill", tile_legal<PrefillWeights::packed>}});
constexpr auto kDense =
    join(std::array{ClauseCheck{"experts.none", check::experts_none},
                    ClauseCheck{"act.rank", check::act_rank},
                    ClauseCheck{"weight.stride", dense_stride}},
         kHead,
         std::array{ClauseCheck{"tile.prefill", tile_legal<PrefillWeights::dense>},
                    ClauseCheck{"tile.depth", tile_depth}});
constexpr auto kCarrier = join(
    std::array{ClauseCheck{"experts.none", check::experts_none},
               ClauseCheck{"act.rank", check::act_rank},
               ClauseCheck{"weight.stride", check::weight_stride}},
    kHead,
    std::array{ClauseCheck{"zp.packed", zp_packed}, ClauseCheck{"carrier.stride", carrier_stride},
               ClauseCheck{"align.carrier", align_carrier},
               ClauseCheck{"tile.prefill", tile_legal<PrefillWeights::carrier>},
               ClauseCheck{"tile.depth", tile_depth}});

constexpr auto kPackedNames = clause_names(kPacked, kPreparationClauses);
constexpr auto kDenseNames = clause_names(kDense, kPreparationClauses);
constexpr auto kCarrierNames = clause_names(kCarrier, kPreparationClauses);

}  // namespace

const char* const* prefill_clauses(PrefillWeights weights) {
  switch (weights) {
    case PrefillWeights::packed:
      return kPackedNames.data();
    case PrefillWeights::dense:
      return kDenseNames.data();
    case PrefillWeights::carrier:
      break;
  }
  return kCarrierNames.data();
}

std::optional<BrokenClause> check_prefill(const w4_call& call, const w4_device& device,
                                          PrefillWeights weights) {
  switch (weights) {
    case PrefillWeights::packed:
      return first_broken(kPacked, call, device);
    case PrefillWeights::dense:
      return first_broken(kDense, call, device);
    case PrefillWeights::carrier:
      break;
  }
  return first_broken(kCarrier, call, device);
}

}  // namespace w4
