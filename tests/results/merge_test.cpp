#include "results/merge.h"

#include <gtest/gtest.h>

#include <thread>

#include "results/documents.h"
#include "results/dump.h"
#include "results/samples.h"
#include "results/store_fixture.h"
#include "results/version_1.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using testing::campaign_case;
using testing::dump;
using testing::mismatch;
using testing::StoreTest;

class Merge : public StoreTest {
 protected:
  std::string at(std::string_view name) const { return (dir_ / name).string(); }
  Store store(std::string_view name) {
    return std::move(*Store::open(at(name), Store::Mode::write));
  }
  std::string merged(std::vector<std::string_view> inputs, std::string_view output) {
    std::vector<std::string> paths;
    for (const auto i : inputs) paths.push_back(at(i));
    const auto done = merge_stores(paths, at(output));
    EXPECT_TRUE(done) << done.error().text;
    EXPECT_FALSE(fs::exists(at(output) + ".part"));
    return at(output);
  }
  void copy(std::string_view from, std::string_view to) {
    auto db = Database::open(at(from), SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(db->run("VACUUM INTO ?", at(to)));
  }
  void refused(std::vector<std::string> inputs, const std::string& output, std::string_view word) {
    const auto done = merge_stores(inputs, output);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text.find(word), std::string::npos) << done.error().text;
  }
  // A campaign of two sources, with failures, behaviours and what was lost.
  void campaign(std::string_view name, int64_t cases) {
    Store s = store(name);
    const int64_t run = *s.begin_run({"w4check campaign", "b1", 0, RunKind::campaign, "{}"});
    more(s, run, 0, cases);
    ASSERT_TRUE(s.mark_lost(run, "random", 500, "decode m=500", "killed"));
  }
  static void more(Store& s, int64_t run, int64_t from, int64_t to) {
    for (int64_t n = from; n < to; ++n) {
      const std::string source = n % 3 == 0 ? "laws" : "random";
      const Outcome o = n % 4 == 1   ? Outcome(mismatch(n % 8 == 1 ? "every row" : "rows m=1 of 4"))
                        : n % 4 == 2 ? Outcome(Found{{testing::sample_finding()}})
                                     : Outcome(Pass{});
      const auto un = static_cast<uint64_t>(n);
      ASSERT_TRUE(s.add_case(run, campaign_case(source, n, o, {{0, un / 2}, {1, un % 3}})));
    }
  }
};

TEST_F(Merge, OfOneStoreIsThatStore) {
  campaign("a.db", 20);
  {
    Store s = store("a.db");
    const int64_t first = *s.begin_run({"w4check run", "b1", 1});
    ASSERT_TRUE(s.add(first, {"smoke", "decode", "gfx1151", testing::sample_verdicts()[4]}));
    const int64_t second = *s.begin_run({"w4check run", "b1", 1});
    const std::vector<std::string> lines{"decode m=2"};
    ASSERT_EQ(s.adopt(second, testing::sample_verdicts()[4].ran.build_id, lines)->size(), 1u);
  }
  EXPECT_EQ(dump(merged({"a.db"}, "all.db")), dump(at("a.db")));
  EXPECT_FALSE(dump(at("a.db")).empty());
}

TEST_F(Merge, AgainChangesNothingAndOrderDoesNotMatter) {
  campaign("a.db", 20), campaign("b.db", 15);
  const auto once = dump(merged({"a.db", "b.db"}, "ab.db"));
  EXPECT_EQ(dump(merged({"a.db", "b.db"}, "ab.db")), once);
  EXPECT_EQ(dump(merged({"b.db"}, "ab.db")), once);
  EXPECT_EQ(dump(merged({"b.db", "a.db", "b.db"}, "ba.db")), once);
  EXPECT_EQ(dump(merged({"ab.db", "b.db"}, "abb.db")), once);
  const Merged again = *merge_stores(std::vector<std::string>{at("a.db")}, at("ab.db"));
  EXPECT_EQ(again.new_verdicts, 0);
  EXPECT_EQ(again.verdicts, 35);
  EXPECT_EQ(again.runs, 2);
}

