#include "fuzz/cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/counters.h"

namespace w4::fuzz {
namespace {

using ::testing::HasSubstr;

size_t set_counters() {
  return kCounters - static_cast<size_t>(std::ranges::count(counters(), uint8_t{0}));
}

TEST(FuzzCases, AJudgedCaseCountsWhatItShowed) {
  std::ranges::fill(counters(), uint8_t{0});
  EXPECT_EQ(judged(*parse_case("decode n=16 k=256 g=64")).kind(), VerdictKind::pass);
  const size_t once = set_counters();
  EXPECT_GT(once, 5u);
  judged(*parse_case("decode n=16 k=256 g=64"));
  EXPECT_EQ(set_counters(), once);
  judged(*parse_case("decode m=4 n=16 k=2048 g=32 zp=packed"));
  EXPECT_GT(set_counters(), once + 5);
}

TEST(FuzzCases, ARefusedCaseIsNotTheLast) {
  judged(*parse_case("decode n=16 k=256 g=64"));
  EXPECT_TRUE(last_case());
  judged(*parse_case("decode n=16 k=100 g=64"));
  EXPECT_FALSE(last_case());
}

TEST(FuzzCases, ARowIsChosenByTheThirdByte) {
  constexpr std::array<std::string_view, 2> kRows{"moe", "moe_prefill"};
  const std::vector<uint8_t> one{0, 0, 1};
  EXPECT_EQ(chosen_row({}, kRows), "moe");
  EXPECT_EQ(chosen_row(one, kRows), "moe_prefill");
}

TEST(FuzzCases, WhatIsNotAModuleOrADeviceIsRefused) {
  const auto module = use("/nowhere.so", {});
  ASSERT_FALSE(module);
  EXPECT_THAT(module.error().text, HasSubstr("--module is '/nowhere.so'"));
  const auto device = use("", {"gfx900"});
  ASSERT_FALSE(device);
  EXPECT_THAT(device.error().text, HasSubstr("--device is 'gfx900'; legal: gfx1100"));
}

using FuzzCasesDeathTest = ::testing::Test;

TEST(FuzzCasesDeathTest, AFailurePrintsTheVerdictAndTheLine) {
  EXPECT_DEATH(must_pass(*parse_case("decode n=16 k=100 g=64")),
               "^refused.*\n(.*\n)*.*rerun: w4check rerun 'decode");
  const std::vector<std::string> group{"k.group"}, range{"m.range"};
  EXPECT_DEATH(must_be_refused(*parse_case("decode n=16 k=256 g=64"), group), "pass");
  EXPECT_DEATH(must_be_refused(*parse_case("decode n=16 k=100 g=64"), range), "refused");
}

// Skipped, because the kernel takes no zero points that do not count: no failure.
TEST(FuzzCases, ALawMayNotApply) {
  must_pass(*parse_case("decode n=16 k=256 g=64 zp=packed law=unused_zeros"));
}

}  // namespace
}  // namespace w4::fuzz
