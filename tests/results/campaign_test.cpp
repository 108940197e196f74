#include <gtest/gtest.h>

#include <limits>

#include "results/line_hash.h"
#include "results/sqlite.h"
#include "results/store_fixture.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

using testing::campaign_case;
using testing::mismatch;
using testing::StoreTest;

class CampaignStore : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    store_.emplace(fresh());
    run_ = *store_->begin_run({"w4check campaign", "b1", 0, RunKind::campaign, R"({"seed":7})"});
  }
  AddedCase add(const CampaignCase& c) {
    const auto added = store_->add_case(run_, c);
    EXPECT_TRUE(added) << added.error().text;
    return added.value_or(AddedCase{});
  }

  std::optional<Store> store_;
  int64_t run_ = 0;
};

TEST_F(CampaignStore, TheNewestCampaignIsFoundWithItsPlan) {
  ASSERT_TRUE(store_->begin_run({"w4check run", "b2", 3}));
  const auto found = *store_->find_campaign();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, run_);
  EXPECT_EQ(found->plan, R"({"seed":7})");
  EXPECT_EQ(found->kind, RunKind::campaign);
  EXPECT_EQ(found->uid.size(), 32u);
  EXPECT_EQ(found->uid.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(found->uid, (*store_->find_run(std::nullopt))->uid);
  ASSERT_TRUE(store_->end_run(run_, RunState::interrupted));
  ASSERT_TRUE(store_->reopen_run(run_));
  EXPECT_EQ((*store_->find_campaign())->state, RunState::running);
  EXPECT_EQ((*store_->find_campaign())->finished, "");
  EXPECT_FALSE((*store_->find_campaign())->heartbeat.empty());
}

TEST_F(CampaignStore, ResumesWhereEachSourceWas) {
  add(campaign_case("random", 0, Pass{}));
  add(campaign_case("random", 2, Pass{}));
  add(campaign_case("laws", 0, Pass{}));  // the same number of another source
  add(campaign_case("random", 5, Pass{}));
  ASSERT_TRUE(store_->set_position(run_, "sweep", 99));
  const auto positions = *store_->positions(run_);
  ASSERT_EQ(positions.size(), 3u);
  EXPECT_EQ(positions[0].source, "laws");
  EXPECT_EQ(positions[0].next, 1);
  EXPECT_EQ(positions[1].next, 6);
  EXPECT_EQ(positions[2].next, 99);
  EXPECT_EQ(*store_->done_numbers(run_, "random", 1), (std::vector<int64_t>{2, 5}));
  EXPECT_TRUE(store_->done_numbers(run_, "guided", 0)->empty());
}

TEST_F(CampaignStore, ANumberIsFiledOnce) {
  add(campaign_case("random", 3, Pass{}));
  const auto again = store_->add_case(run_, campaign_case("random", 3, mismatch("rows")));
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().text.find("'random' number 3"), std::string::npos) << again.error().text;
  EXPECT_EQ(store_->tally(run_)->size(), 1u);
  EXPECT_TRUE(store_->failures(run_, 9)->empty());
}

