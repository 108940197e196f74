#include <cstddef>

#include "kernels/expectations.h"
#include "kernels/prefill.h"
#include "kernels/prefill_args.h"

namespace w4 {
namespace {

#define W4_ARG(FIELD, ADDRESS) {offsetof(PrefillArgs, FIELD), sizeof(PrefillArgs::FIELD), ADDRESS}
constexpr ExpectedArg kArgs[] = {
    W4_ARG(act, true),
    W4_ARG(wei, true),
    W4_ARG(scale, true),
    W4_ARG(zp, true),
    W4_ARG(bias, true),
    W4_ARG(out, true),
    W4_ARG(act_stride, false),
    W4_ARG(wei_stride, false),
    W4_ARG(scale_stride, false),
    W4_ARG(zp_stride, false),
    W4_ARG(bias_n_stride, false),
    W4_ARG(bias_m_stride, false),
    W4_ARG(out_stride, false),
    W4_ARG(m, false),
    W4_ARG(n, false),
    W4_ARG(k, false),
    W4_ARG(group_shift, false),
    W4_ARG(tiles_m, false),
    W4_ARG(tiles_factor, false),
    W4_ARG(tiles_shift, false),
};
#undef W4_ARG

constexpr int kGroups[] = {0};

std::vector<ExpectedKernel> kernels(std::string_view act, int) {
  const std::string_view f16 = "v_wmma_f32_16x16x16_f16", bf16 = "v_wmma_f32_16x16x16_bf16";
  std::vector<ExpectedKernel> out;
  const auto add = [&](const Tile& tile, std::string_view form) {
    PrefillInstantiation p;
    p.plan.tile = tile;
    p.act = act;
    p.form = form;
    ExpectedKernel k;
    k.symbol = p.symbol();
    k.lds_bytes = static_cast<uint32_t>(prefill_lds_bytes(tile));
    k.threads = 32 * static_cast<uint32_t>(tile.w);
    // Through LDS in pieces of 16 bytes, to matrix instructions of the one type.
    k.needs = {"global_load_b128", "ds_store_b128", "ds_load_b128", act == "f16" ? f16 : bf16};
    k.never = {act == "f16" ? bf16 : f16};
    out.push_back(std::move(k));
  };
  for (const Tile& t : prefill_tiles(PrefillWeights::packed)) {
    for (const std::string_view form : {"symmetric", "packed", "unpacked"}) add(t, form);
  }
  for (const Tile& t : prefill_tiles(PrefillWeights::dense)) add(t, "dense");
  for (const Tile& t : prefill_tiles(PrefillWeights::carrier)) add(t, "carrier");
  return out;
}

}  // namespace

Expectation prefill_expectation() {
  return {"prefill", kGroups, kArgs, sizeof(PrefillArgs), kernels};
}

}  // namespace w4
