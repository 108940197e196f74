#include "verify/cases/signal.h"

#include <array>
#include <cmath>

#include "devices/device.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "reference/experts.h"
#include "verify/materialise.h"
#include "verify/module_numerics.h"

namespace w4 {
namespace {

constexpr int64_t kFewOutputs = 96;
constexpr int64_t kLongSum = 1536;
constexpr int kSeeds = 6;

Arithmetic arithmetic_of(const Case& c) {
  return arithmetic_from(c.fp == "auto" ? default_fp(c.device) : c.fp);
}

}  // namespace

bool may_lack_signal(const Case& c) {
  const Problem& p = c.problem;
  if (!promises_signal(c.fill)) return false;
  const int64_t outputs = (p.experts > 0 ? slots(p) : p.m) * p.n;
  if (outputs <= kFewOutputs || p.silu || p.k >= kLongSum) return true;
  if (c.fill != Fill::lane) return false;
  return p.bias.rank > 0 || (p.act == DType::bf16 && arithmetic_of(c) != Arithmetic::ieee);
}

bool shows_signal(const Case& c) {
  const w4_kernel* row = find_kernel(builtin_module(), c.kernel);
  const GpuModel* gpu = find_gpu(c.device);
  if (row == nullptr || gpu == nullptr || !promises_signal(c.fill)) return true;
  const Problem& p = c.problem;
  const w4_numerics& declared = declared_numerics(*row, p);
  const ModuleNumerics numerics(declared, to_module(p.act), p.experts > 0 ? p.blockm : p.m, p.n,
                                p.k, p.g, resolve_reported(p, *gpu).cus);
  const Arrays x = make_arrays(c, make_weights(c), declared.gate);
  const Reference right = make_reference(x, numerics, arithmetic_of(c), is_random(c.fill));
  int64_t weak = 0, silent = 0, products = 0;
  for (int64_t m = 0; m < right.twin.m; ++m) {
    if (!x.promises(m)) continue;
    for (int64_t n = 0; n < right.twin.n; ++n) {
      const size_t i = right.twin.at(m, n);
      const double sum = right.twin.declared[i];
      const double y = to_f64(p.act, numerics.store(sum, x.bias_at(m, n), x.has_bias()));
      ++products;
      if (!(right.bound.b[i] <= std::abs(sum) / 8)) ++weak;
      if (y == 0 || !std::isfinite(y)) ++silent;
    }
  }
  return 3 * weak <= products && 3 * silent <= products;
}

void ensure_signal(Case& c) {
  if (!may_lack_signal(c) || shows_signal(c)) return;
  const std::array<Fill, 4> fills{c.fill, Fill::integer, Fill::flat, Fill::cancel};
  for (const Fill fill : fills) {
    c.fill = fill;
    for (int i = 0; i < kSeeds; ++i) {
      ++c.seed;
      if (!may_lack_signal(c) || shows_signal(c)) return;
    }
  }
}

}  // namespace w4
