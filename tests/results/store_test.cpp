#include "results/store.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "results/samples.h"
#include "results/sqlite.h"
#include "results/store_fixture.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

using testing::StoreTest;

TEST_F(StoreTest, GivesBackWhatWasFiled) {
  Store store = fresh();
  const int64_t run = *store.begin_run({"w4check run", "b1", 13});
  std::vector<std::string> filed;
  for (const Verdict& v : testing::sample_verdicts()) {
    ASSERT_TRUE(store.add(run, {"smoke", "decode", "gfx1151", v}));
    filed.push_back(verdict_to_text(v));
  }
  // A second connection sees them before this one closes.
  auto reader = Store::open(path_.string(), Store::Mode::read);
  ASSERT_TRUE(reader) << reader.error().text;
  const auto records = reader->verdicts(run);
  ASSERT_TRUE(records) << records.error().text;
  ASSERT_EQ(records->size(), filed.size());
  for (size_t i = 0; i < filed.size(); ++i) {
    EXPECT_EQ(verdict_to_text((*records)[i].verdict), filed[i]);
    EXPECT_EQ((*records)[i].suite, "smoke");
    EXPECT_EQ((*records)[i].device, "gfx1151");
  }
}

TEST_F(StoreTest, FindingsHaveTheirOwnRows) {
  Store store = fresh();
  const int64_t run = *store.begin_run({"c", "b1", 1});
  ASSERT_TRUE(store.add(run, {"s", "decode", "gfx1151", testing::sample_verdicts()[4]}));
  auto db = Database::open(path_.string(), SQLITE_OPEN_READONLY);
  ASSERT_TRUE(db);
  auto s = db->prepare("SELECT count(*), min(kind), min(source) FROM finding");
  ASSERT_TRUE(*s->step());
  EXPECT_EQ(s->integer(0), 2);
  EXPECT_EQ(s->text(1), "lds_race");
  EXPECT_EQ(s->text(2), "skinny.hip:42");
}

TEST_F(StoreTest, NewestRunAndItsState) {
  Store store = fresh();
  EXPECT_FALSE(store.find_run(std::nullopt)->has_value());
  const int64_t first = *store.begin_run({"one", "b1", 1});
  const int64_t second = *store.begin_run({"two", "b1", 2});
  ASSERT_TRUE(store.end_run(first, RunState::interrupted));
  EXPECT_EQ((*store.find_run(std::nullopt))->command, "two");
  EXPECT_EQ((*store.find_run(std::nullopt))->state, RunState::running);
  EXPECT_EQ((*store.find_run(first))->state, RunState::interrupted);
  EXPECT_NE((*store.find_run(first))->finished, "");
  EXPECT_FALSE(store.find_run(second + 1)->has_value());
  // In a merged store ids tell nothing of time.
  auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
  ASSERT_TRUE(db->run("UPDATE run SET started='2001-01-01 00:00:00' WHERE id=?", second));
  EXPECT_EQ((*store.find_run(std::nullopt))->id, first);
}

TEST_F(StoreTest, AdoptsFinishedLinesOfTheSameBuildOnly) {
  Store store = fresh();
  const int64_t run = *store.begin_run({"c", "b1", 3});
  Provenance ran;
  ran.build_id = "b1";
  const auto filed = [&](std::string line, Outcome o) {
    ASSERT_TRUE(store.add(
        run, {"smoke", "decode", "gfx1151", make_verdict(std::move(line), {std::move(o)}, ran)}));
  };
  filed("pass", Pass{});
  filed("mismatch", Mismatch{});
  filed("error", HarnessError{});
  filed("crash", Crash{});
  filed("timeout", Timeout{});
  filed("skipped", Skipped{});
  const std::vector<std::string> lines{"pass",    "mismatch", "error", "crash",
                                       "timeout", "skipped",  "new"};
  const int64_t other = *store.begin_run({"c", "b2", 7});
  EXPECT_TRUE(store.adopt(other, "b2", lines)->empty());
  const int64_t again = *store.begin_run({"c", "b1", 7});
  const auto taken = store.adopt(again, "b1", lines);
  ASSERT_TRUE(taken) << taken.error().text;
  ASSERT_EQ(taken->size(), 2u);
  EXPECT_EQ((*taken)[0].verdict.line, "pass");
  EXPECT_EQ((*taken)[1].verdict.line, "mismatch");
  EXPECT_TRUE((*taken)[0].resumed);
  EXPECT_EQ(store.verdicts(again)->size(), 2u);
  EXPECT_EQ(store.verdicts(run)->size(), 6u);
}