TEST_F(Merge, ARunThatWentOnGetsItsNewRows) {
  campaign("a.db", 10);
  copy("a.db", "early.db");
  merged({"early.db"}, "all.db");
  {
    Store s = store("a.db");
    more(s, 1, 10, 25);
    ASSERT_TRUE(s.update_failure(1, {"decode m=1", "K tail", FailureState::done}));
    ASSERT_TRUE(s.end_run(1, RunState::interrupted));
  }
  EXPECT_EQ(dump(merged({"a.db"}, "all.db")), dump(at("a.db")));
  // And what is older changes nothing.
  EXPECT_EQ(dump(merged({"early.db"}, "all.db")), dump(at("a.db")));
}

TEST_F(Merge, FailuresThatFoldedSinceFold) {
  campaign("a.db", 12);
  copy("a.db", "early.db");
  {
    Store s = store("a.db");
    const auto failures = *s.failures(1, 9);
    ASSERT_EQ(failures.size(), 3u);
    for (const StoredFailure& f : failures) {
      if (f.kind != "mismatch") continue;
      ASSERT_TRUE(s.update_failure(f.id, {"m", "h", FailureState::done, {}, "p"}));
    }
    ASSERT_EQ(s.failures(1, 9)->size(), 2u);
  }
  const auto one = dump(merged({"early.db", "a.db"}, "ea.db"));
  EXPECT_EQ(dump(merged({"a.db", "early.db"}, "ae.db")), one);
  Store s = store("ea.db");
  const auto failures = *s.failures(1, 9);
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0].cases, 3);
  EXPECT_EQ(failures[1].cases, 3);
}

TEST_F(Merge, CopiesThatBothWentOnGiveOneVerdictANumber) {
  campaign("a.db", 6);
  copy("a.db", "fork.db");
  const auto go_on = [&](std::string_view name, double seconds, Outcome o) {
    Store s = store(name);
    CampaignCase c = campaign_case("random", 7, std::move(o), {{7, 7}});
    c.record.verdict.ran.seconds = seconds;
    ASSERT_TRUE(s.add_case(1, c));
  };
  go_on("a.db", 0.5, Pass{});
  go_on("fork.db", 0.25, mismatch("every row"));
  const auto one = dump(merged({"a.db", "fork.db"}, "af.db"));
  EXPECT_EQ(dump(merged({"fork.db", "a.db"}, "fa.db")), one);
  Store s = store("af.db");
  EXPECT_EQ(s.verdicts(1)->size(), 7u);
  EXPECT_EQ(s.flaky(9)->size(), 1u);
}

