#include "kernels/prefill.h"

#include <fmt/format.h>

#include <bit>

#include "kernels/descriptors.h"
#include "kernels/launch.h"
#include "kernels/numerics.h"
#include "kernels/prefill_args.h"
#include "kernels/prefill_checks.h"
#include "kernels/table.h"

namespace w4 {
namespace {

PrefillWeights weights_of(const w4_kernel* self) {
  return *static_cast<const PrefillWeights*>(self->data);
}

std::string_view form_of(const w4_call& call, PrefillWeights weights) {
  if (weights == PrefillWeights::dense) return "dense";
  if (weights == PrefillWeights::carrier) return "carrier";
  if (call.zp == nullptr) return "symmetric";
  return call.zp->layout == W4_ZP_PACKED ? "packed" : "unpacked";
}

std::optional<BrokenClause> check(const w4_kernel* self, const w4_call& call,
                                  const w4_device& device) {
  if (auto why = check_prefill(call, device, weights_of(self))) return why;
  return check_arch(device);
}

PrefillArgs arguments(const w4_call& call, const PrefillPlan& plan, PrefillWeights weights) {
  const w4_tensor* zp = weights == PrefillWeights::carrier ? call.carrier : call.zp;
  PrefillArgs a{};
  set_layer_arguments(call, a);
  a.zp = zp == nullptr ? 0 : zp->device;
  a.act_stride = call.act->stride[0];
  a.zp_stride = zp == nullptr ? 0 : zp->stride[0];
  a.m = static_cast<uint32_t>(call.act->dim[0]);
  a.group_shift = static_cast<uint32_t>(std::countr_zero(static_cast<uint64_t>(call.group_size)));
  a.tiles_m = static_cast<uint32_t>(plan.tiles_m);
  const Quotient by_tiles(a.tiles_m);
  a.tiles_factor = by_tiles.factor;
  a.tiles_shift = by_tiles.shift;
  return a;
}

int accept(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  const auto why = check(self, *call, *device);
  return why ? refuse(*device, *why) : 0;
}

int run(const w4_kernel* self, const w4_call* call, const w4_device* device) {
  if (const auto why = check(self, *call, *device)) return refuse(*device, *why);
  const PrefillWeights weights = weights_of(self);
  const PrefillInstantiation what = select_prefill(*call, device->arch, weights);
  const PrefillArgs args = arguments(*call, what.plan, weights);
  return launch(
      *device,
      {"prefill", what.act, 0, what.symbol(), what.text(), what.plan.blocks, what.plan.tile.w},
      &args, sizeof(args));
}

constexpr PrefillWeights kWeights[] = {PrefillWeights::packed, PrefillWeights::dense,
                                       PrefillWeights::carrier};

w4_kernel kernel(const PrefillWeights& weights) {
  const bool carrier = weights == PrefillWeights::carrier;
  w4_kernel k = carrier ? built_in_row(kPackedZeroPoints) : built_in_row(kAllZeroPoints);
  k.clauses = prefill_clauses(weights);
  k.data = &weights;
  k.accept = accept;
  k.run = run;
  return k;
}

}  // namespace

std::string PrefillInstantiation::symbol() const {
  const Tile& t = plan.tile;
  return fmt::format("w4_prefill_bm{}bn{}bk{}_{}_{}", t.bm, t.bn, t.bk, act, form);
}

std::string PrefillInstantiation::text() const {
  return fmt::format("{} m{} g{} {} {}", to_string(plan.tile), m, g, act, form);
}

PrefillInstantiation select_prefill(const w4_call& call, std::string_view arch,
                                    PrefillWeights weights) {
  const auto forced = call.tile == nullptr ? std::nullopt : parse_tile(call.tile);
  PrefillInstantiation p;
  p.m = call.act->dim[0];
  p.g = call.group_size;
  p.plan = plan_prefill(arch, call.act->dtype, p.m, call.wei->dim[0], call.act->dim[1], p.g,
                        weights, forced);
  p.act = name_of(call.act->dtype);
  p.form = form_of(call, weights);
  return p;
}

w4_kernel prefill_kernel() {
  w4_kernel k = kernel(kWeights[0]);
  k.name = "prefill";
  k.says =
      "W4A16 GEMM for any M: weights dequantised into LDS, matrix instructions, tile table of V1";
  k.numerics = &kPrefillNumerics;
  return k;
}

w4_kernel prefill_dense_kernel() {
  w4_kernel k = kernel(kWeights[1]);
  k.name = "prefill_dense";
  k.says = "The prefill GEMM on weights dequantised beforehand";
  k.numerics = &kPrefillDenseNumerics;
  k.dense_weights = 1;
  return k;
}

w4_kernel prefill_carrier_kernel() {
  w4_kernel k = kernel(kWeights[2]);
  k.name = "prefill_carrier";
  k.says = "The prefill GEMM with scales and zero points from one carrier word a group";
  k.numerics = &kPrefillCarrierNumerics;
  k.reads_carrier = 1;
  return k;
}

}  // namespace w4