TEST_F(CampaignStore, AGreenVerdictIsRebuiltFromItsColumns) {
  Pass pass;
  pass.headroom = 0.375;
  pass.exposure = 12;
  add(campaign_case("random", 0, pass));
  add(campaign_case("random", 1, Refused{"k.group", "K is 100", true, true}));
  CampaignCase whole = campaign_case("random", 2, pass);
  whole.keep_json = true;
  add(whole);
  add(campaign_case("random", 3, mismatch("every row")));
  const auto records = store_->verdicts(run_);
  ASSERT_TRUE(records) << records.error().text;
  ASSERT_EQ(records->size(), 4u);
  const Verdict& v = (*records)[0].verdict;
  EXPECT_EQ(v.kind(), VerdictKind::pass);
  EXPECT_TRUE(v.green());
  EXPECT_EQ(v.line, "decode m=0 seed=random");
  EXPECT_EQ(std::get<Pass>(v.primary()).headroom, 0.375);
  EXPECT_EQ(v.ran.build_id, "b1");
  EXPECT_EQ(v.ran.object_hash, "00ff");
  EXPECT_EQ(v.ran.fp, "ieee");
  EXPECT_EQ(v.ran.instantiation, "medium y4");
  EXPECT_EQ(v.ran.wave_instructions, 100u);
  EXPECT_EQ(v.ran.seconds, 0.25);
  EXPECT_EQ((*records)[0].suite, "random");
  const Verdict& refused = (*records)[1].verdict;
  EXPECT_TRUE(refused.green());
  EXPECT_EQ(std::get<Refused>(refused.primary()).clause, "k.group");
  EXPECT_EQ(verdict_to_text((*records)[2].verdict), verdict_to_text(whole.record.verdict));
  EXPECT_EQ(std::get<Mismatch>((*records)[3].verdict.primary()).pattern, "every row");
}

TEST_F(CampaignStore, CountsAsItGoes) {
  Pass pass;
  pass.headroom = 0.5;
  add(campaign_case("random", 0, pass));
  pass.headroom = std::numeric_limits<double>::quiet_NaN();
  add(campaign_case("random", 1, pass));
  add(campaign_case("random", 2, Skipped{SkipReason::no_device, "none"}));
  add(campaign_case("laws", 0, mismatch("every row")));
  ASSERT_TRUE(store_->add(*store_->begin_run({"c", "b1", 1}),
                          {"random", "decode", "gfx1151", make_verdict("l", {Pass{}}, {})}));
  const auto rows = *store_->tally(run_);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].suite, "laws");
  EXPECT_EQ(rows[0].kind, "mismatch");
  EXPECT_FALSE(rows[0].green);
  EXPECT_EQ(rows[1].kind, "pass");
  EXPECT_TRUE(rows[1].green);
  EXPECT_EQ(rows[1].cases, 2);
  EXPECT_EQ(rows[1].seconds, 0.5);
  EXPECT_EQ(rows[1].wave_instructions, 200);
  EXPECT_EQ(rows[1].headroom, 0.5);
  EXPECT_EQ((*store_->tally(std::nullopt))[1].cases, 3);
  EXPECT_EQ(store_->stop_counts(run_)->cases, 3);  // skipped ones show nothing
}

TEST_F(CampaignStore, BehavioursThatNoOtherCaseShowed) {
  const uint64_t high = 0xFFFFFFFFFFFFFFFFu;
  EXPECT_EQ(add(campaign_case("random", 0, Pass{}, {{0, 1}, {0, high}, {1, 1}})).new_behaviours, 3);
  EXPECT_EQ(add(campaign_case("random", 1, Pass{}, {{0, 1}, {2, 7}})).new_behaviours, 1);
  // The same number of another source is another case.
  EXPECT_EQ(add(campaign_case("laws", 1, Pass{}, {{2, 7}, {2, 7}})).new_behaviours, 0);
  EXPECT_EQ(add(campaign_case("laws", 2, Pass{}, {{0, 1}})).new_behaviours, 0);
  const StopCounts counts = *store_->stop_counts(run_);
  EXPECT_EQ(counts.cases, 4);
  EXPECT_EQ(counts.singles, 1);  // random 0: edge `high` and tuple 1
  ASSERT_EQ(counts.kinds.size(), 3u);
  EXPECT_EQ(counts.kinds[0].distinct, 2);
  EXPECT_EQ(counts.kinds[0].once, 1);
  EXPECT_EQ(counts.kinds[1].once, 1);
  EXPECT_EQ(counts.kinds[2].distinct, 1);
  EXPECT_EQ(counts.kinds[2].once, 0);
  EXPECT_EQ(counts.last_source, "random");
  EXPECT_EQ(counts.last_number, 1);
  EXPECT_EQ(counts.last_cases, 2);
  EXPECT_FALSE(counts.last_at.empty());
}

