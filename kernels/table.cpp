#include "kernels/table.h"

#include "kernels/chunked.h"
#include "kernels/decode.h"
#include "kernels/hybrid.h"
#include "kernels/moe.h"
#include "kernels/moe_prefill.h"
#include "kernels/objects.h"
#include "kernels/prefill.h"
#include "kernels/prepare.h"

namespace w4 {

namespace {

// Each output is one sum, in an order that its K and the tile fix.
constexpr const char* kLaws[] = {"power_act",     "power_scale",  "permute_n",  "row_alone",
                                 "row_isolation", "zero_shift",   "implicit_8", "zero_form",
                                 "unused_zeros",  "split_groups", "no_bias",    "bias_adds",
                                 "extend_k",      "tail_act",     "repeat",     "schedule",
                                 "cu_count",      "addresses",    "one_hot",    nullptr};

}  // namespace

w4_kernel built_in_row(std::span<const w4_layout> zp_layouts) {
  w4_kernel k{};
  k.zp_layouts = zp_layouts.data();
  k.zp_layout_count = static_cast<int32_t>(zp_layouts.size());
  k.archs = kernel_archs();
  k.laws = kLaws;
  k.prepare = prepare_weights;
  return k;
}

const w4_module& builtin_module() {
#define W4_KERNEL(name) name##_kernel(),
  static const w4_kernel kernels[] = {
#include "kernels/kernels.inc"
  };
#undef W4_KERNEL
  static const w4_module module{W4_MODULE_VERSION, sizeof(w4_kernel), "built in", kernels,
                                static_cast<int32_t>(std::size(kernels))};
  return module;
}

}  // namespace w4
