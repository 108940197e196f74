// Matrix instructions add in an order that is not public: every order of fp32 additions must stay
// inside the interval of unit `wmma`, and what is no such order must leave it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "reference/compare.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

constexpr int64_t kK = 512;

// The declaration of the manifest rules product_rounded, wmma_f32, round_once.
class MatrixNumerics final : public Numerics {
 public:
  void weights(double z, double s, std::span<double, 16> out) const override {
    for (int q = 0; q < 16; ++q) {
      out[static_cast<size_t>(q)] = to_f64(DType::f16, f64_to_f16((q - z) * s));
    }
  }
  uint16_t store(double acc, double bias, bool) const override {
    return f32_to_f16(static_cast<float>(acc) + static_cast<float>(bias));
  }
  Chain chain() const override { return {.unit = Chain::Unit::wmma, .steps = kK}; }
};

using Sum = std::function<float(const std::vector<float>&)>;

float ascending(const std::vector<float>& v) { return std::accumulate(v.begin(), v.end(), 0.0f); }
float descending(const std::vector<float>& v) {
  return std::accumulate(v.rbegin(), v.rend(), 0.0f);
}
float shuffled(const std::vector<float>& v) {
  std::vector<float> u = v;
  std::ranges::shuffle(u, std::mt19937(3));
  return ascending(u);
}
// Blocks of 16 by halving, then the accumulator.
float blocks(const std::vector<float>& v) {
  float sum = 0;
  for (size_t at = 0; at < v.size(); at += 16) {
    std::vector<float> b(v.begin() + static_cast<std::ptrdiff_t>(at),
                         v.begin() + static_cast<std::ptrdiff_t>(at + 16));
    for (size_t n = 8; n > 0; n /= 2) {
      for (size_t i = 0; i < n; ++i) b[i] += b[i + n];
    }
    sum += b[0];
  }
  return sum;
}
float half_accumulator(const std::vector<float>& v) {
  float sum = 0;
  for (const float x : v) sum = static_cast<float>(to_f64(DType::f16, f32_to_f16(sum + x)));
  return sum;
}
float without_the_last(const std::vector<float>& v) {
  return std::accumulate(v.begin(), v.end() - 1, 0.0f);
}

Comparison judge(Fill fill, const Sum& sum) {
  const Arrays x = make_problem({.m = 3, .n = 24, .k = kK, .g = 64, .bias = false}, fill, 5);
  const MatrixNumerics numerics;
  std::vector<uint16_t> out;
  for (int64_t m = 0; m < x.m; ++m) {
    for (int64_t n = 0; n < x.wei->n; ++n) {
      std::vector<float> products;
      for (int64_t k = 0; k < kK; ++k) {
        std::array<double, 16> w;
        numerics.weights(x.wei->zero(n, k / 64), x.wei->scale(n, k / 64), w);
        const double a = to_f64(DType::f16, x.a[static_cast<size_t>(m * kK + k)]);
        const double q = w[x.wei->q[static_cast<size_t>(n * kK + k)]];
        products.push_back(static_cast<float>(a * q));  // exact: 11 bits times 11
      }
      out.push_back(numerics.store(sum(products), 0, false));
    }
  }
  const Twin twin = make_twin(x, numerics);
  return compare(x, numerics, twin,
                 make_bound(x, twin, numerics.chain(), Arithmetic::ieee, is_random(fill)), out);
}

TEST(MatrixOrder, EveryOrderOfAdditionsStaysInside) {
  for (const Fill fill : all_fills()) {
    for (const auto& sum : {ascending, descending, shuffled, blocks}) {
      const Comparison c = judge(fill, sum);
      EXPECT_EQ(c.bad, 0) << name_of(fill) << ": " << c.pattern;
    }
  }
}

TEST(MatrixOrder, AnAccumulatorOf16BitsOrALostProductGoesOutside) {
  for (const Fill fill : {Fill::flat, Fill::normal}) {
    EXPECT_GT(judge(fill, half_accumulator).bad, 0) << name_of(fill);
    EXPECT_GT(judge(fill, without_the_last).bad, 0) << name_of(fill);
  }
}

}  // namespace
}  // namespace w4::test