TEST_F(CampaignStore, SkippedCasesAreNotAmongThoseBeforeTheLastNewBehaviour) {
  add(campaign_case("random", 0, Skipped{SkipReason::no_device, "none"}));
  add(campaign_case("random", 1, Pass{}));
  add(campaign_case("random", 2, Pass{}, {{0, 1}}));
  EXPECT_EQ(store_->stop_counts(run_)->last_cases, 2);
}

TEST_F(CampaignStore, EveryCaseIsAHeartbeat) {
  const std::string long_ago = "2001-01-01 00:00:00";
  auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
  ASSERT_TRUE(db->run("UPDATE run SET heartbeat=?", long_ago));
  ASSERT_EQ((*store_->find_campaign())->heartbeat, long_ago);
  add(campaign_case("random", 0, Pass{}));
  EXPECT_GT((*store_->find_campaign())->heartbeat, long_ago);
}

TEST_F(CampaignStore, ABehaviourShownTwiceByOneCaseIsItsOwn) {
  add(campaign_case("random", 0, Pass{}, {{0, 1}, {0, 1}}));
  EXPECT_EQ(store_->stop_counts(run_)->singles, 1);
}

TEST_F(CampaignStore, DrawnCountsLeaveOutOtherSources) {
  add(campaign_case("random", 0, Pass{}, {{0, 1}, {0, 2}}));
  add(campaign_case("random", 1, Pass{}, {{0, 1}, {0, 3}}));
  add(campaign_case("random", 2, Pass{}, {{0, 4}}));
  add(campaign_case("random", 3, Pass{}));
  add(campaign_case("guided", 0, Pass{}, {{0, 4}, {0, 5}}));
  const std::vector<std::string> drawn{"random", "laws"};
  const DrawnCounts counts = *store_->drawn_counts(run_, drawn);
  EXPECT_EQ(counts.cases, 4);
  EXPECT_EQ(counts.singles, 2);  // 2 and 3 are shown by one case, 5 by one of guided
  EXPECT_EQ(counts.recent, 2);
  EXPECT_EQ(counts.recent_new, 1);
}

TEST_F(CampaignStore, StopCountsOfAllRunsTakeOneRunsBehaviourForAnothers) {
  add(campaign_case("random", 0, Pass{}, {{0, 1}, {0, 2}}));
  const int64_t first = run_;
  run_ = *store_->begin_run({"c", "b1", 0, RunKind::campaign});
  EXPECT_EQ(add(campaign_case("random", 0, Pass{}, {{0, 1}, {0, 2}})).new_behaviours, 2);
  EXPECT_EQ(add(campaign_case("random", 1, Pass{}, {{0, 3}})).new_behaviours, 1);
  EXPECT_EQ(store_->stop_counts(first)->singles, 1);
  EXPECT_EQ(store_->stop_counts(run_)->singles, 2);
  const StopCounts all = *store_->stop_counts(std::nullopt);
  EXPECT_EQ(all.cases, 3);
  EXPECT_EQ(all.singles, 1);
  ASSERT_EQ(all.kinds.size(), 1u);
  EXPECT_EQ(all.kinds[0].distinct, 3);
  EXPECT_EQ(all.kinds[0].once, 1);
}

TEST_F(CampaignStore, LostCasesAreKeptAndSayWhetherTheyWereJudgedSince) {
  ASSERT_TRUE(store_->mark_lost(run_, "random", 4, "decode m=4", "killed"));
  ASSERT_TRUE(store_->mark_lost(run_, "random", 4, "decode m=4", "killed again"));
  ASSERT_TRUE(store_->mark_lost(run_, "laws", 2, "decode m=2", "full disk"));
  add(campaign_case("random", 4, Pass{}));
  const auto lost = *store_->lost(run_);
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_EQ(lost[0].source, "laws");
  EXPECT_EQ(lost[0].number, 2);
  EXPECT_EQ(lost[0].line, "decode m=2");
  EXPECT_FALSE(lost[0].judged);
  EXPECT_TRUE(lost[1].judged);
  EXPECT_EQ(lost[1].why, "killed");
}

