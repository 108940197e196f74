// Ends of the interval: ties, overflow, subnormals, special values.
#include "reference/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/reference/decode_numerics.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const DecodeNumerics kF16(DType::f16, 512);

Legal legal(double declared, double b, double bias = 0, bool overflow = false) {
  return legal_values(DType::f16, kF16, declared, b, overflow, bias, bias != 0);
}

TEST(Interval, OneValueAwayFromATie) {
  const Legal l = legal(1.0002, 1e-6);
  EXPECT_TRUE(l.contains(1));
  EXPECT_FALSE(l.contains(1 + 0x1p-10));
  EXPECT_FALSE(l.contains(1 - 0x1p-11));
}

TEST(Interval, TwoValuesAtATie) {
  const Legal l = legal(1 + 0x1p-11, 1e-6);
  EXPECT_TRUE(l.contains(1));
  EXPECT_TRUE(l.contains(1 + 0x1p-10));
  EXPECT_FALSE(l.contains(1 + 0x1p-9));
}

TEST(Interval, InfinityWhereItReachesIt) {
  EXPECT_FALSE(legal(65519, 0.5).contains(kInf));
  EXPECT_TRUE(legal(65519, 2).contains(kInf));
  EXPECT_TRUE(legal(65519, 2).contains(65504));
  EXPECT_FALSE(legal(70000, 2).contains(65504));
  EXPECT_FALSE(legal(70000, 2).contains(-kInf));
}

TEST(Interval, SubnormalsHaveTheirOwnSteps) {
  EXPECT_TRUE(legal(0x1p-24, 0).contains(0x1p-24));
  EXPECT_FALSE(legal(0x1p-24, 0).contains(0));
  EXPECT_TRUE(legal(0x1p-25, 1e-12).contains(0));
  EXPECT_TRUE(legal(0x1p-25, 1e-12).contains(0x1p-24));
}

TEST(Interval, SignedZerosAreEqual) { EXPECT_TRUE(legal(0, 0).contains(-0.0)); }

TEST(Interval, ClassesOfSpecialValues) {
  EXPECT_TRUE(legal(kNan, kNan).contains(kNan));
  EXPECT_FALSE(legal(kNan, kNan).contains(1));
  EXPECT_FALSE(legal(kNan, kNan).contains(kInf));
  EXPECT_TRUE(legal(kInf, kInf).contains(kInf));
  EXPECT_FALSE(legal(kInf, kInf).contains(-kInf));
  EXPECT_FALSE(legal(kInf, kInf).contains(kNan));
  EXPECT_FALSE(legal(1, 0).contains(kNan));
  EXPECT_TRUE(legal(kInf, kInf, -kInf).contains(kNan));
}

TEST(Interval, DeclaredOverflowAllowsInfinityAndNaNBesides) {
  const Legal l = legal(1, 1e-6, 0, true);
  EXPECT_TRUE(l.contains(kNan));
  EXPECT_TRUE(l.contains(-kInf));
  EXPECT_TRUE(l.contains(1));
  EXPECT_FALSE(l.contains(2));
}

TEST(Interval, TheBiasIsAddedBeforeTheOnlyRounding) {
  // fl16(1 + 2^-11) is 1, and 1 + 2^-11 + 2^-11 is 1 + 2^-10: two roundings would give 1.
  EXPECT_TRUE(legal(1 + 0x1p-11, 1e-9, 0x1p-11).contains(1 + 0x1p-10));
  EXPECT_FALSE(legal(1 + 0x1p-11, 1e-9, 0x1p-11).contains(1));
}

TEST(NeededError, IsTheDistanceToTheNearestSumThatStoresIt) {
  EXPECT_EQ(needed_error(DType::f16, kF16, 1.0, 1e-6, 0, false, 1.0), 0);
  EXPECT_NEAR(needed_error(DType::f16, kF16, 1.0, 1e-6, 0, false, 1 + 0x1p-10), 0x1p-11, 1e-7);
  EXPECT_NEAR(needed_error(DType::f16, kF16, 1.0, 1e-6, 0, false, 0.5), 0.5 - 0x1p-13, 2e-4);
  EXPECT_EQ(needed_error(DType::f16, kF16, 1.0, 1e-6, 0, false, kNan), kInf);
}

// |a| of 1.5e35 in each of 16 elements: 143 * 16 * 1.5e35 exceeds fp32 (oracles.md 3).
TEST(Bound, KnowsWhereTheOffsetTrickOverflows) {
  for (const double a : {1.0e35, 1.6e35}) {
    Arrays x = make_problem({.m = 1, .n = 8, .k = 64, .g = 64, .act = DType::bf16}, Fill::flat, 1);
    for (uint16_t& v : x.a) v = f64_to_bf16(a);
    const DecodeNumerics numerics(DType::bf16, 64);
    const Twin twin = make_twin(x, numerics);
    const Bound b = make_bound(x, twin, numerics.chain(), Arithmetic::ieee, false);
    EXPECT_EQ(b.overflow[0] != 0, a > 1.5e35);
  }
}

