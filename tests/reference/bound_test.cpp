// A bound that explains itself: its terms are the bound, and the text says all of them.
#include "reference/bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "reference/explain.h"
#include "tests/reference/decode_numerics.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

std::vector<Chain> chains(DType t, int64_t k) {
  return {DecodeNumerics(t, k).chain(),
          {.unit = Chain::Unit::wmma, .steps = static_cast<int>(k)},
          {.unit = Chain::Unit::fma32, .steps = static_cast<int>(k)}};
}

class Terms : public testing::TestWithParam<std::tuple<DType, Arithmetic, Fill>> {};

TEST_P(Terms, SumToTheBoundBitForBit) {
  const auto [t, model, fill] = GetParam();
  const Arrays x = make_problem({.m = 2, .n = 8, .k = 1024, .act = t}, fill, 3);
  const Twin twin = make_twin(x, DecodeNumerics(t, 1024));
  for (const Chain& chain : chains(t, 1024)) {
    const Bound bound = make_bound(x, twin, chain, model, is_random(fill));
    for (int64_t m = 0; m < 2; ++m) {
      for (int64_t n = 0; n < 8; ++n) {
        double sum = 0;
        for (const BoundTerm& term : explain_bound(x, twin, chain, model, is_random(fill), m, n)) {
          sum += term.value;
          EXPECT_FALSE(term.larger_value < term.value && !term.larger_formula.empty());
        }
        const double b = bound.b[twin.at(m, n)];
        EXPECT_TRUE(sum == b || (sum != sum && b != b)) << sum << " " << b;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, Terms,
                         testing::Combine(testing::Values(DType::f16, DType::bf16),
                                          testing::Values(Arithmetic::ieee, Arithmetic::gfx1151,
                                                          Arithmetic::gfx1201, Arithmetic::cuda),
                                          testing::ValuesIn(all_fills().begin(),
                                                            all_fills().end())));

// The formulas of bound.h once more, by hand, for every kind of chain: no term is missing, none is
// there in half. Without subnormal numbers and without exact sums.
TEST(Formulas, AreThoseOfTheHeader) {
  constexpr double u = 0x1p-24;
  constexpr int64_t k = 1024;
  const auto gamma = [](double n) { return n * u / (1 - n * u); };
  for (const DType t : {DType::f16, DType::bf16}) {
    const Arrays x = make_problem({.m = 1, .n = 4, .k = k, .act = t}, Fill::flat, 3);
    const Weights& w = *x.wei;
    const Twin twin = make_twin(x, DecodeNumerics(t, k));
    const Chain dot2 = DecodeNumerics(t, k).chain();
    const Chain wmma{.unit = Chain::Unit::wmma, .steps = 100};
    const Chain fma{.unit = Chain::Unit::fma32, .steps = 100};
    for (int64_t n = 0; n < 4; ++n) {
      const double s = twin.magnitude[twin.at(0, n)], A = dot2.chunk, N = dot2.steps;
      double t1 = 0, t2 = 0, q = 0;
      for (int64_t at = 0; at < k; at += dot2.chunk) {
        std::vector<double> a;
        for (int64_t i = at; i < at + dot2.chunk; ++i) {
          a.push_back(std::abs(to_f64(t, x.a[static_cast<size_t>(i)])));
        }
        std::ranges::sort(a, std::greater{});
        const double offset = std::abs(w.scale(n, at / w.g)) * (143 + 128 + w.zero(n, at / w.g));
        double sum = 0;
        for (size_t i = 0; i < a.size(); ++i) {
          sum += a[i];
          if (i % 2 == 1) q += offset * sum;
        }
        t1 += offset * sum, t2 += offset * sum * offset * sum;
      }
      const double n2 = dot2.chunks + 7;
      const auto expect = [&](const Chain& chain, Arithmetic model, bool random, double b) {
        const double got = make_bound(x, twin, chain, model, random).b[twin.at(0, n)];
        EXPECT_NEAR(got, b + (k + 4) * 0x1p-53 * s, 1e-9 * b)
            << static_cast<int>(chain.unit) << " " << static_cast<int>(model) << " " << random;
      };
      expect(fma, Arithmetic::ieee, false, gamma(100) * s);
      expect(fma, Arithmetic::ieee, true, 6 * std::sqrt(100) * u * s);
      expect(wmma, Arithmetic::ieee, true, gamma(100) * s);
      expect(wmma, Arithmetic::gfx1151, true, gamma(200) * s);
      expect(wmma, Arithmetic::gfx1201, true, gamma(200) * s);
      expect(wmma, Arithmetic::cuda, true, gamma(200) * s);
      if (t == DType::f16) {
        expect(dot2, Arithmetic::ieee, false, gamma(N) * s);
        expect(dot2, Arithmetic::gfx1151, true, (gamma(2 * A) + gamma(N - A / 2)) * s);
        expect(dot2, Arithmetic::gfx1201, true, (gamma(2.5 * A) + gamma(N - A / 2)) * s);
        expect(dot2, Arithmetic::cuda, true, (gamma(A) + gamma(N - A / 2)) * s);
      } else {
        expect(dot2, Arithmetic::ieee, false, (A + 1) * u * t1 + n2 * u * s);
        expect(dot2, Arithmetic::ieee, true,
               std::min((A + 1) * u * t1, 6 * u * std::sqrt((A + 1) * t2)) + n2 * u * s);
        expect(dot2, Arithmetic::gfx1151, true, 1.00001 * 4 * u * q + u * t1 + n2 * u * s);
        expect(dot2, Arithmetic::cuda, true, 1.00001 * 2 * u * q + u * t1 + n2 * u * s);
        Chain many = dot2;
        many.chunks = 393;
        expect(many, Arithmetic::ieee, true,
               std::min((A + 1) * u * t1, 6 * u * std::sqrt((A + 1) * t2)) + 6 * 20 * u * s);
      }
    }
  }
}

// Two subnormal activations, in groups of their own: what counts them and what adds them up.
// The matrix unit of gfx11 reads subnormal weights of bf16 as zero, and zero times infinity is NaN.
TEST(Formulas, InfinityAndAWeightReadAsZero) {
  Arrays x = make_problem({.m = 2, .n = 2, .k = 128, .g = 64, .act = DType::bf16}, Fill::flat, 3);
  x.a[70] = from_f64(DType::bf16, INFINITY);  // of row 0, in group 1
  auto wei = std::make_shared<Weights>(*x.wei);
  wei->s[1] = from_f64(DType::bf16, 0x1p-130);  // of channel 0, group 1
  wei->s[2] = from_f64(DType::bf16, 0x1p-130);  // of channel 1, group 0: meets no infinity
  x.wei = wei;
  const DecodeNumerics numerics(DType::bf16, 128);
  const Twin twin = make_twin(x, numerics);
  Chain matrix{.unit = Chain::Unit::wmma, .steps = 128, .chunk = 16};
  const auto nan_is_legal = [&](Arithmetic model) {
    return make_bound(x, twin, matrix, model, false).overflow;
  };
  EXPECT_EQ(nan_is_legal(Arithmetic::gfx1151), (std::vector<uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(nan_is_legal(Arithmetic::gfx1201), (std::vector<uint8_t>{0, 0, 0, 0}));
  EXPECT_EQ(nan_is_legal(Arithmetic::ieee), (std::vector<uint8_t>{0, 0, 0, 0}));
}

TEST(Formulas, OfSubnormalActivations) {
  constexpr double u = 0x1p-24;
  constexpr int64_t k = 256, g = 64;
  for (const DType t : {DType::f16, DType::bf16}) {
    Arrays x = make_problem({.m = 1, .n = 2, .k = k, .g = g, .act = t}, Fill::flat, 3);
    const double least = t == DType::f16 ? 0x1p-14 : 0x1p-126;
    x.a[5] = from_f64(t, least / 4);
    x.a[200] = from_f64(t, -least / 2);
    const Weights& w = *x.wei;
    const DecodeNumerics numerics(t, k);
    const Twin twin = make_twin(x, numerics);
    const auto term = [&](Chain chain, Arithmetic model, std::string_view name) {
      for (const BoundTerm& b : explain_bound(x, twin, chain, model, false, 0, 1)) {
        if (b.name == name) return b.value;
      }
      return 0.0;
    };
    Chain plain = numerics.chain();
    plain.offset_trick = false;
    const double first = std::abs(w.scale(1, 0)), last = std::abs(w.scale(1, 3));
    const double f = 1.001 * 15 * least * (first + last);
    for (const auto& [model, units] :
         {std::pair{Arithmetic::gfx1151, 3}, {Arithmetic::gfx1201, 4}}) {
      const double got = term(plain, model, "grid of subnormal operands");
      EXPECT_NEAR(got, units * u * f, 1e-9 * got) << units;
      EXPECT_GT(got, 0);
    }
    if (t == DType::f16) continue;
    double scales = 0;
    for (int64_t i = 0; i < k / g; ++i) scales += std::abs(w.scale(1, i));
    const double flushed = scales * g / 2 * 2 * 0x1p-126;
    const double zeroed = 15 * (first * least / 4 + last * least / 2);
    EXPECT_DOUBLE_EQ(term(plain, Arithmetic::ieee, "flushed dot2 results"), flushed);
    EXPECT_DOUBLE_EQ(term(numerics.chain(), Arithmetic::ieee, "flushed dot2 results"),
                     144 * flushed);
    EXPECT_DOUBLE_EQ(term(plain, Arithmetic::ieee, "subnormal activations read as zero"), zeroed);
  }
}

TEST(Explain, NamesTheSmallerOfTwoFormulas) {
  const Arrays x = make_problem({.m = 1, .n = 4, .k = 512, .g = 64}, Fill::flat, 1);
  const DecodeNumerics numerics(DType::f16, 512);
  const Twin twin = make_twin(x, numerics);
  Chain chain = numerics.chain();
  const auto first = [&](bool random) {
    return explain_bound(x, twin, chain, Arithmetic::ieee, random, 0, 2).front();
  };
  EXPECT_EQ(first(true).formula, "gamma_n S");
  EXPECT_EQ(first(true).larger_formula, "6 sqrt(n) u S");
  chain.steps = 100;
  EXPECT_EQ(first(true).formula, "6 sqrt(n) u S");
  EXPECT_EQ(first(true).larger_formula, "gamma_n S");
  EXPECT_EQ(first(false).larger_formula, "");
}

TEST(Explain, TheTextHasEveryTermAndTheInterval) {
  const Arrays x = make_problem({.m = 2, .n = 8, .k = 1024, .act = DType::bf16}, Fill::flat, 3);
  const DecodeNumerics numerics(DType::bf16, 1024);
  const ExplainedInterval e = explain_interval(x, numerics, Arithmetic::ieee, true, 1, 5);
  const std::string text = to_string(e);
  ASSERT_GE(e.terms.size(), 4u);
  for (const BoundTerm& t : e.terms) EXPECT_NE(text.find(t.name), text.npos) << t.name;
  EXPECT_NE(text.find("out[m=1, n=5]"), text.npos) << text;
  EXPECT_NE(text.find("smaller than"), text.npos) << text;
  EXPECT_LE(e.legal.low, e.legal.high);
}

TEST(Explain, SaysWhenNothingRounds) {
  const Arrays x = make_problem({.m = 1, .n = 8}, Fill::integer, 3);
  const DecodeNumerics numerics(DType::f16, 1024);
  const ExplainedInterval e = explain_interval(x, numerics, Arithmetic::ieee, false, 0, 3);
  EXPECT_EQ(e.b, 0);
  EXPECT_TRUE(e.terms.empty());
  EXPECT_NE(to_string(e).find("no order of summation rounds"), std::string::npos);
}

TEST(Explain, NoSignsAndNoSharesOfWhatIsNoNumber) {
  ExplainedInterval e{.exact = NAN, .declared = -NAN, .magnitude = INFINITY, .b = INFINITY};
  e.terms = {{"sums of chunks", "gamma_n S", INFINITY}, {"sum of chunks", "n2 u S", -NAN}};
  const std::string text = to_string(e);
  EXPECT_EQ(text.find("-nan"), text.npos) << text;
  EXPECT_NE(text.find("inf               - %  gamma_n S"), text.npos) << text;
  EXPECT_NE(text.find("nan               - %  n2 u S"), text.npos) << text;
}

TEST(Explain, OfARowOfAnExpertIsThatOfItsDenseProblem) {
  Arrays dense = make_problem({.m = 3, .n = 8, .k = 256, .bias = false}, Fill::flat, 3);
  const DecodeNumerics numerics(DType::f16, 256);
  Arrays x = dense;
  auto w = std::make_shared<Weights>(*dense.wei);
  w->experts = 1;
  x.wei = w;
  x.moe.emplace().expert = {0, -1, 0};
  const auto here = explain_interval(x, numerics, Arithmetic::ieee, true, 2, 4);
  const auto there = explain_interval(dense, numerics, Arithmetic::ieee, true, 2, 4);
  EXPECT_EQ(here.m, 2);
  EXPECT_EQ(here.b, there.b);
  EXPECT_EQ(here.declared, there.declared);
  const auto none = explain_interval(x, numerics, Arithmetic::ieee, true, 1, 4);
  EXPECT_EQ(none.legal.low, 0);
  EXPECT_EQ(none.legal.high, 0);
  EXPECT_NE(to_string(none).find("no expert"), std::string::npos);
}

}  // namespace
}  // namespace w4::test
