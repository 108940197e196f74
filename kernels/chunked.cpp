#include "kernels/chunked.h"

#include <fmt/format.h>

#include <cstddef>

#include "kernels/chunked_args.h"
#include "kernels/chunked_checks.h"
#include "kernels/descriptors.h"
#include "kernels/launch.h"
#include "kernels/numerics.h"
#include "kernels/table.h"

namespace w4 {
namespace {

std::optional<BrokenClause> check(const w4_call& call, const w4_device& device) {
  if (auto why = check_chunked(call, device)) return why;
  return check_arch(device);
}

ChunkedArgs arguments(const w4_call& call, const ChunkedPlan& plan) {
  ChunkedArgs a{};
  set_layer_arguments(call, a);
  a.act_stride = call.act->stride[0];
  a.waves = static_cast<uint32_t>(plan.waves);
  a.step = row_step(plan.blocks, plan.waves, plan.y);
  a.chunk = static_cast<uint32_t>(plan.chunk);
  return a;
}

int accept(const w4_kernel*, const w4_call* call, const w4_device* device) {
  const auto why = check(*call, *device);
  return why ? refuse(*device, *why) : 0;
}

int run(const w4_kernel*, const w4_call* call, const w4_device* device) {
  if (const auto why = check(*call, *device)) return refuse(*device, *why);
  const ChunkedInstantiation what = select_chunked(*call);
  const ChunkedArgs args = arguments(*call, what.plan);
  return launch(*device,
                {"chunked", what.act, what.g, what.symbol(), what.text(), what.plan.blocks,
                 int{kChunkedWaves}},
                &args, offsetof(ChunkedArgs, unused));
}

std::string_view name_of(ChunkedForm form) {
  return form == ChunkedForm::resident ? "resident" : "chunked";
}

}  // namespace

std::string ChunkedInstantiation::symbol() const {
  return fmt::format("w4_chunked_{}_m{}_y{}_u{}_a{}_g{}_{}_{}", name_of(plan.form), m, plan.y,
                     plan.u, plan.a, g, act, zp);
}

std::string ChunkedInstantiation::text() const {
  return fmt::format("{} m{} y{}u{}a{}w{} w{} g{} {} {}", name_of(plan.form), m, plan.y, plan.u,
                     plan.a, kChunkedWaves, plan.waves, g, act, zp);
}

ChunkedInstantiation select_chunked(const w4_call& call) {
  const bool symmetric = call.zp == nullptr;
  const auto forced = call.tile == nullptr ? std::nullopt : parse_tile(call.tile);
  ChunkedInstantiation d;
  d.m = call.act->dim[0];
  d.plan = plan_chunked(d.m, call.wei->dim[0], call.act->dim[1], call.cu_count, symmetric, forced);
  d.g = static_cast<int>(call.group_size);  // clause group.size: each has its object
  d.act = w4::name_of(call.act->dtype);
  d.zp = symmetric ? "symmetric" : "packed";
  return d;
}

w4_kernel chunked_kernel() {
  w4_kernel k = built_in_row(kPackedZeroPoints);
  k.name = "chunked";
  k.says =
      "Skinny W4A16 GEMM for M = 1 to 5 and any K: resident and chunked kernels, tile table and "
      "checks of V3";
  k.clauses = chunked_clauses();
  k.numerics = &kChunkedNumerics;
  k.accept = accept;
  k.run = run;
  return k;
}

}  // namespace w4
