// Drift (oracles.md 9): no declaration that is carried out honestly leans by more than its
// arithmetic leaves open, whatever the data's mean; a store that cuts off leans by half an ulp,
// where the plain signed mean sees nothing.
#include "reference/drift.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oracles/simulation.h"
#include "tests/oracles/declarations.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

struct Measured {
  Drift drift;
  double sigmas = 0;  // outside what is allowed
  double plain = 0;   // mean of y - x in ulps of x
};

Measured measure(const Arrays& x, const Numerics& numerics, Arithmetic arithmetic,
                 const std::vector<uint16_t>& out) {
  const Twin twin = make_twin(x, numerics);
  const Bound bound = make_bound(x, twin, numerics.chain(), arithmetic, true);
  Measured r{drift_of(x, twin, bound, out)};
  r.sigmas = drift_sigmas(r.drift, allowed_drift(r.drift, arithmetic == Arithmetic::ieee));
  for (int64_t m = 0; m < twin.m; ++m) {
    for (int64_t n = 0; n < twin.n; ++n) {
      const double centre = twin.declared[twin.at(m, n)] + x.bias_at(m, n);
      r.plain += (to_f64(x.wei->act, out[twin.at(m, n)]) - centre) / ulp_at(x.wei->act, centre);
    }
  }
  r.plain /= static_cast<double>(twin.m * twin.n);
  return r;
}

class Leaning : public testing::TestWithParam<Declaration> {};

// `flat` has activations of mean 1/4, and without zero points the mean weight is -1/2: the sums
// lean, their errors do not.
TEST_P(Leaning, HonestRunsDoNotAndACutOffStoreDoes) {
  const Declaration& d = GetParam();
  constexpr int64_t kK = 256;
  int64_t judged = 0;
  for (const DType act : {DType::f16, DType::bf16}) {
    for (const Fill fill : {Fill::flat, Fill::uniform, Fill::normal, Fill::cancel}) {
      for (const bool zero_points : {false, true}) {
        const Arrays x = make_problem({.m = d.m,
                                       .n = 512,
                                       .k = kK,
                                       .act = act,
                                       .zero_points = zero_points,
                                       .bias = d.bias && fill == Fill::cancel},
                                      fill, 5);
        const ModuleNumerics numerics = numerics_of(d, act, kK);
        for (const Arithmetic a : {Arithmetic::ieee, Arithmetic::gfx1151, Arithmetic::gfx1201}) {
          const auto of = [&](Breach b) {
            return measure(x, numerics, a, simulate(x, numerics, {a, d.as.front()}, b));
          };
          const Measured honest = of(Breach::none);
          EXPECT_LT(honest.sigmas, 5)
              << name_of(act) << " " << w4::name_of(fill) << " mean " << honest.drift.mean();
          const Measured cut = of(Breach::truncating_store);
          // The sum of a rounded product and a bias is often exact: nothing to cut off.
          if (x.has_bias() || cut.drift.columns < kDriftColumns) continue;
          ++judged;
          EXPECT_GT(cut.sigmas, kDriftSigmas)
              << name_of(act) << " " << w4::name_of(fill) << " mean " << cut.drift.mean();
          EXPECT_NEAR(cut.drift.mean(), -0.5, 0.1);
          // Sums of both signs cancel.
          if (zero_points) EXPECT_LT(std::abs(cut.plain), 0.15);
        }
      }
    }
  }
  EXPECT_GE(judged, 12);
}

INSTANTIATE_TEST_SUITE_P(Every, Leaning, testing::ValuesIn(all_declarations()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace w4::test
