#include "oracles/upstream_data.h"

#include <cmath>

#include "core/fill.h"
#include "core/gauss.h"

namespace w4 {
namespace {

// Streams of random bits; those of the fills are below 10.
enum Stream : uint32_t { kAct = 41, kCode, kScale, kZero, kBias };

double normal(uint64_t bits) { return static_cast<double>(gauss(bits)) * 0x1p-12; }
double uniform(uint64_t bits) { return static_cast<double>(bits >> 40) * 0x1p-24; }

}  // namespace

Arrays upstream_data(const Problem& p, uint64_t seed) {
  const DType t = p.act;
  auto wei = std::make_shared<Weights>();
  wei->n = p.n, wei->k = p.k, wei->g = p.g, wei->act = t;
  Arrays x;
  x.m = p.m;
  for (int64_t m = 0; m < p.m; ++m) {
    for (int64_t k = 0; k < p.k; ++k)
      x.a.push_back(from_f64(t, 0.25 * normal(counter_bits(seed, kAct, m, k))));
  }
  for (int64_t n = 0; n < p.n; ++n) {
    for (int64_t k = 0; k < p.k; ++k)
      wei->q.push_back(static_cast<uint8_t>(counter_bits(seed, kCode, n, k) & 15));
    for (int64_t g = 0; g < groups(p); ++g) {
      wei->s.push_back(from_f64(t, 0.05 * uniform(counter_bits(seed, kScale, n, g))));
      if (p.zp == ZpMode::none) continue;
      wei->z.push_back(static_cast<uint8_t>(counter_bits(seed, kZero, n, g) & 15));
    }
  }
  if (p.bias.rank != 0) {
    x.by = 1, x.bx = p.n;
    for (int64_t n = 0; n < p.n; ++n) {
      const uint16_t drawn = from_f64(t, normal(counter_bits(seed, kBias, 0, n)));
      x.bias.push_back(from_f64(t, 0.1 * to_f64(t, drawn)));
    }
  }
  x.wei = std::move(wei);
  return x;
}

NotClose not_close(DType t, std::span<const uint16_t> y, std::span<const uint16_t> r, double rtol,
                   double atol) {
  NotClose out;
  for (size_t i = 0; i < y.size(); ++i) {
    const double v = to_f64(t, y[i]), w = to_f64(t, r[i]);
    if (v == w) continue;
    if (std::isfinite(w) && std::abs(v - w) <= atol + rtol * std::abs(w)) continue;
    if (out.count++ == 0) out.first = static_cast<int64_t>(i);
  }
  return out;
}

}  // namespace w4