// Whichever comes first: findings go with their row, what both say of one thing is told by one
// rule.
TEST_F(Merge, CopiesThatBothWentOnAgreeInEveryTable) {
  campaign("a.db", 6);
  copy("a.db", "fork.db");
  const auto go_on = [&](std::string_view name, Outcome seventh, int64_t from, std::string_view why,
                         double headroom) {
    Store s = store(name);
    ASSERT_TRUE(s.add_case(1, campaign_case("random", 7, std::move(seventh))));
    for (const int64_t n : {from, from + 1}) {
      ASSERT_TRUE(s.add_case(1, campaign_case("random", n, Pass{{}, headroom}, {{9, 9}})));
    }
    ASSERT_TRUE(s.mark_lost(1, "random", 900, "decode m=900", why));
  };
  go_on("a.db", Found{{testing::sample_finding()}}, 8, "killed", 0.75);
  go_on("fork.db", Crash{11, ""}, 10, "a full disk", 0.25);
  const auto one = dump(merged({"a.db", "fork.db"}, "af.db"));
  EXPECT_EQ(dump(merged({"fork.db", "a.db"}, "fa.db")), one);
  EXPECT_EQ(dump(merged({"af.db"}, "again.db")), one);
  auto db = Database::open(at("af.db"), SQLITE_OPEN_READONLY);
  const auto number = [&](std::string_view sql) { return (*db->integer(sql)).value_or(-1); };
  EXPECT_EQ(number("SELECT count(*) FROM verdict WHERE number=7 AND kind='crash'"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM finding"),
            number("SELECT count(*) FROM verdict WHERE kind='finding'"));
  EXPECT_EQ(number("SELECT count(*) FROM flaky"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM behaviour WHERE kind=9 AND cases=2 AND first_number=8 AND "
                   "second_number=9"),
            1);
  EXPECT_EQ(number("SELECT count(*) FROM lost WHERE why='a full disk'"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM tally WHERE headroom=0.75"), 1);
}

// Of the two the pass stays, and the failure is of the timeout.
TEST_F(Merge, OfCopiesThatBothWentOnAPassIsNotFoldedIntoTheOthersFailure) {
  campaign("a.db", 6);
  copy("a.db", "fork.db");
  for (const auto& [name, o] :
       {std::pair<std::string_view, Outcome>{"a.db", Pass{}}, {"fork.db", Timeout{}}}) {
    Store s = store(name);
    ASSERT_TRUE(s.add_case(1, campaign_case("random", 7, o)));
  }
  const auto one = dump(merged({"a.db", "fork.db"}, "af.db"));
  EXPECT_EQ(dump(merged({"fork.db", "a.db"}, "fa.db")), one);
  auto db = Database::open(at("af.db"), SQLITE_OPEN_READONLY);
  EXPECT_EQ((*db->integer("SELECT count(*) FROM verdict WHERE kind='timeout'")).value_or(-1), 0);
  EXPECT_EQ((*db->integer("SELECT count(*) FROM verdict WHERE green AND failure IS NOT NULL"))
                .value_or(-1),
            0);
}

TEST_F(Merge, FlakyAcrossStores) {
  for (const auto& [name, o] :
       {std::pair<std::string_view, Outcome>{"a.db", Pass{}}, {"b.db", mismatch("every row")}}) {
    Store s = store(name);
    const int64_t run = *s.begin_run({"c", "b1", 0, RunKind::campaign});
    ASSERT_TRUE(s.add_case(run, campaign_case("random", 3, o)));
    ASSERT_TRUE(s.flaky(9)->empty());
  }
  merged({"a.db", "b.db"}, "all.db");
  EXPECT_EQ(store("all.db").flaky(9)->size(), 1u);
}

TEST_F(Merge, TheLaterDocumentStaysThenTheGreaterText) {
  const std::string early = "2026-01-01 00:00:00", late = "2026-01-02 00:00:00";
  {
    Store a = store("a.db"), b = store("b.db");
    for (auto* s : {&a, &b}) {
      const bool first = s == &a;
      const std::string own = first ? R"({"of":"a"})" : R"({"of":"b"})";
      ASSERT_TRUE(file_document(*s, {"zoo", "kernels", "b1", first ? late : early, own}));
      ASSERT_TRUE(file_document(*s, {"zoo", "kernels", "b2", early, own}));
      ASSERT_TRUE(file_document(*s, {"diff", first ? "a" : "b", "b1", early, own}));
    }
  }
  const auto both = dump(merged({"a.db", "b.db"}, "ab.db"));
  EXPECT_EQ(dump(merged({"b.db", "a.db"}, "ba.db")), both);
  EXPECT_EQ(dump(merged({"a.db", "b.db"}, "ab.db")), both);
  Store all = store("ab.db");
  EXPECT_EQ((*find_document(all, "zoo", "kernels", "b1"))->json, R"({"of":"a"})");
  EXPECT_EQ((*find_document(all, "zoo", "kernels", "b2"))->json, R"({"of":"b"})");
  EXPECT_EQ(documents(all, "diff")->size(), 2u);
}

TEST_F(Merge, StopCountsOfShardsTogether) {
  campaign("a.db", 21), campaign("b.db", 21);
  merged({"a.db", "b.db"}, "all.db");
  Store a = store("a.db"), all = store("all.db");
  const StopCounts one = *a.stop_counts(std::nullopt), both = *all.stop_counts(std::nullopt);
  EXPECT_GT(one.singles, 0);
  EXPECT_EQ(both.cases, 2 * one.cases);
  EXPECT_EQ(both.singles, 0);  // both showed the same
  EXPECT_EQ(both.kinds[0].distinct, one.kinds[0].distinct);
}

TEST_F(Merge, RefusesWhatItCannotMerge) {
  campaign("a.db", 3);
  std::ofstream(at("text.db")) << "a text file that somebody needs\n";
  testing::Version1 old(at("old.db"));
  campaign("new.db", 1);
  {
    auto db = Database::open(at("new.db"), SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(db->execute("PRAGMA user_version=4"));
  }
  const std::string out = at("all.db");
  refused({at("a.db"), at("none.db")}, out, at("none.db"));
  refused({at("a.db"), at("text.db")}, out, "not an SQLite file");
  refused({at("a.db"), at("old.db")}, out, "w4check migrate");
  refused({at("a.db"), at("new.db")}, out, "schema version 4");
  refused({at("a.db"), dir_.string()}, out, "regular file");
  refused({at("a.db")}, at("no") + "/such.db", "such.db");
  refused({at("a.db")}, "", "no name");
  refused({at("a.db")}, dir_.string() + "/", "no name");
  EXPECT_FALSE(fs::exists(out));
  EXPECT_FALSE(fs::exists(out + ".part"));
  // Outputs that are somebody's.
  refused({at("a.db")}, at("text.db"), "not an SQLite file");
  EXPECT_EQ(bytes(at("text.db")), "a text file that somebody needs\n");
  refused({at("a.db")}, at("a.db"), "is an input");
  fs::create_symlink(at("a.db"), at("link.db"));
  refused({at("a.db")}, at("link.db"), "is an input");
  fs::copy(at("a.db"), at("b.db.part"));
  refused({at("b.db.part")}, at("b.db"), "is an input");
  EXPECT_TRUE(fs::exists(at("b.db.part")));
}

TEST_F(Merge, WhatAKillLeftBehindIsNoObstacle) {
  campaign("a.db", 3);
  std::ofstream(at("all.db.part")) << "half a file";
  std::ofstream(at("all.db.part-journal")) << "half a journal";
  EXPECT_EQ(dump(merged({"a.db"}, "all.db")), dump(at("a.db")));
}

TEST_F(Merge, LogsOfAnOutputThatSomebodyRemovedAreNotTakenForTheNewOnes) {
  campaign("a.db", 3);
  {
    Store s = store("all.db");
    more(s, *s.begin_run({"another", "b2", 0, RunKind::campaign}), 0, 3);
    fs::copy(at("all.db-wal"), at("kept"));
  }
  fs::remove(at("all.db"));
  fs::rename(at("kept"), at("all.db-wal"));
  EXPECT_EQ(dump(merged({"a.db"}, "all.db")), dump(at("a.db")));
}

// Each is whole whichever comes first, and none takes the other's half-made file for its own.
TEST_F(Merge, SeveralAtOnceIntoOneOutput) {
  constexpr int kAtOnce = 6;
  for (int i = 0; i < kAtOnce; ++i) campaign("s" + std::to_string(i) + ".db", 6);
  std::vector<std::thread> all;
  for (int i = 0; i < kAtOnce; ++i) {
    all.emplace_back([this, i] { merged({"s" + std::to_string(i) + ".db"}, "all.db"); });
  }
  for (std::thread& t : all) t.join();
  EXPECT_EQ(store("all.db").runs()->size(), size_t{kAtOnce});
}

TEST_F(Merge, AnInputThatFailsLeavesTheOutputAsItWas) {
  campaign("a.db", 8), campaign("b.db", 8);
  const auto before = dump(merged({"a.db"}, "all.db"));
  {
    auto db = Database::open(at("b.db"), SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(db->execute("DROP TABLE failure_key"));  // found out late
  }
  refused({at("b.db")}, at("all.db"), "merging '" + at("b.db") + "'");
  EXPECT_EQ(dump(at("all.db")), before);
  refused({at("b.db")}, at("b2.db"), "merging '" + at("b.db") + "'");
  EXPECT_FALSE(fs::exists(at("b2.db")));
}

TEST_F(Merge, PathsWithQuotesAndSpaces) {
  campaign("it's \"a\".db", 3);
  EXPECT_EQ(dump(merged({"it's \"a\".db"}, "o'ut ?x=1.db")), dump(at("it's \"a\".db")));
}

}  // namespace
}  // namespace w4
