#include "results/compare.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "results/sqlite.h"
#include "results/store_fixture.h"

namespace w4 {
namespace {

using testing::mismatch;
using testing::ran_by;

class Compare : public testing::StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    store_.emplace(fresh());
  }
  int64_t begin(const std::string& command = "w4check run", const std::string& build = "b1") {
    return *store_->begin_run({.command = command, .build_id = build, .planned = 9});
  }
  void add(int64_t run, const std::string& line, Outcome o, const std::string& build = "b1",
           const std::string& kernel = "decode") {
    ASSERT_TRUE(store_->add(
        run, {"smoke", kernel, "gfx1151", make_verdict(line, {std::move(o)}, ran_by(build))}));
  }
  void at(int64_t run, const std::string& started) {
    auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(db->run("UPDATE run SET started=? WHERE id=?", started, run));
  }
  std::optional<int64_t> before(int64_t run) {
    const auto found = *previous_run(*store_, **store_->find_run(run));
    return found ? std::optional(found->id) : std::nullopt;
  }

  std::optional<Store> store_;
};

TEST_F(Compare, ThePreviousRunIsTheNewestOfTheSameCommandThatJudgedSomething) {
  const int64_t first = begin(), second = begin(), other = begin("w4check run --suite moe"),
                empty = begin(), last = begin();
  for (const int64_t run : {first, second, other, last}) add(run, "decode m=1", Pass{});
  EXPECT_EQ(before(last), second);  // all of one second: by id
  EXPECT_EQ(before(second), first);
  EXPECT_EQ(before(first), std::nullopt);
  EXPECT_EQ(before(other), std::nullopt);
  EXPECT_EQ(before(empty), second);
  at(first, "2020-01-01 00:00:02"), at(second, "2020-01-01 00:00:01");
  EXPECT_EQ(before(last), first);  // by time
}

TEST_F(Compare, CampaignsAreComparedByTheirPlan) {
  const auto campaign = [&](const std::string& plan, const std::string& command) {
    const int64_t run = *store_->begin_run({command, "b1", 0, RunKind::campaign, plan});
    EXPECT_TRUE(store_->add_case(run, testing::campaign_case("random", 0, Pass{})));
    return run;
  };
  const int64_t first = campaign(R"({"shard":1})", "a"), other = campaign(R"({"shard":2})", "a"),
                second = campaign(R"({"shard":1})", "b");
  EXPECT_EQ(before(second), first);
  EXPECT_EQ(before(other), std::nullopt);
}

TEST_F(Compare, FailuresThatARunTookOverAreItsOwnToo) {
  const int64_t first = begin();
  add(first, "decode m=1", mismatch("every row"));
  add(first, "decode m=2", mismatch("every row"));
  const int64_t second = begin();
  const std::vector<std::string> lines{"decode m=1"};
  ASSERT_EQ(store_->adopt(second, "b1", lines)->size(), 1u);
  EXPECT_TRUE(store_->failures(second, 9)->empty());
  const auto shown = *shown_failures(*store_, second);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].cases, 1);
  EXPECT_EQ(shown[0].taken_over, 1);
  EXPECT_EQ(shown[0].failure.pattern, "every row");
  EXPECT_EQ(shown[0].failure.first_line, "decode m=1");
  const auto of_first = *shown_failures(*store_, first);
  ASSERT_EQ(of_first.size(), 1u);
  EXPECT_EQ(of_first[0].cases, 2);
  EXPECT_EQ(of_first[0].taken_over, 0);
  EXPECT_EQ(of_first[0].keys, shown[0].keys);
}

TEST_F(Compare, ExplainedFailuresKeepTheKeyOfThoseThatAreNot) {
  const int64_t first = begin(), second = begin();
  add(first, "decode m=1", mismatch("every row"));
  add(second, "decode m=1", mismatch("every row"));
  const int64_t id = store_->failures(second, 9)->at(0).id;
  ASSERT_TRUE(store_->update_failure(
      id, {"decode m=1", "a tail is left out", FailureState::done, {}, "another pattern"}));
  const auto was = *shown_failures(*store_, first), is = *shown_failures(*store_, second);
  EXPECT_EQ(is.at(0).keys.size(), 2u);
  EXPECT_EQ(std::ranges::count(is.at(0).keys, was.at(0).keys.at(0)), 1);
}

