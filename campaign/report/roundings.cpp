#include "campaign/report/roundings.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace w4 {
namespace {

double rounded(DType t, double x) { return to_f64(t, from_f64(t, x)); }

// Ordinary scales; none of them is a power of two, so that a rounding shows.
constexpr std::array kScales{0.3, 1.0 / 3, 0.0117, 0.0071};
// Sums and biases whose digits reach far below the last one kept.
constexpr int kSums = 64;
constexpr std::array kBiases{0.3, -1.7, 0.0113, 5.03};

}  // namespace

std::string weight_rounding(const w4_numerics& n, w4_dtype act, DType type) {
  bool exact = true, once = true;
  for (const double raw : kScales) {
    const double s = rounded(type, raw);
    for (int q = 0; q < 16; ++q) {
      for (int z = 0; z < 16; ++z) {
        const double w = n.weight(act, q, z, s);
        const double full = (q - z) * s;  // 5 bits times 11: exact
        exact = exact && w == full;
        once = once && w == rounded(type, full);
      }
    }
  }
  if (exact) return "(q - z) * s, not rounded";
  if (once) return fmt::format("(q - z) * s, rounded once to {}", name_of(type));
  return fmt::format("rounded more than once to {}: not the nearest to (q - z) * s everywhere",
                     name_of(type));
}

std::string store_rounding(const w4_numerics& n, w4_dtype act, DType type) {
  bool fused = true, split = true, plain = true, ignored = true;
  for (int i = 0; i < kSums; ++i) {
    const double acc = static_cast<float>(std::sin(1.0 + i) * (1 + i));
    plain = plain && n.store(act, acc, 0, 0) == from_f64(type, acc);
    for (const double raw : kBiases) {
      const double bias = rounded(type, raw);
      const uint16_t got = n.store(act, acc, bias, 1);
      const auto sum = static_cast<float>(acc) + static_cast<float>(bias);
      fused = fused && got == from_f64(type, sum);
      ignored = ignored && got == n.store(act, acc, 0, 0);
      split = split && got == from_f64(type, rounded(type, acc) + bias);
    }
  }
  const std::string_view name = name_of(type);
  if (plain && ignored) return fmt::format("rounded once to {}; no bias is added", name);
  if (plain && fused) return fmt::format("bias added in fp32, then rounded once to {}", name);
  if (plain && split)
    return fmt::format("rounded to {0}, then the bias is added in {0} and rounded again", name);
  return fmt::format("not a plain rounding to {}: the declaration says which", name);
}

}  // namespace w4
