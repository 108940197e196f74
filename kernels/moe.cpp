#include "kernels/moe.h"

#include <fmt/format.h>

#include "kernels/descriptors.h"
#include "kernels/experts.h"
#include "kernels/launch.h"
#include "kernels/moe_args.h"
#include "kernels/moe_checks.h"
#include "kernels/numerics.h"
#include "kernels/table.h"

namespace w4 {
namespace {

std::optional<BrokenClause> check(const w4_call& call, const w4_device& device) {
  if (auto why = check_moe(call, device)) return why;
  return check_arch(device);
}

MoeArgs arguments(const w4_call& call, const MoePlan& plan) {
  MoeArgs a{};
  set_expert_arguments(call, a);
  a.waves = static_cast<uint32_t>(plan.waves);
  a.grid = static_cast<uint32_t>(plan.grid);
  a.step = row_step(plan.grid, plan.waves, plan.tile.y);
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
  const MoeArgs args = arguments(*call, what.plan);
  return launch(*device,
                {"moe", what.act, what.g, what.symbol(), what.text(), what.plan.grid,
                 what.plan.tile.w, static_cast<uint32_t>(2 * what.plan.elements)},
                &args, sizeof(args));
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
  w4_kernel k = built_in_row(kPackedZeroPoints);
  k.name = "moe";
  k.says =
      "Fused W4A16 MoE GEMM for few tokens: blocks of 1 to 5 rows of one expert, rows by sorted "
      "ids or in order, fused silu";
  k.clauses = moe_clauses();
  k.numerics = &kMoeNumerics;
  k.accept = accept;
  k.prepare = prepare_experts;
  k.run = run;
  k.moe = 1;
  return k;
}

}  // namespace w4
