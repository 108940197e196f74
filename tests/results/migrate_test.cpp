#include <gtest/gtest.h>

#include "results/documents.h"
#include "results/dump.h"
#include "results/samples.h"
#include "results/store_fixture.h"
#include "results/verdict_json.h"
#include "results/version_1.h"
#include "results/version_2.h"

namespace w4 {
namespace {

using testing::StoreTest;

class Migration : public StoreTest {
 protected:
  // Run 1 reached every sample; run 2 took the last one over and reached one more.
  void write_version_1(const std::filesystem::path& path) {
    testing::Version1 old(path.string());
    old.run(1, "w4check run --suite smoke", "b1", 13, "2026-01-31 12:30:00", 1);
    old.run(2, "w4check run", "b1", 2, "", 0);
    const auto samples = testing::sample_verdicts();
    int64_t id = 10;
    for (const Verdict& v : samples) {
      old.verdict(++id, v);
      old.entry(1, id, "smoke", false);
    }
    old.entry(2, id, "smoke", true);
    old.verdict(++id, make_verdict("decode m=9", {Pass{}}, samples[0].ran));
    old.entry(2, id, "boundary", false);
  }
  static int64_t number(const std::filesystem::path& path, const char* sql) {
    auto db = Database::open(path.string(), SQLITE_OPEN_READONLY);
    return (*db->integer(sql)).value_or(-1);
  }
};

TEST_F(Migration, AReaderSaysWhatBringsItUp) {
  write_version_1(path_);
  const std::string before = bytes(path_);
  const auto store = Store::open(path_.string(), Store::Mode::read);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().text.find("schema version 1"), std::string::npos);
  EXPECT_NE(store.error().text.find("w4check migrate " + path_.string()), std::string::npos)
      << store.error().text;
  EXPECT_EQ(bytes(path_), before);
}

TEST_F(Migration, KeepsEveryRunVerdictAndFinding) {
  write_version_1(path_);
  Store store = fresh();
  const auto samples = testing::sample_verdicts();
  const auto first = *store.verdicts(1);
  ASSERT_EQ(first.size(), samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(verdict_to_text(first[i].verdict), verdict_to_text(samples[i]));
    EXPECT_EQ(first[i].suite, "smoke");
    EXPECT_EQ(first[i].kernel, "decode");
    EXPECT_FALSE(first[i].resumed);
  }
  const auto second = *store.verdicts(2);
  ASSERT_EQ(second.size(), 2u);
  EXPECT_TRUE(second[0].resumed);
  EXPECT_EQ(verdict_to_text(second[0].verdict), verdict_to_text(samples.back()));
  EXPECT_EQ(second[1].suite, "boundary");
  const StoredRun one = **store.find_run(1), two = **store.find_run(2);
  EXPECT_EQ(one.command, "w4check run --suite smoke");
  EXPECT_EQ(one.build_id, "b1");
  EXPECT_EQ(one.planned, 13);
  EXPECT_EQ(one.started, "2026-01-31 12:00:00");
  EXPECT_EQ(one.finished, "2026-01-31 12:30:00");
  EXPECT_EQ(one.state, RunState::complete);
  EXPECT_EQ(one.kind, RunKind::run);
  EXPECT_EQ(two.finished, "");
  EXPECT_EQ(one.uid.size(), 32u);
  EXPECT_NE(one.uid, two.uid);
  EXPECT_EQ(number(path_, "SELECT count(*) FROM finding"), 2);
  EXPECT_EQ(number(path_, "PRAGMA user_version"), Store::kSchemaVersion);
  EXPECT_EQ(
      number(path_, "SELECT count(*) FROM sqlite_master WHERE type='table' AND name LIKE '%1'"), 0);
}

TEST_F(Migration, TablesAreThoseOfANewStore) {
  const auto schema = [](const std::filesystem::path& path) {
    auto db = Database::open(path.string(), SQLITE_OPEN_READONLY);
    auto s = db->prepare(
        "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_master ORDER BY name)");
    EXPECT_TRUE(*s->step());
    return s->text(0);
  };
  const std::filesystem::path made = dir_ / "made.db", of_2 = dir_ / "of_2.db";
  write_version_1(path_);
  testing::write_version_2(of_2.string());
  for (const auto& path : {path_, of_2, made}) {
    const auto store = Store::open(path.string(), Store::Mode::write);
    ASSERT_TRUE(store) << store.error().text;
  }
  EXPECT_EQ(schema(path_), schema(made));
  EXPECT_EQ(schema(of_2), schema(made));
  EXPECT_NE(schema(made), "");
}

TEST_F(Migration, WhatVersion2AddsIsThere) {
  write_version_1(path_);
  Store store = fresh();
  int64_t cases = 0;
  for (const TallyRow& row : *store.tally(std::nullopt)) cases += row.cases;
  EXPECT_EQ(cases, static_cast<int64_t>(testing::sample_verdicts().size()) + 1);
  EXPECT_FALSE(store.failures(1, 99)->empty());
  EXPECT_FALSE(store.flaky(9)->empty());  // the samples have one line
  EXPECT_EQ(number(path_, "SELECT max(number) FROM verdict WHERE run=1"), 12);
  EXPECT_EQ(number(path_, "SELECT max(number) FROM verdict WHERE run=2"), 0);
}

TEST_F(Migration, Version2KeepsEveryRow) {
  testing::write_version_2(path_.string());
  const auto before = testing::dump_of_2(path_.string());
  EXPECT_EQ(before.size(), 14u);
  Store store = fresh();
  EXPECT_EQ(testing::dump_of_2(path_.string()), before);
  EXPECT_EQ(number(path_, "PRAGMA user_version"), Store::kSchemaVersion);
  EXPECT_EQ((*store.find_run(1))->machine, "");
  EXPECT_EQ(store.failures(1, 9)->at(0).hypothesis, "a tail is left out");
  EXPECT_TRUE(documents(store, "zoo")->empty());
  ASSERT_TRUE(file_document(store, {"zoo", "kernels", "b1", "", "{}"}));
  EXPECT_EQ(documents(store, "zoo")->size(), 1u);
}

TEST_F(Migration, AReaderSaysWhatBringsVersion2Up) {
  testing::write_version_2(path_.string());
  const auto store = Store::open(path_.string(), Store::Mode::read);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().text.find("schema version 2"), std::string::npos);
  EXPECT_NE(store.error().text.find("w4check migrate"), std::string::npos);
  EXPECT_EQ(number(path_, "PRAGMA user_version"), 2);
}

