#include "campaign/long_run/sources.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace w4 {
namespace {

using Counts = std::vector<std::optional<int64_t>>;

CampaignPlan plan_of(std::vector<std::string> sources, int64_t cases) {
  CampaignPlan plan;
  plan.sources = std::move(sources), plan.cases = cases;
  plan.kernels = {"decode", "moe"};
  return plan;
}

std::map<std::string, std::string> all_of(Sources s) {
  std::map<std::string, std::string> out;
  while (auto c = s.next()) {
    const std::string name = fmt::format("{} {}", c->source, c->number);
    EXPECT_TRUE(out.emplace(name, to_string(c->value)).second) << name;
  }
  return out;
}

TEST(Shares, TakeTurnsAndLeaveOutWhatIsOver) {
  EXPECT_EQ(shares(0, Counts{std::nullopt, 7}), (Counts{std::nullopt, 7}));
  EXPECT_EQ(shares(7, Counts{std::nullopt, std::nullopt}), (Counts{4, 3}));
  EXPECT_EQ(shares(20, Counts{std::nullopt, 3, std::nullopt}), (Counts{9, 3, 8}));
  EXPECT_EQ(shares(20, Counts{2, 3}), (Counts{2, 3}));
  EXPECT_EQ(shares(1, Counts{std::nullopt, std::nullopt}), (Counts{1, 0}));
}

TEST(Sources, ShardsTogetherAreTheWhole) {
  const CampaignPlan plan = plan_of({"random", "laws"}, 61);
  const auto whole = all_of(*Sources::open(plan, ""));
  EXPECT_EQ(whole.size(), 61u);
  std::map<std::string, std::string> together;
  for (int64_t shard = 1; shard <= 3; ++shard) {
    CampaignPlan part = plan;
    part.shard = shard, part.shards = 3;
    for (auto& [name, line] : all_of(*Sources::open(part, ""))) {
      EXPECT_EQ(std::stoll(name.substr(name.find(' '))) % 3, shard - 1) << name;
      EXPECT_TRUE(together.emplace(name, line).second) << name;
    }
  }
  EXPECT_EQ(together, whole);
}

TEST(Sources, GoesOnWithWhatHasNoVerdictLostOnesFirst) {
  const CampaignPlan plan = plan_of({"random"}, 12);
  auto s = *Sources::open(plan, "");
  s.go_on("random", 4, {5, 7, 8});
  s.again({"random", 9, *parse_case("decode"), {}});
  std::vector<int64_t> numbers;
  while (auto c = s.next()) numbers.push_back(c->number);
  EXPECT_EQ(numbers, (std::vector<int64_t>{9, 4, 6, 10, 11}));
}

TEST(Sources, ThePositionIsBeforeWhatHasNoVerdict) {
  auto s = *Sources::open(plan_of({"random"}, 12), "");
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(s.next());
  EXPECT_EQ(s.finish("random", 1), 0);
  EXPECT_EQ(s.finish("random", 2), 0);
  EXPECT_EQ(s.finish("random", 0), 3);
  EXPECT_EQ(s.finish("random", 3), 4);
}

TEST(Plan, SurvivesTheStoreAndNamesDifferences) {
  CampaignPlan plan = plan_of({"random", "sweep"}, 5);
  plan.seed = 7, plan.seconds = 90;
  const auto read = plan_from_text(plan_to_text(plan));
  ASSERT_TRUE(read);
  EXPECT_EQ(difference(plan, *read), "");
  CampaignPlan other = plan;
  other.seed = 8, other.shards = 4;
  EXPECT_EQ(difference(plan, other), "--seed 7, now 8; --shard 1/1, now 1/4");
  EXPECT_FALSE(plan_from_text(R"({"seed": 1})"));
}

}  // namespace
}  // namespace w4
