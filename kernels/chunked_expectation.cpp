#include <cstddef>

#include "kernels/chunked.h"
#include "kernels/chunked_args.h"
#include "kernels/expectations.h"

namespace w4 {
namespace {

#define W4_ARG(FIELD, ADDRESS) {offsetof(ChunkedArgs, FIELD), sizeof(ChunkedArgs::FIELD), ADDRESS}
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
    W4_ARG(bias_n_stride, false),
    W4_ARG(bias_m_stride, false),
    W4_ARG(out_stride, false),
    W4_ARG(n, false),
    W4_ARG(k, false),
    W4_ARG(waves, false),
    W4_ARG(step, false),
    W4_ARG(chunk, false),
};
#undef W4_ARG

constexpr int kGroups[] = {32, 64, 128};
constexpr std::string_view kBoth[] = {"symmetric", "packed"};

std::span<const std::string_view> zero_points(std::string_view which) {
  return which == "both" ? std::span(kBoth) : std::span(kBoth).first(1);
}

std::vector<ExpectedKernel> kernels(std::string_view act, int group_size) {
  std::vector<ExpectedKernel> out;
  const auto add = [&](ChunkedForm form, int64_t m, int y, int u, int a, std::string_view which) {
    for (const std::string_view zp : zero_points(which)) {
      ChunkedInstantiation d;
      d.plan.form = form;
      d.plan.y = y;
      d.plan.u = u;
      d.plan.a = a;
      d.m = m;
      d.g = group_size;
      d.act = act;
      d.zp = zp;
      ExpectedKernel k;
      k.symbol = d.symbol();
      k.lds_bytes = kChunkedLdsElements * 2;
      k.threads = 32 * kChunkedWaves;
      k.needs = {"global_load_b128", "ds_store_b128", "ds_load_b128"};
      needs_dot2(k, act);
      out.push_back(std::move(k));
    }
  };
#define W4_ROW(FORM, M, Y, U, A, ZPS) add(ChunkedForm::FORM, M, Y, U, A, #ZPS);
  W4_CHUNKED_TILES(W4_ROW)
#undef W4_ROW
  return out;
}

}  // namespace

Expectation chunked_expectation() {
  return {"chunked", kGroups, kArgs, offsetof(ChunkedArgs, unused), kernels};
}

}  // namespace w4
