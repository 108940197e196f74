#include <cstddef>

#include "kernels/decode.h"
#include "kernels/decode_args.h"
#include "kernels/expectations.h"

namespace w4 {
namespace {

#define W4_ARG(FIELD, ADDRESS) {offsetof(DecodeArgs, FIELD), sizeof(DecodeArgs::FIELD), ADDRESS}
constexpr ExpectedArg kArgs[] = {
    W4_ARG(act, true),
    W4_ARG(wei, true),
    W4_ARG(scale, true),
    W4_ARG(zp, true),
    W4_ARG(bias, true),
    W4_ARG(out, true),
    W4_ARG(wei_stride, false),
    W4_ARG(scale_stride, false),
    W4_ARG(bias_n_stride, false),
    W4_ARG(bias_m_stride, false),
    W4_ARG(out_stride, false),
    W4_ARG(n, false),
    W4_ARG(k, false),
    W4_ARG(waves, false),
    W4_ARG(step, false),
    W4_ARG(tail, false),
};
#undef W4_ARG

constexpr int kGroups[] = {32, 64, 128};

std::vector<ExpectedKernel> kernels(std::string_view act, int group_size) {
  std::vector<ExpectedKernel> out;
  const auto add = [&](DecodeForm form, int64_t m, int y, int u) {
    for (const std::string_view zp : {"symmetric", "packed", "unpacked"}) {
      DecodeInstantiation d;
      d.plan.form = form;
      d.plan.y = y;
      d.plan.u = u;
      d.m = m;
      d.g = group_size;
      d.act = act;
      d.zp = zp;
      ExpectedKernel k;
      k.symbol = d.symbol();
      k.lds_bytes = kDecodeLdsElements * 2;
      k.threads = 32 * kDecodeWaves;
      // Staging moves 16 bytes a lane, chunks are read from LDS the same way (contract.md 6.5,
      // 6.13).
      k.needs = {"global_load_b128", "ds_store_b128", "ds_load_b128"};
      needs_dot2(k, act);
      out.push_back(std::move(k));
    }
  };
#define W4_ROW(FORM, M, Y, U) add(DecodeForm::FORM, M, Y, U);
  W4_DECODE_TILES(W4_ROW)
#undef W4_ROW
  return out;
}

}  // namespace

Expectation decode_expectation() {
  return {"decode", kGroups, kArgs, offsetof(DecodeArgs, unused), kernels};
}

}  // namespace w4
