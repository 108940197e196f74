#include "campaign/shown.h"

#include <gtest/gtest.h>

#include "results/verdict_json.h"

namespace w4 {
namespace {

TEST(Shown, AnAnswerIsTheVerdictAndWhatItShowedTwiceAtMost) {
  Runner runner(1);
  Shown shown;
  const Case c = *parse_case("decode m=2 n=16 k=256 g=64");
  const std::string first = shown.answer(c, runner, false);
  const auto verdict = verdict_from_text(first);
  ASSERT_TRUE(verdict) << verdict.error().text;
  EXPECT_EQ(verdict->kind(), VerdictKind::pass);
  const auto all = shown_in(first), again = shown_in(shown.answer(c, runner, false));
  ASSERT_TRUE(all && again);
  EXPECT_GT(all->size(), 10u);
  EXPECT_EQ(*all, *again);
  EXPECT_TRUE(shown_in(shown.answer(c, runner, false))->empty());
  // Another case shows something else.
  EXPECT_FALSE(
      shown_in(shown.answer(*parse_case("decode m=5 n=16 k=96 g=32"), runner, false))->empty());
}

TEST(Shown, WhatIsNoBehaviourIsAnError) {
  EXPECT_TRUE(shown_in(R"({"line":"decode"})")->empty());
  EXPECT_EQ(shown_in(R"({"behaviour":[[2,"ff"]]})")->front(),
            (Behaviour{BehaviourKind::margin, 255}));
  for (const char* wrong : {"", "[1]", R"({"behaviour":[[3,"ff"]]})", R"({"behaviour":[[0,"fg"]]})",
                            R"({"behaviour":[[0]]})", R"({"behaviour":[7]})"}) {
    EXPECT_FALSE(shown_in(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace w4
