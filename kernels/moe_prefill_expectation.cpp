#include <cstddef>

#include "kernels/expectations.h"
#include "kernels/gemm_shape.h"
#include "kernels/moe_prefill.h"
#include "kernels/moe_prefill_args.h"

namespace w4 {
namespace {

#define W4_ARG(FIELD, ADDRESS) \
  {offsetof(MoePrefillArgs, FIELD), sizeof(MoePrefillArgs::FIELD), ADDRESS}
constexpr ExpectedArg kArgs[] = {
    W4_ARG(act, true),
    W4_ARG(wei, true),
    W4_ARG(scale, true),
    W4_ARG(zp, true),
    W4_ARG(out, true),
    W4_ARG(expert_ids, true),
    W4_ARG(sorted_ids, true),
    W4_ARG(act_stride, false),
    W4_ARG(wei_stride, false),
    W4_ARG(scale_stride, false),
    W4_ARG(out_stride, false),
    W4_ARG(wei_expert, false),
    W4_ARG(scale_expert, false),
    W4_ARG(zp_expert, false),
    W4_ARG(n, false),
    W4_ARG(k, false),
    W4_ARG(group_shift, false),
    W4_ARG(experts, false),
    W4_ARG(blocks, false),
    W4_ARG(rows, false),
    W4_ARG(top_k, false),
};
#undef W4_ARG

constexpr int kGroups[] = {0};

std::vector<ExpectedKernel> kernels(std::string_view act, int) {
  std::vector<ExpectedKernel> out;
  const std::string_view f16 = "v_wmma_f32_16x16x16_f16", bf16 = "v_wmma_f32_16x16x16_bf16";
  const auto add = [&](const Tile& tile) {
    for (const std::string_view zp : {"symmetric", "packed"}) {
      ExpectedKernel k;
      k.symbol = MoePrefillInstantiation{tile, tile.bm, 0, act, zp}.symbol();
      k.lds_bytes = gemm_lds_bytes(static_cast<uint32_t>(tile.bm), static_cast<uint32_t>(tile.bn),
                                   static_cast<uint32_t>(tile.bk));
      k.threads = static_cast<uint32_t>(32 * tile.w);
      k.needs = {"ds_store_b128", "ds_load_b128", act == "f16" ? f16 : bf16};
      k.never = {act == "f16" ? bf16 : f16};
      out.push_back(std::move(k));
    }
  };
#define W4_ROW(BM, BN, BK, ROWS, COLUMNS) add(*moe_prefill_tile(BM));
  W4_MOE_PREFILL_TILES(W4_ROW)
#undef W4_ROW
  return out;
}

}  // namespace

Expectation moe_prefill_expectation() {
  return {"moe_prefill", kGroups, kArgs, offsetof(MoePrefillArgs, unused), kernels};
}

}  // namespace w4
