// A 2x2x32 problem worked out by hand.
//   a[0,:] = 1, a[1,:] = 1, -1, 1, -1, …          G = 32, z = 8 and 3, s = 1/2 and 1/4
//   q[0,k] = k mod 16                             q[1,k] = 15 for k < 16, 0 above
//   y[0,0] = (2 (0+…+15) - 32*8) / 2 = (240 - 256) / 2 = -8
//   y[0,1] = (16 (15-3) + 16 (0-3)) / 4 = (192 - 48) / 4 = 36
//   y[1,0] = 16 pairs of (even - odd) = -1 each, / 2 = -8        y[1,1] = 0
//   S[.,0] = 2 (8+7+…+1+0+1+…+7) / 2 = 64         S[.,1] = (16*12 + 16*3) / 4 = 60
//   bias 1.5 and -0.25: out = -6.5, 35.75, -6.5, -0.25
#include <gtest/gtest.h>

#include "reference/compare.h"
#include "reference/twin.h"
#include "tests/reference/decode_numerics.h"

namespace w4::test {
namespace {

Arrays card(DType t) {
  auto w = std::make_shared<Weights>();
  w->n = 2, w->k = 32, w->g = 32, w->act = t;
  for (int k = 0; k < 32; ++k) w->q.push_back(static_cast<uint8_t>(k % 16));
  for (int k = 0; k < 32; ++k) w->q.push_back(k < 16 ? 15 : 0);
  w->s = {from_f64(t, 0.5), from_f64(t, 0.25)};
  w->z = {8, 3};
  Arrays x;
  x.m = 2;
  for (int k = 0; k < 32; ++k) x.a.push_back(from_f64(t, 1));
  for (int k = 0; k < 32; ++k) x.a.push_back(from_f64(t, k % 2 == 0 ? 1 : -1));
  x.by = 1, x.bx = 2;
  x.bias = {from_f64(t, 1.5), from_f64(t, -0.25)};
  x.wei = std::move(w);
  return x;
}

class Card : public testing::TestWithParam<DType> {};

TEST_P(Card, TwinIsWhatTheHandSays) {
  const Arrays x = card(GetParam());
  const Twin twin = make_twin(x, DecodeNumerics(GetParam(), 32));
  EXPECT_EQ(twin.declared, (std::vector<double>{-8, 36, -8, 0}));
  EXPECT_EQ(twin.exact, twin.declared);
  EXPECT_EQ(twin.magnitude, (std::vector<double>{64, 60, 64, 60}));
}

TEST_P(Card, EigenAndTheIntervalAgreeWithTheHand) {
  const DType t = GetParam();
  const Arrays x = card(t);
  const DecodeNumerics numerics(t, 32);
  const std::vector<uint16_t> hand{from_f64(t, -6.5), from_f64(t, 35.75), from_f64(t, -6.5),
                                   from_f64(t, -0.25)};
  EXPECT_EQ(eigen_reference(x), hand);
  const Twin twin = make_twin(x, numerics);
  const Bound bound = make_bound(x, twin, numerics.chain(), Arithmetic::ieee, false);
  EXPECT_EQ(compare(x, numerics, twin, bound, hand).bad, 0);
  std::vector<uint16_t> wrong = hand;
  wrong[1] = from_f64(t, 36);
  const Comparison c = compare(x, numerics, twin, bound, wrong);
  EXPECT_EQ(c.bad, 1);
  EXPECT_EQ(c.worst.m, 0);
  EXPECT_EQ(c.worst.n, 1);
  EXPECT_EQ(c.worst.got, 36);
  EXPECT_EQ(c.worst.low, 35.75);
}

TEST_P(Card, WithoutZeroPointsTheyAre8) {
  Arrays x = card(GetParam());
  auto w = std::make_shared<Weights>(*x.wei);
  w->z.clear();
  x.wei = w;
  // n = 1: (16 (15-8) + 16 (0-8)) / 4 = -4
  EXPECT_EQ(make_twin(x, DecodeNumerics(GetParam(), 32)).declared,
            (std::vector<double>{-8, -4, -8, 0}));
}

INSTANTIATE_TEST_SUITE_P(Types, Card, testing::Values(DType::f16, DType::bf16),
                         [](const auto& p) { return std::string(name_of(p.param)); });

}  // namespace
}  // namespace w4::test
