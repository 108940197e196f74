#include "kernels/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "kernels/decode_args.h"
#include "kernels/decode_checks.h"
#include "kernels/descriptors.h"
#include "kernels/launch.h"
#include "kernels/numerics.h"
#include "kernels/table.h"

namespace w4 {
namespace {

// One arm for each group size the checks let through (contract.md K2).
int group_arm(int64_t g) {
  switch (g) {
    case 32:
      return 32;
    case 64:
      return 64;
    default:
      return 128;
  }
}

std::string_view zp_arm(const w4_tensor* zp) {
  if (zp == nullptr) return "symmetric";
  return zp->layout == W4_ZP_PACKED ? "packed" : "unpacked";
}

std::optional<BrokenClause> check(const w4_call& call, const w4_device& device) {
  if (auto why = check_decode(call, device)) return why;
  return check_arch(device);
}

DecodeArgs arguments(const w4_call& call, const DecodePlan& plan) {
  DecodeArgs a{};
  set_layer_arguments(call, a);
  a.waves = static_cast<uint32_t>(plan.waves);
  a.step = row_step(plan.blocks, plan.waves, plan.y);
  a.tail = a.n - std::min(a.n, static_cast<uint32_t>(plan.y));
  return a;
}

int accept(const w4_kernel*, const w4_call* call, const w4_device* device) {
  const auto why = check(*call, *device);
  return why ? refuse(*device, *why) : 0;
}

int run(const w4_kernel*, const w4_call* call, const w4_device* device) {
  if (const auto why = check(*call, *device)) return refuse(*device, *why);
  const DecodeInstantiation what = select_decode(*call, kDecodeLdsElements);
  const DecodeArgs args = arguments(*call, what.plan);
  return launch(
      *device,
      {"decode", what.act, what.g, what.symbol(), what.text(), what.plan.blocks, int{kDecodeWaves}},
      &args, offsetof(DecodeArgs, unused));
}

}  // namespace

std::string DecodeInstantiation::symbol() const {
  return fmt::format("w4_decode_{}_m{}_y{}_u{}_g{}_{}_{}",
                     plan.form == DecodeForm::small ? "small" : "medium", m, plan.y, plan.u, g, act,
                     zp);
}

std::string DecodeInstantiation::text() const {
  return fmt::format("{} m{} y{}u{}a{}w{} w{} g{} {} {}",
                     plan.form == DecodeForm::small ? "small" : "medium", m, plan.y, plan.u,
                     kDecodeChunk, kDecodeWaves, plan.waves, g, act, zp);
}

DecodeInstantiation select_decode(const w4_call& call, int64_t lds_elements) {
  const int64_t m = call.act->dim[0];
  const auto forced = call.tile == nullptr ? std::nullopt : parse_tile(call.tile);
  DecodeInstantiation d;
  d.plan = plan_decode(m, call.wei->dim[0], call.act->dim[1], call.cu_count, lds_elements, forced);
  d.m = m;
  d.g = group_arm(call.group_size);
  d.act = name_of(call.act->dtype);
  d.zp = zp_arm(call.zp);
  return d;
}

w4_kernel decode_kernel() {
  w4_kernel k = built_in_row(kAllZeroPoints);
  k.name = "decode";
  k.says =
      "Skinny W4A16 GEMM for M = 1 to 5: small and medium kernels, tile table and checks of V2";
  k.clauses = decode_clauses();
  k.numerics = &kDecodeNumerics;
  k.accept = accept;
  k.run = run;
  return k;
}

}  // namespace w4
