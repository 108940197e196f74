#include "campaign/zoo/seeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/zoo/results.h"

namespace w4::zoo {
namespace {

using testing::HasSubstr;

Hunted::Run run(int64_t killed_after) {
  Hunted::Run r;
  r.generator = Generator::random;
  r.cases = killed_after > 0 ? killed_after : 900;
  if (killed_after > 0) {
    r.killed[Oracle::interval] = {{Oracle::interval, "mismatch"}, killed_after, 0.5, "decode", ""};
  }
  return r;
}

TEST(ZooSeeds, ScoreIsTheWorstSeeds) {
  const std::vector<SeedRow> rows{{"groups/a", "", false, {run(3), run(0)}},
                                  {"groups/b", "", false, {run(40), run(7)}},
                                  {"calls/c", "", true, {}}};
  const SeedScore s = score_of(rows, 11);
  EXPECT_THAT(s.text, HasSubstr("seed 11: 2 of 2 killed, 100.0 %"));
  EXPECT_THAT(s.text, HasSubstr("seed 12: 1 of 2 killed, 50.0 %"));
  EXPECT_THAT(s.text, HasSubstr("worst seed: 1 of 2, 50.0 %; to the kill: median 7 cases"));
  EXPECT_THAT(s.text, HasSubstr("1 more mutants only an audit shows"));
  EXPECT_TRUE(s.every_mutant_once);
  EXPECT_EQ(s.json["killed"], (std::vector<int>{2, 1}));
}

TEST(ZooSeeds, AStaleMutantSurvives) {
  const SeedScore s = score_of({{"groups/a", "no such text", false, {run(3)}}}, 1);
  EXPECT_THAT(s.text, HasSubstr("seed 1: 0 of 1 killed"));
  EXPECT_FALSE(s.every_mutant_once);
}

TEST(ZooSeeds, WithoutAWholeSeedThereIsNoScore) {
  const SeedScore s = score_of({{"groups/a", "", false, {}}}, 1);
  EXPECT_EQ(s.text, "no seed met every mutant: there is no score\n");
  EXPECT_FALSE(s.every_mutant_once);
}

TEST(ZooResults, MedianIsTheMiddle) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({5, 1, 3}), 3);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(ZooResults, AKillThatOneOracleAloneHasIsCounted) {
  Row both, one, none;
  both.family = one.family = none.family = "groups";
  both.id = "both", one.id = "one", none.id = "none";
  both.hunted.runs = {run(3)};
  both.hunted.runs[0].killed[Oracle::memory] = {
      {Oracle::memory, "finding oob_read"}, 2, 0.1, "", ""};
  one.hunted.runs = {run(9)};
  none.hunted.runs = {run(0)};
  none.hunted.runs[0].others = 4, none.hunted.runs[0].other = "decode m=1: crash";
  const std::string text = summary_text({both, one, none}, {});
  EXPECT_THAT(text, HasSubstr("2 of 3 mutants killed"));
  EXPECT_THAT(text, HasSubstr("survivor: groups/none"));
  EXPECT_THAT(text, HasSubstr("4 red but not as expected, the first: decode m=1: crash"));
  EXPECT_THAT(text, HasSubstr("interval  kills   2, alone   1"));
  EXPECT_THAT(text, HasSubstr("memory    kills   1, alone   0"));
}

TEST(ZooResults, AStaleMutantIsNoKill) {
  Row stale;
  stale.family = "groups", stale.id = "old", stale.stale = "no definition of f";
  stale.hunted.runs = {run(3)};
  EXPECT_FALSE(stale.killed());
  EXPECT_THAT(summary_text({stale}, {}), HasSubstr("0 of 1 mutants killed, 1 stale"));
}

}  // namespace
}  // namespace w4::zoo