TEST(Bound, OfIeeeRandomFillsIsTheSmallerTerm) {
  const Arrays x = make_problem({.m = 1, .n = 4, .k = 512, .g = 64}, Fill::flat, 1);
  const Twin twin = make_twin(x, kF16);
  // n = 8 + 1 + 5 = 14: 14 u < 6 sqrt(14) u = 22.4 u.
  const Bound b = make_bound(x, twin, kF16.chain(), Arithmetic::ieee, true);
  EXPECT_NEAR(b.b[0] / twin.magnitude[0], 14 * 0x1p-24, 1e-10);
  Chain longer = kF16.chain();
  longer.steps = 100;
  const Bound r = make_bound(x, twin, longer, Arithmetic::ieee, true);
  EXPECT_NEAR(r.b[0] / twin.magnitude[0], 60 * 0x1p-24, 1e-10);
  const Bound s = make_bound(x, twin, longer, Arithmetic::ieee, false);
  EXPECT_NEAR(s.b[0] / twin.magnitude[0], 100 * 0x1p-24, 1e-9);
}

TEST(Bound, OfMatrixInstructionsAssumesNoRandomWalk) {
  const Arrays x = make_problem({.m = 1, .n = 4, .k = 512, .g = 64}, Fill::flat, 1);
  const Twin twin = make_twin(x, kF16);
  const Chain chain{.unit = Chain::Unit::wmma, .steps = 512};
  for (const Arithmetic model : {Arithmetic::ieee, Arithmetic::gfx1151, Arithmetic::gfx1201}) {
    const int roundings = model == Arithmetic::ieee ? 512 : 1024;
    for (const bool random : {true, false}) {
      const Bound b = make_bound(x, twin, chain, model, random);
      EXPECT_NEAR(b.b[0] / twin.magnitude[0], roundings * 0x1p-24, 1e-8);
    }
  }
}

// The declaration of a prefill kernel, its order known or not.
class Matrix final : public Numerics {
 public:
  explicit Matrix(int chunk, int k) : chunk_(chunk), k_(k) {}
  void weights(double z, double s, std::span<double, 16> out) const override {
    kF16.weights(z, s, out);
  }
  uint16_t store(double acc, double bias, bool has_bias) const override {
    return kF16.store(acc, bias, has_bias);
  }
  Chain chain() const override { return {.unit = Chain::Unit::wmma, .steps = k_, .chunk = chunk_}; }

 private:
  int chunk_, k_;
};

// R is what the sum amounts to before each step of 16, by hand.
TEST(Bound, OfMatrixStepsInOrderFollowsTheSum) {
  const Arrays x = make_problem({.m = 7, .n = 3, .k = 80, .g = 16}, Fill::flat, 1);
  const Matrix numerics(16, 80);
  const Twin twin = make_twin(x, numerics);
  for (int64_t m = 0; m < 7; ++m) {
    for (int64_t n = 0; n < 3; ++n) {
      double sum = 0, r = 0;
      for (int64_t k = 0; k < 80; ++k) {
        if (k % 16 == 0) r += std::abs(sum);
        sum += to_f64(DType::f16, x.a[static_cast<size_t>(m * 80 + k)]) *
               (x.wei->q[static_cast<size_t>(n * 80 + k)] - x.wei->zero(n, k / 16)) *
               x.wei->scale(n, k / 16);
      }
      const size_t i = twin.at(m, n);
      EXPECT_NEAR(twin.prefix[i], r, 1e-12 * twin.magnitude[i]);
      const Bound b = make_bound(x, twin, numerics.chain(), Arithmetic::ieee, true);
      const double s = twin.magnitude[i];
      EXPECT_NEAR(b.b[i] / (0x1p-24 * std::min(80 * s, 16 * (r + s))), 1, 1e-4);
    }
  }
}

TEST(Bound, OfMatrixStepsInOrderIsFarBelowThatOfAnyOrderOnLongSums) {
  const Arrays x = make_problem({.m = 2, .n = 16, .k = 4096, .g = 64}, Fill::flat, 1);
  const Twin ordered = make_twin(x, Matrix(16, 4096)), any = make_twin(x, Matrix(0, 4096));
  EXPECT_TRUE(any.prefix.empty());
  for (const Arithmetic model : {Arithmetic::ieee, Arithmetic::gfx1151, Arithmetic::gfx1201}) {
    const Bound b = make_bound(x, ordered, Matrix(16, 4096).chain(), model, true);
    const Bound wide = make_bound(x, any, Matrix(0, 4096).chain(), model, true);
    for (size_t i = 0; i < b.b.size(); ++i) EXPECT_LT(b.b[i], wide.b[i] / 10);
  }
}

TEST(Bound, IsZeroWhereNoOrderOfSummationRounds) {
  for (const DType t : {DType::f16, DType::bf16}) {
    for (const Fill fill : {Fill::integer, Fill::lane, Fill::onehot, Fill::flat}) {
      const Arrays x = make_problem({.m = 4, .n = 16, .k = 4096, .g = 64, .act = t}, fill, 3);
      const DecodeNumerics numerics(t, 4096);
      const Twin twin = make_twin(x, numerics);
      const Bound b = make_bound(x, twin, numerics.chain(), Arithmetic::ieee, false);
      const Bound grid = make_bound(x, twin, numerics.chain(), Arithmetic::gfx1151, false);
      const Bound pairs = make_bound(x, twin, numerics.chain(), Arithmetic::gfx1201, false);
      for (size_t i = 0; i < b.b.size(); ++i) {
        if (twin.magnitude[i] == 0) continue;
        EXPECT_EQ(b.b[i] == 0, fill != Fill::flat) << name_of(fill) << " " << i;
        EXPECT_GT(grid.b[i], 0);
        EXPECT_EQ(pairs.b[i] == 0, fill != Fill::flat);
      }
    }
  }
}

}  // namespace
}  // namespace w4::test
