#include "kernels/moe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "kernels/descriptors.h"
#include "kernels/experts.h"
#include "kernels/moe_args.h"
#include "kernels/moe_checks.h"
#include "kernels/numerics.h"
#include "kernels/objects.h"

namespace w4 {
namespace {

std::optional<BrokenClause> check(const w4_call& call, const w4_device& device) {
  if (auto why = check_moe(call, device)) return why;
  return check_arch(device);
}

MoeArgs arguments(const w4_call& call, const MoePlan& plan) {
  MoeArgs a{};
  a.act = call.act->device;
  a.wei = call.wei->device;
  a.scale = call.scale->device;
  a.out = call.out->device;
  a.expert_ids = call.expert_ids->device;
  a.sorted_ids = call.sorted_ids == nullptr ? 0 : call.sorted_ids->device;
  a.act_stride = call.act->stride[0];
  a.wei_stride = call.wei->stride[1];
  a.scale_stride = call.scale->stride[1];
  a.out_stride = call.out->stride[0];
  a.wei_expert = call.wei->stride[0];
  a.scale_expert = call.scale->stride[0];
  if (call.zp != nullptr) {
    a.zp = call.zp->device;
    a.zp_expert = call.zp->stride[0];
  }
  a.n = static_cast<uint32_t>(call.wei->dim[1]);
  a.k = static_cast<uint32_t>(call.act->dim[1] / (call.silu != 0 ? 2 : 1));
  a.experts = static_cast<uint32_t>(call.wei->dim[0]);
  a.blocks = static_cast<uint32_t>(call.expert_ids->dim[0]);
  a.rows = static_cast<uint32_t>(call.out->dim[0]);
  const bool row_a_slot = call.silu != 0 || call.sorted_ids == nullptr;
  a.top_k = row_a_slot ? 1 : static_cast<uint32_t>(call.top_k);
  a.waves = static_cast<uint32_t>(plan.waves);
  a.grid = static_cast<uint32_t>(plan.grid);
  a.step = static_cast<uint32_t>(
      std::min<int64_t>(plan.grid * plan.waves * plan.tile.y, std::numeric_limits<int32_t>::max()));
  a.chunk = static_cast<uint32_t>(plan.chunk);
  return a;
}

int accept(const w4_kernel*, const w4_call* call, const w4_device* device) {
  const auto why = check(*call, *device);
  return why ? refuse(*device, *why) : 0;
}

int run(const w4_kernel*, const w4_call* call, const w4_device* device) {
  if (const auto why = check(*call, *device)) return refuse(*device, *why);
  const MoeInstantiation what = select_moe(*call);
  const KernelObject* object = find_object("moe", device->arch, what.act, what.g);
  if (object == nullptr) {
    return refuse(*device, {"arch", fmt::format("no code object for {} {} G = {}", device->arch,
                                                what.act, what.g)});
  }
  const MoeArgs args = arguments(*call, what.plan);
  const std::string symbol = what.symbol();
  w4_launch launch{};
  launch.object = object->begin;
  launch.object_bytes = object->bytes();
  launch.symbol = symbol.c_str();
  std::ranges::copy(std::array<uint32_t, 3>{static_cast<uint32_t>(what.plan.grid), 1, 1},
                    launch.grid);
  std::ranges::copy(std::array<uint32_t, 3>{32, static_cast<uint32_t>(what.plan.tile.w), 1},
                    launch.block);
  launch.dynamic_lds = static_cast<uint32_t>(2 * what.plan.elements);
  launch.args = &args;
  launch.arg_bytes = sizeof args;
  const int result = device->launch(device->self, &launch);
  device->ran(device->self, what.text().c_str());
  return result;
}

std::string_view name_of(MoeForm form) {
  switch (form) {
    case MoeForm::resident:
      return "resident";
    case MoeForm::silu:
      return "silu";
    case MoeForm::chunked:
      break;
  }
  return "chunked";
}

}  // namespace

std::string MoeInstantiation::symbol() const {
  const Tile& t = plan.tile;
  return fmt::format("w4_moe_{}_m{}_y{}_u{}_a{}_w{}_g{}_{}_{}", name_of(plan.form), m, t.y, t.u,
                     t.a, t.w, g, act, zp);
}

std::string MoeInstantiation::text() const {
  const std::string_view form = plan.form != MoeForm::resident       ? name_of(plan.form)
                                : plan.elements == kMoeSmallElements ? "small"
                                                                     : "large";
  return fmt::format("{} m{} {} w{} g{} {} {}", form, m, to_string(plan.tile), plan.waves, g, act,
                     zp);
}

MoeInstantiation select_moe(const w4_call& call) {
  const auto forced = call.tile == nullptr ? std::nullopt : parse_tile(call.tile);
  const bool silu = call.silu != 0;
  MoeInstantiation d;
  d.m = call.block_m;
  d.plan = plan_moe(d.m, call.wei->dim[1], call.act->dim[1] / (silu ? 2 : 1), call.cu_count, silu,
                    forced);
  d.g = static_cast<int>(call.group_size);  // clause group.size: each has its object
  d.act = w4::name_of(call.act->dtype);
  d.zp = call.zp == nullptr ? "symmetric" : "packed";
  return d;
}

w4_kernel moe_kernel() {
  static constexpr w4_layout kZpLayouts[] = {W4_ZP_PACKED};
  w4_kernel k{};
  k.name = "moe";
  k.says =
      "Fused W4A16 MoE GEMM for few tokens: blocks of 1 to 5 rows of one expert, rows by sorted "
      "ids "
      "or in order, fused silu";
  k.clauses = moe_clauses();
  k.zp_layouts = kZpLayouts;
  k.zp_layout_count = 1;
  k.numerics = &kMoeNumerics;
  k.archs = kernel_archs();
  k.deterministic = 1;
  k.accept = accept;
  k.prepare = prepare_experts;
  k.run = run;
  k.moe = 1;
  return k;
}

}  // namespace w4
