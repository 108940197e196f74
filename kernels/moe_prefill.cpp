#include "kernels/moe_prefill.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>

#include "kernels/descriptors.h"
#include "kernels/experts.h"
#include "kernels/launch.h"
#include "kernels/moe_prefill_args.h"
#include "kernels/moe_prefill_checks.h"
#include "kernels/numerics.h"
#include "kernels/table.h"

namespace w4 {
namespace {

std::optional<BrokenClause> check(const w4_call& call, const w4_device& device) {
  if (auto why = check_moe_prefill(call, device)) return why;
  return check_arch(device);
}

MoePrefillArgs arguments(const w4_call& call) {
  MoePrefillArgs a{};
  set_expert_arguments(call, a);
  a.group_shift = static_cast<uint32_t>(std::countr_zero(static_cast<uint64_t>(call.group_size)));
  return a;
}

int accept(const w4_kernel*, const w4_call* call, const w4_device* device) {
  const auto why = check(*call, *device);
  return why ? refuse(*device, *why) : 0;
}

int run(const w4_kernel*, const w4_call* call, const w4_device* device) {
  if (const auto why = check(*call, *device)) return refuse(*device, *why);
  const MoePrefillInstantiation what = select_moe_prefill(*call);
  const MoePrefillArgs args = arguments(*call);
  const int64_t columns = (int64_t{args.n} + what.tile.bn - 1) / what.tile.bn;
  return launch(
      *device,
      {"moe_prefill", what.act, 0, what.symbol(), what.text(), args.blocks * columns, what.tile.w},
      &args, offsetof(MoePrefillArgs, unused));
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
  w4_kernel k = built_in_row(kPackedZeroPoints);
  k.name = "moe_prefill";
  k.says =
      "W4A16 MoE GEMM for many tokens on matrix instructions: blocks of 16, 32 or 64 rows of one "
      "expert, rows by sorted ids or in order";
  k.clauses = moe_prefill_clauses();
  k.numerics = &kPrefillNumerics;
  k.accept = accept;
  k.prepare = prepare_experts;
  k.run = run;
  k.moe = 1;
  return k;
}

}  // namespace w4
