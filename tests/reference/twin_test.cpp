// The twins against two independent computations: plain loops in long double, and MPFR at 300 bits.
#include "reference/twin.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <chrono>
#include <cmath>

#include "tests/reference/decode_numerics.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

// y*, read off the formula, index by index.
long double scalar(const Arrays& x, int64_t m, int64_t n, bool magnitude) {
  const Weights& w = *x.wei;
  long double sum = 0;
  for (int64_t k = 0; k < w.k; ++k) {
    const auto at = static_cast<size_t>(n * (w.k / w.g) + k / w.g);
    const long double z = w.z.empty() ? 8 : w.z[at];
    const long double p =
        static_cast<long double>(to_f64(w.act, x.a[static_cast<size_t>(m * w.k + k)])) *
        (w.q[static_cast<size_t>(n * w.k + k)] - z) * to_f64(w.act, w.s[at]);
    sum += magnitude ? std::abs(p) : p;
  }
  return sum;
}

class Twins : public testing::TestWithParam<Fill> {};

TEST_P(Twins, AgreeWithAScalarLoop) {
  for (const DType t : {DType::f16, DType::bf16}) {
    for (const int64_t m : {1, 2, 3, 4, 5, 7}) {
      const Arrays x = make_problem(
          {.m = m, .n = 9, .k = 160, .g = 32, .act = t, .zero_points = m % 2 == 0}, GetParam(), 11);
      const Twin twin = make_twin(x, DecodeNumerics(t, 160));
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t n = 0; n < 9; ++n) {
          const long double y = scalar(x, i, n, false), s = scalar(x, i, n, true);
          const double got = twin.exact[twin.at(i, n)];
          if (!std::isfinite(y)) {
            EXPECT_FALSE(std::isfinite(got));
            continue;
          }
          EXPECT_LE(std::abs(got - y), 160 * 0x1p-53L * s);
          EXPECT_LE(std::abs(twin.magnitude[twin.at(i, n)] - s), 160 * 0x1p-53L * s);
        }
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Fills, Twins, testing::ValuesIn(all_fills().begin(), all_fills().end()),
                         [](const auto& p) { return std::string(name_of(p.param)); });

TEST(Twin, AgreesWithMpfrOnASample) {
  const Arrays x = make_problem({.m = 2, .n = 8, .k = 4096, .g = 128}, Fill::cancel, 5);
  const Weights& w = *x.wei;
  const Twin twin = make_twin(x, DecodeNumerics(DType::f16, 4096));
  mpfr_t sum, term, factor;
  mpfr_inits2(300, sum, term, factor, nullptr);
  for (int64_t m = 0; m < 2; ++m) {
    for (int64_t n = 0; n < 8; ++n) {
      mpfr_set_zero(sum, 1);
      for (int64_t k = 0; k < w.k; ++k) {
        mpfr_set_d(term, to_f64(w.act, x.a[static_cast<size_t>(m * w.k + k)]), MPFR_RNDN);
        mpfr_set_d(factor, w.q[static_cast<size_t>(n * w.k + k)] - w.zero(n, k / w.g), MPFR_RNDN);
        mpfr_mul(term, term, factor, MPFR_RNDN);
        mpfr_set_d(factor, w.scale(n, k / w.g), MPFR_RNDN);
        mpfr_mul(term, term, factor, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
      }
      const size_t i = twin.at(m, n);
      mpfr_sub_d(sum, sum, twin.exact[i], MPFR_RNDN);
      EXPECT_LE(std::abs(mpfr_get_d(sum, MPFR_RNDN)), 4096 * 0x1p-53 * twin.magnitude[i]);
    }
  }
  mpfr_clears(sum, term, factor, nullptr);
}

// A declaration with a rounded weight moves y~ and leaves y* alone.
class Rounded final : public Numerics {
 public:
  void weights(double z, double s, std::span<double, 16> out) const override {
    for (int q = 0; q < 16; ++q) {
      out[static_cast<size_t>(q)] = to_f64(DType::f16, from_f64(DType::f16, (q - z) * s));
    }
  }
  uint16_t store(double acc, double, bool) const override { return f64_to_f16(acc); }
  Chain chain() const override { return {}; }
};

TEST(Twin, ReplaysADeclaredRounding) {
  const Arrays x = make_problem({.m = 1, .n = 16, .k = 256, .g = 32}, Fill::flat, 3);
  const Twin plain = make_twin(x, DecodeNumerics(DType::f16, 256));
  const Twin rounded = make_twin(x, Rounded{});
  EXPECT_EQ(rounded.exact, plain.exact);
  int moved = 0;
  for (int64_t n = 0; n < 16; ++n) {
    double sum = 0;
    for (int64_t k = 0; k < 256; ++k) {
      const double v = (x.wei->q[static_cast<size_t>(n * 256 + k)] - x.wei->zero(n, k / 32)) *
                       x.wei->scale(n, k / 32);
      sum += to_f64(DType::f16, x.a[static_cast<size_t>(k)]) *
             to_f64(DType::f16, from_f64(DType::f16, v));
    }
    const size_t i = rounded.at(0, n);
    EXPECT_NEAR(rounded.declared[i], sum, 256 * 0x1p-53 * rounded.magnitude[i]);
    moved += rounded.declared[i] != plain.declared[i];
  }
  EXPECT_GT(moved, 12);
}

TEST(EigenReference, LiesWithinFp32RoundingOfTheTwin) {
  for (const DType t : {DType::f16, DType::bf16}) {
    const Arrays x = make_problem({.m = 4, .n = 70, .k = 512, .g = 64, .act = t}, Fill::flat, 2);
    const Twin twin = make_twin(x, DecodeNumerics(t, 512));
    const std::vector<uint16_t> y = eigen_reference(x);
    for (int64_t m = 0; m < 4; ++m) {
      for (int64_t n = 0; n < 70; ++n) {
        const size_t i = twin.at(m, n);
        const double right = twin.exact[i] + x.bias_at(m, n);
        // Dequantised to fp32 and summed in fp32: n u S with n = K + 3.
        const double slack = 515 * 0x1p-24 * (twin.magnitude[i] + std::abs(x.bias_at(m, n)));
        EXPECT_LE(to_f64(t, from_f64(t, right - slack)), to_f64(t, y[i]));
        EXPECT_GE(to_f64(t, from_f64(t, right + slack)), to_f64(t, y[i]));
      }
    }
  }
}

}  // namespace
}  // namespace w4::test