TEST_F(StoreTest, TwoWritersAtOnce) {
  const auto write = [&] {
    Store store = fresh();
    const int64_t run = *store.begin_run({"c", "b1", 100});
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(store.add(run, {"s", "decode", "gfx1151", make_verdict("l", {Pass{}}, {})}));
    }
  };
  fresh();
  std::thread a(write), b(write);
  a.join(), b.join();
  Store store = fresh();
  EXPECT_EQ(store.verdicts(1)->size(), 100u);
  EXPECT_EQ(store.verdicts(2)->size(), 100u);
}

TEST_F(StoreTest, RefusesWhatIsNotSqlite) {
  refuses("a text file that somebody needs\n", "not an SQLite file");
  refuses(std::string("\x7f"
                      "ELF\0\0",
                      6),
          "not an SQLite file");
}

TEST_F(StoreTest, RefusesOtherPeoplesSqlite) {
  {
    auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    ASSERT_TRUE(db->execute("CREATE TABLE mine(x)"));
  }
  refuses(bytes(path_), "not a store");
}

TEST_F(StoreTest, RefusesAnotherSchemaVersion) {
  fresh();
  {
    auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(db->execute("PRAGMA journal_mode=DELETE; PRAGMA user_version=99"));
  }
  refuses(bytes(path_), "schema version 99");
}

TEST_F(StoreTest, RefusesDamage) {
  {
    Store store = fresh();
    const int64_t run = *store.begin_run({"c", "b1", 100});
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(store.add(run, {"s", "decode", "gfx1151", testing::sample_verdicts()[4]}));
    }
  }
  {
    auto db = Database::open(path_.string(), SQLITE_OPEN_READWRITE);
    ASSERT_TRUE(db->execute("PRAGMA journal_mode=DELETE"));
  }
  std::string content = bytes(path_);
  ASSERT_GT(content.size(), 3 * 4096u);
  content.replace(4096, 2 * 4096, 2 * 4096, '\xAA');
  refuses(content, "store");
}

// SQLite would keep the one in memory and take the other for a URL.
TEST_F(StoreTest, NamesThatMeanSomethingToSqliteAreNamesOfFiles) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir_);
  for (const char* name : {":memory:", "file:a.db", "file:a.db?mode=memory"}) {
    {
      const auto store = Store::open(name, Store::Mode::write);
      EXPECT_TRUE(store) << store.error().text;
    }
    EXPECT_TRUE(std::filesystem::exists(dir_ / name)) << name;
    EXPECT_TRUE(Store::open(name, Store::Mode::read)) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(dir_ / "a.db"));
  std::filesystem::current_path(before);
}

TEST_F(StoreTest, WhatIsOfAStore) {
  fresh();
  const std::string db = path_.string();
  std::filesystem::create_symlink(path_, dir_ / "link");
  for (const std::string& file : {db, (dir_ / "." / "runs.db").string(), db + "-wal",
                                  db + "-journal", (dir_ / "link").string()}) {
    EXPECT_TRUE(is_of_store(file, db)) << file;
  }
  EXPECT_TRUE(is_of_store(db, (dir_ / "link").string()));
  for (const std::string& file : {db + ".json", (dir_ / "other").string(), std::string("-")}) {
    EXPECT_FALSE(is_of_store(file, db)) << file;
  }
}

TEST_F(StoreTest, RefusesPathsThatCannotBeAStore) {
  EXPECT_NE(Store::open(dir_.string(), Store::Mode::write).error().text.find("regular file"),
            std::string::npos);
  EXPECT_FALSE(Store::open((dir_ / "no" / "such.db").string(), Store::Mode::write));
  EXPECT_NE(Store::open(path_.string(), Store::Mode::read).error().text.find("no such store"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace w4