TEST_F(CampaignStore, FlakyAreTwoRecordsOfOneLineAndBuildThatDiffer) {
  const auto again = [&](int64_t number, std::string line, Outcome o, std::string build = "b1",
                         std::string outputs = "", std::string object = "00ff") {
    CampaignCase c = campaign_case("random", number, std::move(o));
    c.record.verdict.line = std::move(line);
    c.record.verdict.ran.build_id = std::move(build);
    c.record.verdict.ran.outputs = std::move(outputs);
    c.record.verdict.ran.object_hash = std::move(object);
    add(c);
  };
  again(0, "kind", Pass{});
  again(1, "kind", mismatch("rows"));
  again(2, "same", Pass{});
  again(3, "same", Pass{});
  again(4, "build", Pass{}, "b1");
  again(5, "build", Mismatch{}, "b2");
  again(6, "code", Pass{}, "b1", "", "aa");
  again(7, "code", Mismatch{}, "b1", "", "bb");
  again(8, "skipped", Pass{});
  again(9, "skipped", Skipped{});
  again(10, "bits", Pass{}, "b1", "0001");
  again(11, "bits", Pass{}, "b1", "");
  again(12, "bits", Pass{}, "b1", "0002");
  again(13, "kind", Crash{11, ""}, "b1", "", "");
  again(14, "kind", Skipped{});
  again(15, "no bits", Pass{}, "b1", "0001");
  again(16, "no bits", Pass{}, "b1", "");
  // Other lines with the same hash.
  auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
  ASSERT_TRUE(db->run("UPDATE verdict SET line_hash=? WHERE line='same'", line_hash("kind")));
  ASSERT_TRUE(db->run("UPDATE verdict SET line_hash=? WHERE line='build'", line_hash("met")));
  again(17, "met", Timeout{});
  const auto flaky = *store_->flaky(100);
  ASSERT_EQ(flaky.size(), 2u);
  EXPECT_EQ(flaky[0].line, "bits");
  ASSERT_EQ(flaky[0].records.size(), 3u);
  EXPECT_EQ(flaky[0].records[1].outputs, "0001");
  EXPECT_EQ(flaky[1].line, "kind");
  EXPECT_EQ(flaky[1].build_id, "b1");
  ASSERT_EQ(flaky[1].records.size(), 3u);
  EXPECT_EQ(flaky[1].records[0].kind, "crash");
  for (const auto& record : flaky[1].records) EXPECT_EQ(record.count, 1) << record.kind;
  EXPECT_EQ(store_->flaky(1)->size(), 1u);
}

TEST_F(CampaignStore, AKilledProcessLeavesWhatItCommitted) {
  add(campaign_case("random", 0, Pass{}));
  auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
  ASSERT_TRUE(db);
  // What a kill within a transaction leaves: rows in the log that nothing committed.
  ASSERT_TRUE(db->execute("BEGIN IMMEDIATE; DELETE FROM verdict; DELETE FROM tally"));
  const auto reader = Store::open(path_.string(), Store::Mode::read);
  ASSERT_TRUE(reader) << reader.error().text;
  std::filesystem::copy(path_, dir_ / "copy.db");
  std::filesystem::copy(path_.string() + "-wal", dir_ / "copy.db-wal");
  auto copy = Store::open((dir_ / "copy.db").string(), Store::Mode::read);
  ASSERT_TRUE(copy) << copy.error().text;
  EXPECT_EQ(copy->verdicts(run_)->size(), 1u);
  EXPECT_EQ(copy->tally(run_)->size(), 1u);
}

}  // namespace
}  // namespace w4
