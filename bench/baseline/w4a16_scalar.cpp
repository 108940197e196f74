#include "bench/baseline/w4a16_scalar.h"

#include <cstddef>
#include <vector>

namespace w4::bench {
namespace {

float half_to_float(uint16_t bits) {
  _Float16 h;
  __builtin_memcpy(&h, &bits, sizeof h);
  return static_cast<float>(h);
}

uint16_t float_to_half(float f) {
  const auto h = static_cast<_Float16>(f);
  uint16_t bits;
  __builtin_memcpy(&bits, &h, sizeof bits);
  return bits;
}

}  // namespace

void w4a16_scalar(const uint32_t* wei, const uint16_t* act, const uint16_t* scale, uint16_t* out,
                  int64_t m, int64_t n, int64_t k, int64_t g) {
  constexpr int kShift[8] = {0, 16, 4, 20, 8, 24, 12, 28};
  std::vector<float> x(static_cast<std::size_t>(m * k));
  for (int64_t i = 0; i < m * k; ++i) x[i] = half_to_float(act[i]);
  for (int64_t row = 0; row < n; ++row) {
    for (int64_t token = 0; token < m; ++token) {
      float sum = 0;
      for (int64_t k0 = 0; k0 < k; k0 += 8) {
        const uint32_t word = wei[row * (k / 8) + k0 / 8];
        const float s = half_to_float(scale[row * (k / g) + k0 / g]);
        for (int j = 0; j < 8; ++j) {
          const int code = static_cast<int>(word >> kShift[j] & 15) - 8;
          sum += x[token * k + k0 + j] * (static_cast<float>(code) * s);
        }
      }
      out[token * n + row] = float_to_half(sum);
    }
  }
}

}  // namespace w4::bench
