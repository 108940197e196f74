#include "campaign/plan.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "campaign/suites/suite.h"

namespace w4 {
namespace {

class PlanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = ::testing::TempDir() + "w4plan.cases";
    std::ofstream(file_) << "decode m=1 device=gfx1201 seed=5\ndecode m=2\ndecode m=2\n";
  }
  void TearDown() override { std::filesystem::remove(file_); }
  std::string file_;
};

TEST_F(PlanTest, EqualLinesRunOnce) {
  const auto plan = make_plan({.suites = {},
                               .files = {file_},
                               .lines = {},
                               .devices = {},
                               .fp = "",
                               .checks = "",
                               .seed = {}});
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_EQ(plan->size(), 2u);
  EXPECT_EQ((*plan)[0].line, "decode device=gfx1201 seed=5");
  EXPECT_EQ((*plan)[1].line, "decode m=2");
  EXPECT_EQ((*plan)[0].suite, file_);
}

TEST_F(PlanTest, OverridesReplaceWhatLinesSay) {
  PlanOptions o;
  o.files = {file_};
  o.devices = {"gfx1100", "gfx1151"};
  o.fp = "ieee";
  o.checks = "none";
  o.seed = 9;
  const auto plan = make_plan(o);
  ASSERT_TRUE(plan) << plan.error().text;
  ASSERT_EQ(plan->size(), 4u);
  std::set<std::string> devices;
  for (const PlannedCase& p : *plan) {
    devices.insert(p.value.device);
    EXPECT_EQ(p.value.fp, "ieee");
    EXPECT_EQ(p.value.checks.mask, 0u);
    EXPECT_EQ(p.value.seed, 9u);
    EXPECT_EQ(*parse_case(p.line), p.value);
  }
  EXPECT_EQ(devices, (std::set<std::string>{"gfx1100", "gfx1151"}));
}

TEST_F(PlanTest, SuitesComeInTheOrderGivenWithTheirName) {
  PlanOptions o;
  o.suites = {"boundary", "smoke"};
  const auto plan = make_plan(o);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->front().suite, "boundary");
  EXPECT_EQ(plan->back().suite, "smoke");
}

TEST(PlannedCase, NeighboursInMShareWeights) {
  const auto planned = [](std::string_view line) {
    return PlannedCase{"s", *parse_case(line), std::string(line)};
  };
  const PlannedCase a = planned("decode m=1 n=64 k=256 zp=packed");
  EXPECT_TRUE(a.shares_weights(planned("decode m=5 n=64 k=256 zp=packed bias=n")));
  for (const char* other :
       {"decode m=1 n=72 k=256 zp=packed", "decode m=1 n=64 k=512 zp=packed",
        "decode m=1 n=64 k=256", "decode m=1 n=64 k=256 zp=packed g=64",
        "decode m=1 n=64 k=256 zp=packed act=bf16", "decode m=1 n=64 k=256 zp=packed src=ct",
        "decode m=1 n=64 k=256 zp=packed seed=2", "decode m=1 n=64 k=256 zp=packed fill=normal"}) {
    EXPECT_FALSE(a.shares_weights(planned(other))) << other;
  }
}

TEST(PlannedCase, CostIsFiniteForAnyProblem) {
  for (const char* line :
       {"decode m=0 n=0 k=0", "decode m=-5 n=-5 k=9223372036854775807",
        "decode m=9223372036854775807 n=9223372036854775807 k=9223372036854775807"}) {
    const PlannedCase p{"s", *parse_case(line), line};
    EXPECT_GT(p.cost(), 0) << line;
    EXPECT_TRUE(std::isfinite(p.cost())) << line;
  }
}

}  // namespace
}  // namespace w4