TEST_F(Compare, LinesAreGreenOnlyWhereEveryVerdictIs) {
  const int64_t was = begin(), now = begin("w4check run", "b2");
  for (const char* line : {"m=1", "m=1", "m=2", "m=3", "m=4", "m=5"})
    add(was, line, mismatch("every row"));
  add(now, "m=1", Pass{}, "b2");
  add(now, "m=2", Pass{}, "b2");
  add(now, "m=2", mismatch("another"), "b2");
  add(now, "m=3", Skipped{SkipReason::no_device, ""}, "b2");
  add(now, "m=5", Refused{"k.group", "", true, true}, "b2");
  const int64_t other = begin();
  add(other, "m=4", Pass{});
  const int64_t id = shown_failures(*store_, was)->at(0).failure.id;
  const LinesJudged judged = *lines_judged(*store_, id, was, now);
  EXPECT_EQ(judged.lines, 5);
  EXPECT_EQ(judged.green, 2);  // 1 and 5; 3 was skipped, 4 ran elsewhere
  EXPECT_EQ(judged.red, 1);
  EXPECT_EQ(judged.flaky, 1);  // 2, by b2 itself
}

TEST_F(Compare, CountsByKernel) {
  const int64_t first = begin(), second = begin();
  add(first, "decode m=1", Pass{});
  add(second, "decode m=2", mismatch("rows"));
  add(second, "decode m=3", Skipped{SkipReason::no_device, ""});
  add(second, "moe m=3", Pass{}, "b1", "moe");
  const std::vector<std::string> lines{"decode m=1"};
  ASSERT_EQ(store_->adopt(second, "b1", lines)->size(), 1u);
  const auto counts = *kernel_counts(*store_, second);
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].kernel, "decode");
  EXPECT_EQ(counts[0].green, 1);
  EXPECT_EQ(counts[0].red, 1);
  EXPECT_EQ(counts[0].skipped, 1);
  EXPECT_EQ(counts[0].judged(), 2);
  EXPECT_DOUBLE_EQ(counts[0].seconds, 0.75);
  EXPECT_EQ(counts[1].green, 1);
}

TEST_F(Compare, FlakyLinesOfARunAreThoseItHolds) {
  const int64_t first = begin(), second = begin(), third = begin("w4check run", "b2");
  add(first, "decode m=1", Pass{});
  add(first, "decode m=2", Pass{});
  add(first, "decode m=3", Pass{});
  add(second, "decode m=1", mismatch("every row"));
  add(second, "decode m=2", mismatch("every row"));
  add(third, "decode m=1", Pass{}, "b2");  // another build: no flake of this one
  EXPECT_EQ(flaky_of(*store_, third, 9)->total, 0);
  const auto of_first = *flaky_of(*store_, first, 1);
  EXPECT_EQ(of_first.total, 2);
  ASSERT_EQ(of_first.lines.size(), 1u);
  EXPECT_EQ(of_first.lines[0].line, "decode m=1");
  EXPECT_EQ(of_first.lines[0].build_id, "b1");
  ASSERT_EQ(of_first.lines[0].records.size(), 2u);
  EXPECT_EQ(of_first.lines[0].records[0].kind, "mismatch");
  EXPECT_EQ(of_first.lines[0].records[1].kind, "pass");
  const int64_t again = begin();
  EXPECT_EQ(flaky_of(*store_, again, 9)->total, 0);
  const std::vector<std::string> lines{"decode m=2"};
  ASSERT_EQ(store_->adopt(again, "b1", lines)->size(), 1u);
  EXPECT_EQ(flaky_of(*store_, again, 9)->total, 1);
}

TEST_F(Compare, AReaderSeesOneMomentWhileTheRunGoesOn) {
  const int64_t run = begin();
  add(run, "decode m=1", Pass{});
  Store reader = std::move(*Store::open(path_.string(), Store::Mode::read));
  const auto cases = [&] { return kernel_counts(reader, run)->at(0).judged(); };
  ASSERT_TRUE(reader.reading([&]() -> Result<void> {
    EXPECT_EQ(cases(), 1);
    add(run, "decode m=2", Pass{});
    EXPECT_EQ(cases(), 1);
    return {};
  }));
  EXPECT_EQ(cases(), 2);
  const auto failed = reader.reading([]() -> Result<void> { return fail("no such thing"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().text, "no such thing");
  EXPECT_TRUE(reader.reading([]() -> Result<void> { return {}; }));
}

}  // namespace
}  // namespace w4
