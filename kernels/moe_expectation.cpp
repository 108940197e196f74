#include <cstddef>

#include "kernels/expectations.h"
#include "kernels/moe.h"
#include "kernels/moe_args.h"

namespace w4 {
namespace {

#define W4_ARG(FIELD, ADDRESS) {offsetof(MoeArgs, FIELD), sizeof(MoeArgs::FIELD), ADDRESS}
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
    W4_ARG(experts, false),
    W4_ARG(blocks, false),
    W4_ARG(rows, false),
    W4_ARG(top_k, false),
    W4_ARG(waves, false),
    W4_ARG(grid, false),
    W4_ARG(step, false),
    W4_ARG(chunk, false),
};
#undef W4_ARG

// The launch asks for the array: a whole K picks one of two, the other forms have theirs.
std::vector<uint32_t> arrays(MoeForm form) {
  constexpr uint32_t kSmall = 2 * kMoeSmallElements, kLarge = 2 * kMoeLargeElements;
  switch (form) {
    case MoeForm::resident:
      return {kSmall, kLarge};
    case MoeForm::silu:
      return {kSmall};
    case MoeForm::chunked:
      break;
  }
  return {kLarge};
}

constexpr int kGroups[] = {32, 64, 128};

std::vector<ExpectedKernel> kernels(std::string_view act, int group_size) {
  std::vector<ExpectedKernel> out;
  const auto add = [&](MoeForm form, int64_t m, const Tile& tile) {
    for (const std::string_view zp : {"symmetric", "packed"}) {
      MoeInstantiation d;
      d.plan.form = form;
      d.plan.tile = tile;
      d.m = m;
      d.g = group_size;
      d.act = act;
      d.zp = zp;
      ExpectedKernel k;
      k.symbol = d.symbol();
      k.lds_bytes = 0;
      k.dynamic_lds = arrays(form);
      k.threads = static_cast<uint32_t>(32 * tile.w);
      k.needs = {"global_load_b128", "ds_store_b128", "ds_load_b128"};
      // IEEE division; the approximation of exp is nowhere (kernels/silu.h).
      if (form == MoeForm::silu) k.needs.push_back("v_div_fixup_f32");
      k.never.push_back("v_exp_f32");
      needs_dot2(k, act);
      out.push_back(std::move(k));
    }
  };
#define W4_ROW(FORM, M, Y, U, A, W) add(MoeForm::FORM, M, Tile{Y, U, A, W});
  W4_MOE_TILES(W4_ROW)
#undef W4_ROW
  return out;
}

}  // namespace

Expectation moe_expectation() { return {"moe", kGroups, kArgs, sizeof(MoeArgs), kernels}; }

}  // namespace w4
