#include "kernels/moe_prefill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "kernels/descriptors.h"
#include "kernels/experts.h"
#include "kernels/moe_prefill_args.h"
#include "kernels/moe_prefill_checks.h"
#include "kernels/numerics.h"
#include "kernels/objects.h"

namespace w4 {
namespace {

std::optional<BrokenClause> check(const w4_call& call, const w4_device& device) {
  if (auto why = check_moe_prefill(call, device)) return why;
  return check_arch(device);
}

MoePrefillArgs arguments(const w4_call& call) {
  MoePrefillArgs a{};
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
  a.k = static_cast<uint32_t>(call.act->dim[1]);
  a.group_shift = static_cast<uint32_t>(std::countr_zero(static_cast<uint64_t>(call.group_size)));
  a.experts = static_cast<uint32_t>(call.wei->dim[0]);
  a.blocks = static_cast<uint32_t>(call.expert_ids->dim[0]);
  a.rows = static_cast<uint32_t>(call.out->dim[0]);
  a.top_k = call.sorted_ids == nullptr ? 1 : static_cast<uint32_t>(call.top_k);
  return a;
}

int accept(const w4_kernel*, const w4_call* call, const w4_device* device) {
  const auto why = check(*call, *device);
  return why ? refuse(*device, *why) : 0;
}

int run(const w4_kernel*, const w4_call* call, const w4_device* device) {
  if (const auto why = check(*call, *device)) return refuse(*device, *why);
  const MoePrefillInstantiation what = select_moe_prefill(*call);
  const KernelObject* object = find_object("moe_prefill", device->arch, what.act, 0);
  if (object == nullptr) {
    return refuse(*device,
                  {"arch", fmt::format("no code object for {} {}", device->arch, what.act)});
  }
  const MoePrefillArgs args = arguments(*call);
  const std::string symbol = what.symbol();
  const uint32_t columns =
      (args.n + static_cast<uint32_t>(what.tile.bn) - 1) / static_cast<uint32_t>(what.tile.bn);
  w4_launch launch{};
  launch.object = object->begin;
  launch.object_bytes = object->bytes();
  launch.symbol = symbol.c_str();
  std::ranges::copy(std::array<uint32_t, 3>{args.blocks * columns, 1, 1}, launch.grid);
  std::ranges::copy(std::array<uint32_t, 3>{32, static_cast<uint32_t>(what.tile.w), 1},
                    launch.block);
  launch.args = &args;
  launch.arg_bytes = offsetof(MoePrefillArgs, unused);
  const int result = device->launch(device->self, &launch);
  device->ran(device->self, what.text().c_str());
  return result;
}

}  // namespace

std::optional<Tile> moe_prefill_tile(int64_t block_m) {
#define W4_ROW(BM, BN, BK, ROWS, COLUMNS) \
  if (block_m == BM) return Tile{0, 0, 0, ROWS * COLUMNS, true, BM, BN, BK};
  W4_MOE_PREFILL_TILES(W4_ROW)
#undef W4_ROW
  return {};
}

std::string MoePrefillInstantiation::symbol() const {
  return fmt::format("w4_moe_prefill_bm{}bn{}bk{}_{}_{}", tile.bm, tile.bn, tile.bk, act, zp);
}

std::string MoePrefillInstantiation::text() const {
  return fmt::format("m{} {} g{} {} {}", m, to_string(tile), g, act, zp);
}

MoePrefillInstantiation select_moe_prefill(const w4_call& call) {
  MoePrefillInstantiation d;
  d.tile = moe_prefill_tile(call.block_m).value_or(Tile{});
  d.m = call.block_m;
  d.g = call.group_size;
  d.act = name_of(call.act->dtype);
  d.zp = call.zp == nullptr ? "symmetric" : "packed";
  return d;
}

w4_kernel moe_prefill_kernel() {
  static constexpr w4_layout kZpLayouts[] = {W4_ZP_PACKED};
  w4_kernel k{};
  k.name = "moe_prefill";
  k.says =
      "W4A16 MoE GEMM for many tokens on matrix instructions: blocks of 16, 32 or 64 rows of one "
      "expert, rows by sorted ids or in order";
  k.clauses = moe_prefill_clauses();
  k.zp_layouts = kZpLayouts;
  k.zp_layout_count = 1;
  k.numerics = &kPrefillNumerics;
  k.archs = kernel_archs();
  k.deterministic = 1;
  k.accept = accept;
  k.prepare = prepare_experts;
  k.run = run;
  k.moe = 1;
  return k;
}

}  // namespace w4
