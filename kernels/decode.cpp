#include "kernels/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "kernels/decode_args.h"
#include "kernels/decode_checks.h"
#include "kernels/descriptors.h"
#include "kernels/numerics.h"
#include "kernels/objects.h"
#include "kernels/prepare.h"

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
  a.act = call.act->device;
  a.wei = call.wei->device;
  a.scale = call.scale->device;
  a.zp = call.zp == nullptr ? 0 : call.zp->device;
  a.out = call.out->device;
  a.wei_stride = call.wei->stride[0];
  a.scale_stride = call.scale->stride[0];
  a.out_stride = call.out->stride[0];
  a.n = static_cast<uint32_t>(call.wei->dim[0]);
  a.k = static_cast<uint32_t>(call.act->dim[1]);
  a.waves = static_cast<uint32_t>(plan.waves);
  a.step = static_cast<uint32_t>(
      std::min<int64_t>(plan.blocks * plan.waves * plan.y, std::numeric_limits<int32_t>::max()));
  a.tail = a.n - std::min(a.n, static_cast<uint32_t>(plan.y));
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
  const DecodeInstantiation what = select_decode(*call, kDecodeLdsElements);
  const KernelObject* object = find_object("decode", device->arch, what.act, what.g);
  if (object == nullptr) {
    return refuse(*device, {"arch", fmt::format("no code object for {} {} G = {}", device->arch,
                                                what.act, what.g)});
  }
  const DecodeArgs args = arguments(*call, what.plan);
  const std::string symbol = what.symbol();
  w4_launch launch{};
  launch.object = object->begin;
  launch.object_bytes = object->bytes();
  launch.symbol = symbol.c_str();
  std::ranges::copy(std::array<uint32_t, 3>{static_cast<uint32_t>(what.plan.blocks), 1, 1},
                    launch.grid);
  std::ranges::copy(std::array<uint32_t, 3>{32, kDecodeWaves, 1}, launch.block);
  launch.args = &args;
  launch.arg_bytes = offsetof(DecodeArgs, unused);
  const int result = device->launch(device->self, &launch);
  device->ran(device->self, what.text().c_str());
  return result;
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
  static constexpr w4_layout kZpLayouts[] = {W4_ZP_PACKED, W4_ZP_UNPACKED};
  w4_kernel k{};
  k.name = "decode";
  k.says =
      "Skinny W4A16 GEMM for M = 1 to 5: small and medium kernels, tile table and checks of V2";
  k.clauses = decode_clauses();
  k.zp_layouts = kZpLayouts;
  k.zp_layout_count = 2;
  k.numerics = &kDecodeNumerics;
  k.archs = kernel_archs();
  k.deterministic = 1;
  k.accept = accept;
  k.prepare = prepare_weights;
  k.run = run;
  return k;
}

}  // namespace w4
