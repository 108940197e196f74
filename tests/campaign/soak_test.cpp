// A soak: cases are numbers, parts add up to the whole, anything but a Pass is an alarm, and floors
// that are missed are named.
#include "campaign/soak.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

SoakPlan plan_of(int64_t first, int64_t cases) {
  SoakPlan plan;
  plan.rows.assign(generated_rows().begin(), generated_rows().end());
  plan.devices = {"gfx1151", "gfx1100", "gfx1201"};
  plan.first = first, plan.cases = cases;
  return plan;
}

Verdict verdict(const Case& c, Outcome o) { return make_verdict(to_string(c), {std::move(o)}, {}); }

TEST(Soak, CasesAreFunctionsOfSeedAndNumber) {
  SoakPlan plan = plan_of(0, 1), other = plan_of(7, 100);
  other.threads = 3;
  for (int64_t i = 0; i < 40; ++i) {
    EXPECT_EQ(soak_case(plan, i), soak_case(other, i));
    EXPECT_EQ(soak_case(plan, i).device, plan.devices[static_cast<size_t>(i % 3)]);
  }
  // The next case of the same arch, and the same one of another seed.
  EXPECT_NE(soak_case(plan, 5), soak_case(plan, 8));
  other.seed = 2;
  EXPECT_NE(soak_case(plan, 5), soak_case(other, 5));
}

// However they are shared out, the cases of a soak are those of its numbers, each once.
TEST(Soak, PartsAndThreadsAreTheSameCases) {
  std::FILE* nowhere = std::fopen("/dev/null", "w");
  ASSERT_NE(nowhere, nullptr);
  SoakPlan parallel = plan_of(3, 20);
  parallel.threads = 2;
  const SoakResult whole = soak(parallel, nowhere);
  const SoakResult one = soak(plan_of(3, 8), nowhere), two = soak(plan_of(11, 12), nowhere);
  std::fclose(nowhere);
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.next, 23);
  EXPECT_EQ(one.next, 11);
  EXPECT_EQ(whole.tally.alarms(), 0);
  Coverage drawn;
  for (int64_t i = 3; i < 23; ++i) drawn.add(soak_case(parallel, i));
  EXPECT_EQ(whole.tally.all().cases(), 20);
  for (const auto& [name, values] : drawn.counts()) {
    for (const auto& [value, count] : values) {
      EXPECT_EQ(whole.tally.all().of(name, value), count) << name << " " << value;
      EXPECT_EQ(one.tally.all().of(name, value) + two.tally.all().of(name, value), count)
          << name << " " << value;
    }
  }
}

TEST(Soak, AnythingButAPassIsAnAlarm) {
  const SoakPlan plan = plan_of(0, 1);
  const Case c = soak_case(plan, 0);
  SoakTally tally;
  tally.add(c, verdict(c, Pass{}));
  EXPECT_EQ(tally.alarms(), 0);
  tally.add(c, verdict(c, Mistrusted{"proves little"}));
  EXPECT_EQ(tally.alarms(), 1);
  tally.add(c, verdict(c, Skipped{SkipReason::too_large, "large"}));
  tally.add(c, verdict(c, Refused{"k.group", "no", true, true}));
  EXPECT_EQ(tally.alarms(), 3);
}

TEST(Soak, NamesWhatIsBelowItsFloor) {
  SoakPlan plan = plan_of(0, 1);
  const auto below_without = [&](auto&& leave_out) {
    SoakTally tally;
    for (int64_t i = 0; i < 800; ++i) {
      const Case c = soak_case(plan, i);
      if (!leave_out(c)) tally.add(c, verdict(c, Pass{}));
    }
    return tally.below(plan);
  };
  plan.rows = {"prefill_carrier", "decode"};  // quick to draw
  const auto nothing = below_without([](const Case&) { return false; });
  EXPECT_THAT(nothing, Not(Contains(HasSubstr("gfx1"))));
  EXPECT_THAT(nothing, Not(Contains(HasSubstr("k range"))));
  EXPECT_THAT(below_without([](const Case& c) { return c.problem.k >= 2048; }),
              Contains(HasSubstr("k range = 2048 and more in 0 of")));
  EXPECT_THAT(below_without([](const Case& c) {
                return c.kernel == "decode" && c.device == "gfx1201" && c.problem.g == 64 &&
                       c.problem.act == DType::bf16;
              }),
              Contains(HasSubstr("decode gfx1201 bf16 g64 in 0 of")));
}

}  // namespace
}  // namespace w4
