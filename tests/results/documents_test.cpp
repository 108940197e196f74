#include "results/documents.h"

#include <gtest/gtest.h>

#include "results/store_fixture.h"

namespace w4 {
namespace {

class Documents : public testing::StoreTest {};

const std::string kEarly = "2026-01-01 00:00:00", kLate = "2026-01-02 00:00:00";

TEST_F(Documents, AreFoundByKindNameAndBuildTheNewestFirst) {
  Store store = fresh();
  ASSERT_TRUE(file_document(store, {"zoo", "kernels", "b1", kLate, R"({"n":1})"}));
  ASSERT_TRUE(file_document(store, {"zoo", "kernels", "b2", kEarly, R"({"n":2})"}));
  ASSERT_TRUE(file_document(store, {"zoo", "fork", "b1", kEarly, R"({"n":3})"}));
  ASSERT_TRUE(file_document(store, {"diff", "kernels", "b1", kEarly, R"({"n":4})"}));
  const auto all = *documents(store, "zoo");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].json, R"({"n":1})");
  EXPECT_EQ(all[0].kind, "zoo");
  EXPECT_EQ(all[0].name, "kernels");
  EXPECT_EQ(all[0].build_id, "b1");
  EXPECT_EQ(all[0].at, kLate);
  EXPECT_EQ(all[1].json, R"({"n":3})");
  EXPECT_EQ((*find_document(store, "zoo", "kernels", ""))->json, R"({"n":1})");
  EXPECT_EQ((*find_document(store, "zoo", "kernels", "b2"))->json, R"({"n":2})");
  EXPECT_FALSE(*find_document(store, "zoo", "kernels", "b3"));
  EXPECT_FALSE(*find_document(store, "zoo", "", ""));
  EXPECT_TRUE(documents(store, "figures")->empty());
}

TEST_F(Documents, TheSameKeyIsReplacedAndGetsATime) {
  Store store = fresh();
  ASSERT_TRUE(file_document(store, {"zoo", "kernels", "b1", kLate, "1"}));
  ASSERT_TRUE(file_document(store, {"zoo", "kernels", "b1", "", "2"}));
  const auto all = *documents(store, "zoo");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].json, "2");
  EXPECT_EQ(all[0].at.size(), kLate.size());
  EXPECT_GT(all[0].at, "2026-01-02");
}

TEST_F(Documents, WhatIsNoJsonIsRefused) {
  Store store = fresh();
  const auto filed = file_document(store, {"zoo", "ker\nnels", "b1", "", "{\"n\":"});
  ASSERT_FALSE(filed);
  EXPECT_NE(filed.error().text.find("zoo"), std::string::npos) << filed.error().text;
  EXPECT_NE(filed.error().text.find(path_.string()), std::string::npos);
  EXPECT_FALSE(file_document(store, {"zoo", "n", "b1", "", "\"\xff\""}));
  EXPECT_TRUE(documents(store, "zoo")->empty());
}

TEST_F(Documents, NamesOfAnyBytesAreFoundAgain) {
  Store store = fresh();
  const std::string name = "mod\xffule <b>'; DROP TABLE run";
  ASSERT_TRUE(file_document(store, {"zoo", name, "b1", "", "1"}));
  EXPECT_TRUE(*find_document(store, "zoo", name, "b1"));
  EXPECT_TRUE(store.runs());
}

TEST_F(Documents, AReaderReadsThemAndCannotFile) {
  {
    Store store = fresh();
    ASSERT_TRUE(file_document(store, {"zoo", "kernels", "b1", "", "1"}));
  }
  Store reader = std::move(*Store::open(path_.string(), Store::Mode::read));
  EXPECT_EQ(documents(reader, "zoo")->size(), 1u);
  EXPECT_FALSE(file_document(reader, {"zoo", "kernels", "b1", "", "2"}));
}

TEST_F(Documents, RunsKeepTheirMachines) {
  Store store = fresh();
  const int64_t run = *store.begin_run({.command = "c", .build_id = "b1", .machine = "A, 2 cores"});
  const auto machine = [&] { return (*store.find_run(run))->machine; };
  EXPECT_EQ(machine(), "A, 2 cores");
  ASSERT_TRUE(store.reopen_run(run, "A, 2 cores"));
  EXPECT_EQ(machine(), "A, 2 cores");
  ASSERT_TRUE(store.reopen_run(run, "A, 2"));  // another one, though its text is in the first
  ASSERT_TRUE(store.reopen_run(run, "B"));
  ASSERT_TRUE(store.reopen_run(run));
  EXPECT_EQ(machine(), "A, 2 cores; A, 2; B");
}

}  // namespace
}  // namespace w4
