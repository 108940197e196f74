#include <Eigen/Dense>
#include <algorithm>

#include "reference/twin.h"

namespace w4 {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Channels dequantised at a time: a block of K = 4096 is 1 MiB.
constexpr int64_t kBlock = 64;

float to_f32(DType t, uint16_t bits) { return static_cast<float>(to_f64(t, bits)); }

}  // namespace

std::vector<uint16_t> eigen_reference(const Arrays& x) {
  const Weights& w = *x.wei;
  RowMajor a(x.m, w.k);
  std::transform(x.a.begin(), x.a.end(), a.data(),
                 [&](uint16_t bits) { return to_f32(w.act, bits); });
  std::vector<uint16_t> out(static_cast<size_t>(x.m * w.n));
  RowMajor block, y;
  for (int64_t n0 = 0; n0 < w.n; n0 += kBlock) {
    const int64_t rows = std::min(kBlock, w.n - n0);
    block.resize(rows, w.k);
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t k = 0; k < w.k; ++k) {
        const int64_t g = std::min(k / w.g, w.groups() - 1);
        const float code = w.q[static_cast<size_t>((n0 + r) * w.k + k)];
        block(r, k) =
            (code - static_cast<float>(w.zero(n0 + r, g))) * static_cast<float>(w.scale(n0 + r, g));
      }
    }
    y.noalias() = a * block.transpose();
    for (int64_t m = 0; m < x.m; ++m) {
      for (int64_t r = 0; r < rows; ++r) {
        const float sum = y(m, r) + static_cast<float>(x.bias_at(m, n0 + r));
        out[static_cast<size_t>(m * w.n + n0 + r)] =
            w.act == DType::f16 ? f32_to_f16(sum) : f32_to_bf16(sum);
      }
    }
  }
  return out;
}

}  // namespace w4
