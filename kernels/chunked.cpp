#include "kernels/chunked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "kernels/chunked_args.h"
#include "kernels/chunked_checks.h"
#include "kernels/descriptors.h"
#include "kernels/numerics.h"
#include "kernels/objects.h"
#include "kernels/prepare.h"

namespace w4 {
namespace {

std::optional<BrokenClause> check(const w4_call& call, const w4_device& device) {
  if (auto why = check_chunked(call, device)) return why;
  return check_arch(device);
}

ChunkedArgs arguments(const w4_call& call, const ChunkedPlan& plan) {
  ChunkedArgs a{};
  a.act = call.act->device;
  a.wei = call.wei->device;
  a.scale = call.scale->device;
  a.zp = call.zp == nullptr ? 0 : call.zp->device;
  a.out = call.out->device;
  a.act_stride = call.act->stride[0];
  a.wei_stride = call.wei->stride[0];
  a.scale_stride = call.scale->stride[0];
  a.out_stride = call.out->stride[0];
  a.n = static_cast<uint32_t>(call.wei->dim[0]);
  a.k = static_cast<uint32_t>(call.act->dim[1]);
  a.waves = static_cast<uint32_t>(plan.waves);
  a.step = static_cast<uint32_t>(
      std::min<int64_t>(plan.blocks * plan.waves * plan.y, std::numeric_limits<int32_t>::max()));
  a.chunk = static_cast<uint32_t>(plan.chunk);
  if (call.bias != nullptr) {
    const w4_tensor& bias = *call.bias;
    const int64_t rows = bias.rank == 1 ? 1 : bias.dim[0];
    const int64_t cols = bias.dim[bias.rank - 1];
    a.bias = bias.device;
    a.bias_n_stride = cols == 1 ? 0 : 1;
    // The bias's own row length: rows of [M,1] are one element apart (contract.md K3).
    a.bias_m_stride = rows == 1 ? 0 : cols;
  }
  return a;
}

int accept(const w4_kernel*, const w4_call* call, const w4_device* device) {
  const auto why = check(*call, *device);
  return why ? refuse(*device, *why) : 0;
}

int run(const w4_kernel*, const w4_call* call, const w4_device* device) {
  if (const auto why = check(*call, *device)) return refuse(*device, *why);
  const ChunkedInstantiation what = select_chunked(*call);
  const KernelObject* object = find_object("chunked", device->arch, what.act, what.g);
  if (object == nullptr) {
    return refuse(*device, {"arch", fmt::format("no code object for {} {} G = {}", device->arch,
                                                what.act, what.g)});
  }
  const ChunkedArgs args = arguments(*call, what.plan);
  const std::string symbol = what.symbol();
  w4_launch launch{};
  launch.object = object->begin;
  launch.object_bytes = object->bytes();
  launch.symbol = symbol.c_str();
  std::ranges::copy(std::array<uint32_t, 3>{static_cast<uint32_t>(what.plan.blocks), 1, 1},
                    launch.grid);
  std::ranges::copy(std::array<uint32_t, 3>{32, kChunkedWaves, 1}, launch.block);
  launch.args = &args;
  launch.arg_bytes = offsetof(ChunkedArgs, unused);
  const int result = device->launch(device->self, &launch);
  device->ran(device->self, what.text().c_str());
  return result;
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
  static constexpr w4_layout kZpLayouts[] = {W4_ZP_PACKED};
  w4_kernel k{};
  k.name = "chunked";
  k.says =
      "Skinny W4A16 GEMM for M = 1 to 5 and any K: resident and chunked kernels, tile table and "
      "checks of V3";
  k.clauses = chunked_clauses();
  k.zp_layouts = kZpLayouts;
  k.zp_layout_count = 1;
  k.numerics = &kChunkedNumerics;
  k.archs = kernel_archs();
  k.deterministic = 1;
  k.accept = accept;
  k.prepare = prepare_weights;
  k.run = run;
  return k;
}

}  // namespace w4
