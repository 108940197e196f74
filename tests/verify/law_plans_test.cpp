// What each law plans for a case of a built-in kernel: the second call differs in what the law is
// about and in nothing else, over the seeds in every way it may, and what is not exact is said.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "verify/cases/law_cases.h"
#include "verify/cases/signal.h"
#include "verify/laws/laws.h"

namespace w4 {
namespace {

using testing::HasSubstr;

class LawPlans : public testing::Test {
 protected:
  Result<Plan> plan(Law law, const std::string& text, uint64_t seed = 1) {
    Case c = *parse_case(text);
    c.law = law;
    c.seed = seed;
    setups_.push_back(std::make_unique<w4::Setup>(*make_setup(c, context_)));
    auto made = planner_of(law)(Given(*setups_.back(), context_));
    EXPECT_TRUE(made) << text << ": " << (made ? "" : made.error().text);
    return made;
  }
  // The values of `of` over seeds 1 to 40.
  template <class F>
  auto over_seeds(Law law, const std::string& text, F of) {
    std::set<decltype(of(*plan(law, text)))> seen;
    for (uint64_t seed = 1; seed <= 40; ++seed) seen.insert(of(*plan(law, text, seed)));
    return seen;
  }
  Context context_;
  std::vector<std::unique_ptr<w4::Setup>> setups_;
};

TEST_F(LawPlans, PowersAreExactForNormalNumbersOnly) {
  EXPECT_EQ(plan(Law::power_act, "decode m=2 n=8 k=64 g=32")->inexact, "");
  // One value of `extreme` at a time: of all at once no power of two scales every one.
  int subnormal = 0;
  for (int k = 0; k < 64; ++k) {
    const auto p =
        plan(Law::power_act, fmt::format("decode n=8 k=64 g=32 fill=extreme only=k{}..{}", k, k));
    ASSERT_TRUE(p) << k;
    const double v = std::abs(to_f64(DType::f16, p->first.x.a[static_cast<size_t>(k)]));
    if (v == 0 || v >= 0x1p-14) continue;
    ++subnormal;
    EXPECT_THAT(p->inexact, HasSubstr("subnormal")) << k;
  }
  EXPECT_GT(subnormal, 0);
  EXPECT_EQ(plan(Law::power_scale, "decode m=2 n=8 k=64 g=32")->inexact, "");
  EXPECT_THAT(plan(Law::power_scale, "prefill m=2 n=8 k=64 g=32 fill=extreme")->inexact,
              HasSubstr("subnormal"));
}

TEST_F(LawPlans, PowersGoUpAndDown) {
  for (const Law law : {Law::power_act, Law::power_scale}) {
    const auto exponents =
        over_seeds(law, "decode m=2 n=8 k=64 g=32", [](const Plan& p) { return p.exponent; });
    EXPECT_LT(*exponents.begin(), 0) << name_of(law);
    EXPECT_GT(*exponents.rbegin(), 0) << name_of(law);
    EXPECT_FALSE(exponents.contains(0)) << name_of(law);
  }
}

TEST_F(LawPlans, AnyRowIsTakenAlone) {
  const auto rows = over_seeds(Law::row_alone, "decode m=3 n=8 k=64 g=32 bias=mxn",
                               [](const Plan& p) { return p.elements.front().first / 8; });
  EXPECT_EQ(rows, (std::set<int64_t>{0, 1, 2}));
}

TEST_F(LawPlans, AnyOtherRowHoldsOneNanOrOneInfinityOrBoth) {
  std::set<int64_t> spoilt;
  std::set<std::pair<int64_t, int64_t>> of_each;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const auto p = plan(Law::row_isolation, "decode m=3 n=8 k=64 g=32", seed);
    ASSERT_TRUE(p);
    const Arrays& x = p->more[0].x;
    int64_t nans = 0, infinities = 0, row = -1;
    for (size_t i = 0; i < x.a.size(); ++i) {
      const double v = to_f64(DType::f16, x.a[i]);
      if (std::isfinite(v)) {
        EXPECT_EQ(x.a[i], p->first.x.a[i]);
        continue;
      }
      row = static_cast<int64_t>(i) / 64;
      ++(std::isnan(v) ? nans : infinities);
    }
    of_each.emplace(nans, infinities);
    for (const Element& e : p->elements) EXPECT_NE(e.first / 8, row);
    EXPECT_EQ(p->elements.size(), 16u);
    spoilt.insert(row);
  }
  EXPECT_EQ(spoilt.size(), 3u);
  EXPECT_EQ(of_each, (std::set<std::pair<int64_t, int64_t>>{{0, 1}, {1, 0}, {1, 1}}));
}

TEST_F(LawPlans, CodesAndZeroPointsMoveTogether) {
  const auto p = plan(Law::zero_shift, "decode m=1 n=8 k=64 g=32 zp=packed");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->inexact, "");
  const Weights &one = *p->first.x.wei, &two = *p->more[0].x.wei;
  std::set<int> shifts;
  for (size_t i = 0; i < one.q.size(); ++i) {
    const size_t group = i / 32;
    EXPECT_EQ(two.q[i] - one.q[i], two.z[group] - one.z[group]);
    EXPECT_LT(two.q[i], 16);
    shifts.insert(two.q[i] - one.q[i]);
  }
  EXPECT_GT(*shifts.begin(), 0);
  EXPECT_GT(shifts.size(), 3u);
  EXPECT_THAT(plan(Law::zero_shift, "decode n=8 k=64 g=32 zp=packed act=bf16")->inexact,
              HasSubstr("offset trick"));
  EXPECT_THAT(plan(Law::zero_shift, "prefill_carrier n=8 k=64 g=32 zp=packed")->inexact,
              HasSubstr("q - z"));
}

