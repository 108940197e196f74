#include "campaign/shown.h"

#include <gtest/gtest.h>
#include <poll.h>

#include "campaign/one_worker.h"
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

Verdict asked(OneWorker& worker, const PlannedCase& p) {
  EXPECT_TRUE(worker.ask(p));
  for (;;) {
    std::vector<pollfd> fds;
    worker.watch(fds);
    ::poll(fds.data(), fds.size(), -1);
    if (auto v = worker.answer()) return std::move(*v);
  }
}

// Which of 20 answers to one line name what it shows: those of a new process.
std::vector<int> telling(int64_t most_bytes) {
  ExecuteOptions options;
  options.executable = W4_COMMAND;
  options.behaviour = true;
  options.most_bytes = most_bytes;
  OneWorker worker(options);
  const Case c = *parse_case("decode m=2 n=16 k=256 g=64");
  std::vector<int> out;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(asked(worker, {"", c, to_string(c)}).kind(), VerdictKind::pass);
    if (!shown_in(worker.said())->empty()) out.push_back(i);
  }
  return out;
}

TEST(OneWorker, OneThatHoldsTooMuchIsReplaced) {
  EXPECT_EQ(telling(0), (std::vector{0, 1}));
  EXPECT_EQ(telling(int64_t{1} << 40), (std::vector{0, 1}));
  EXPECT_EQ(telling(1), (std::vector{0, 1, 16, 17}));
}

}  // namespace
}  // namespace w4