TEST_F(Migration, AStoreThatWasMigratedGoesOn) {
  write_version_1(path_);
  {
    Store store = fresh();
  }
  Store store = fresh();
  ASSERT_TRUE(store.add(2, {"smoke", "decode", "gfx1151", testing::sample_verdicts()[4]}));
  EXPECT_EQ(store.verdicts(2)->size(), 3u);
  const std::vector<std::string> lines{"decode m=9"};
  const int64_t run = *store.begin_run({"c", "b1", 1});
  EXPECT_EQ(store.adopt(run, testing::sample_verdicts()[0].ran.build_id, lines)->size(), 1u);
}

TEST_F(Migration, CopiesGetTheSameNamesAndOtherRunsOthers) {
  write_version_1(path_);
  std::filesystem::copy(path_, dir_ / "copy.db");
  const auto uid = [](const std::filesystem::path& path) {
    Store store = std::move(*Store::open(path.string(), Store::Mode::write));
    return (*store.find_run(1))->uid;
  };
  const std::string first = uid(path_);
  EXPECT_EQ(uid(dir_ / "copy.db"), first);
  testing::Version1 other((dir_ / "other.db").string());
  // As run 1 of the same second, with a verdict that took another time.
  other.run(1, "w4check run --suite smoke", "b1", 13, "2026-01-31 12:30:00", 1);
  Verdict v = testing::sample_verdicts()[0];
  v.ran.seconds = 0.26;
  other.verdict(1, v);
  other.entry(1, 1, "smoke", false);
  EXPECT_NE(uid(dir_ / "other.db"), first);
}

TEST_F(Migration, WhatCannotBeReadStaysAsItWas) {
  write_version_1(path_);
  {
    auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(db->execute("UPDATE verdict SET json='{}' WHERE id=17"));
  }
  const auto store = Store::open(path_.string(), Store::Mode::write);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().text.find("verdict 17"), std::string::npos) << store.error().text;
  EXPECT_EQ(number(path_, "PRAGMA user_version"), 1);
  EXPECT_EQ(number(path_, "SELECT count(*) FROM entry"), 15);
  EXPECT_EQ(number(path_, "SELECT count(*) FROM finding"), 2);
}

}  // namespace
}  // namespace w4