TEST_F(LawPlans, ZeroPointsHaveTheOtherFormOrAreEights) {
  const auto forms = plan(Law::zero_form, "decode n=8 k=64 g=32 zp=packed");
  EXPECT_EQ(forms->more[0].line.problem.zp, ZpMode::unpacked);
  EXPECT_EQ(plan(Law::zero_form, "decode n=8 k=64 g=32 zp=unpacked")->more[0].line.problem.zp,
            ZpMode::packed);
  const auto eights = plan(Law::implicit_8, "decode n=8 k=64 g=32");
  EXPECT_TRUE(eights->first.x.wei->z.empty());
  EXPECT_EQ(eights->more[0].x.wei->z, std::vector<uint8_t>(16, 8));
  const auto unused = plan(Law::unused_zeros, "decode n=8 k=64 g=32 src=ct");
  EXPECT_TRUE(unused->more[0].line.problem.qzeros);
}

TEST_F(LawPlans, BiasesAreZerosOrAdded) {
  const auto none = plan(Law::no_bias, "decode m=2 n=8 k=64 g=32 bias=n");
  EXPECT_FALSE(none->first.x.has_bias());
  EXPECT_EQ(none->more[0].x.bias, std::vector<uint16_t>(8, 0));
  const auto added = plan(Law::bias_adds, "decode m=2 n=8 k=64 g=32 bias=n");
  EXPECT_EQ(added->kind, Plan::Kind::adds_bias);
  EXPECT_NE(added->more[0].x.bias, std::vector<uint16_t>(8, 0));
}

TEST_F(LawPlans, LaunchesDifferInOneThing) {
  const std::string line = "decode m=2 n=8 k=64 g=32 zp=packed bias=n";
  EXPECT_TRUE(plan(Law::repeat, line)->again);
  EXPECT_GE(
      over_seeds(Law::schedule, line, [](const Plan& p) { return to_string(p.more[0].line.sched); })
          .size(),
      3u);
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const auto order = plan(Law::schedule, line, seed);
    EXPECT_NE(order->more[0].line.sched.order, order->first.line.sched.order);
    const auto cus = plan(Law::cu_count, line, seed);
    EXPECT_NE(cus->more[0].line.problem.cus, Auto(20));
    ASSERT_TRUE(cus->more[0].line.problem.cus);
    const Problem q = plan(Law::addresses, line, seed)->more[0].line.problem;
    for (const int64_t offset : {q.aoff, q.woff, q.soff, q.yoff, q.zoff, q.boff}) {
      EXPECT_GT(offset, 0);
    }
  }
}

TEST_F(LawPlans, PartsCoverTheWholeOnce) {
  const auto shards = plan(Law::k_shards, "decode m=2 n=8 k=128 g=32 bias=n");
  ASSERT_EQ(shards->more.size(), 2u);
  EXPECT_EQ(shards->more[0].x.wei->k + shards->more[1].x.wei->k, 128);
  EXPECT_TRUE(shards->more[0].x.has_bias());
  EXPECT_FALSE(shards->more[1].x.has_bias());
  EXPECT_EQ(plan(Law::routes, "decode m=2 n=8 k=128 g=32")->more[0].line.kernel, "prefill");
  EXPECT_EQ(plan(Law::routes, "prefill m=2 n=8 k=128 g=32")->more[0].line.kernel, "chunked");
  const auto experts = plan(Law::experts_dense, "moe m=4 n=8 k=64 g=32 experts=3 topk=2 blockm=2");
  std::set<int64_t> firsts;
  for (const Element& e : experts->elements) EXPECT_TRUE(firsts.insert(e.first).second);
  EXPECT_EQ(firsts.size(), 64u);
}

TEST_F(LawPlans, OneActivationARow) {
  const auto p = plan(Law::one_hot, "decode m=3 n=8 k=64 g=32");
  for (size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(std::ranges::count(p->first.x.a.begin() + static_cast<std::ptrdiff_t>(64 * r),
                                 p->first.x.a.begin() + static_cast<std::ptrdiff_t>(64 * (r + 1)),
                                 uint16_t{0}),
              63);
  }
}

// What a law wants different may take the signal away that the case was chosen with.
TEST(LawCases, ShowSignalAsTheyAre) {
  const CaseLimits limits{.n = 4, .k = 128, .large = false};
  int asked = 0;
  for (int64_t i = 0; i < 2000; ++i) {
    NumberedChooser choose(1, i);
    const Case c = choose_law_case(choose, limits, "decode");
    if (!may_lack_signal(c)) continue;
    ++asked;
    EXPECT_TRUE(shows_signal(c)) << to_string(c);
  }
  EXPECT_GT(asked, 500);
}

}  // namespace
}  // namespace w4
