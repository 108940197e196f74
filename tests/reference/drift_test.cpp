// The sums behind a drift; what simulated kernels have of it: tests/oracles/drift_test.cpp.
#include "reference/drift.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/decode_numerics.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

TEST(Drift, CountsWhatCanShowItOnly) {
  const Arrays x = make_problem({.m = 2, .n = 8, .k = 64}, Fill::flat, 1);
  const DecodeNumerics numerics(DType::f16, 64);
  const Twin twin = make_twin(x, numerics);
  Bound bound = make_bound(x, twin, numerics.chain(), Arithmetic::ieee, true);
  std::vector<uint16_t> out;
  for (int64_t m = 0; m < 2; ++m) {
    for (int64_t n = 0; n < 8; ++n) {
      out.push_back(numerics.store(twin.declared[twin.at(m, n)], x.bias_at(m, n), x.has_bias()));
    }
  }
  EXPECT_EQ(drift_of(x, twin, bound, out).outputs, 16);
  bound.b[0] = 100;  // hides anything
  out[1] = from_f64(DType::f16, INFINITY);
  const Drift d = drift_of(x, twin, bound, out);
  EXPECT_EQ(d.outputs, 14);
  EXPECT_EQ(d.columns, 8);
}

TEST(Drift, UlpIsTheStepOfTheFormat) {
  EXPECT_EQ(ulp_at(DType::f16, 1), 0x1p-10);
  EXPECT_EQ(ulp_at(DType::f16, -1.999), 0x1p-10);
  EXPECT_EQ(ulp_at(DType::f16, 0x1p-20), 0x1p-24);  // subnormal
  EXPECT_EQ(ulp_at(DType::bf16, 3), 0x1p-6);
  EXPECT_EQ(ulp_at(DType::bf16, 0), 0x1p-133);
}

// By hand: columns with errors (1, 3), (-1), N = 3, mean 1; E - mean N = 4 - 2, -1 - 1.
TEST(Drift, SigmaIsThatOfClusters) {
  const Drift d{.outputs = 3,
                .columns = 2,
                .sum = 3,
                .squares = 16 + 1,
                .products = 8 - 1,
                .counts = 4 + 1,
                .open = 0.3};
  EXPECT_EQ(d.mean(), 1);
  EXPECT_DOUBLE_EQ(d.sigma(), std::sqrt(4 + 4) / 3);
  EXPECT_DOUBLE_EQ(d.mean_open(), 0.1);
  EXPECT_EQ(drift_sigmas(d, 0), 0);  // two columns do not know
  Drift many;
  for (int i = 0; i < 64; ++i) many += d;
  EXPECT_EQ(many.columns, 128);
  EXPECT_NEAR(drift_sigmas(many, 0), 8 * 3 / std::sqrt(8.0), 1e-9);
  EXPECT_NEAR(drift_sigmas(many, 0.5), 4 * 3 / std::sqrt(8.0), 1e-9);
  EXPECT_EQ(drift_sigmas(many, 1.5), 0);
}

}  // namespace
}  // namespace w4::test
