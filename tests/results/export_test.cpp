#include "results/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/junit.h"
#include "results/merge.h"
#include "results/samples.h"
#include "results/store_fixture.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

using testing::campaign_case;
using testing::mismatch;
using testing::StoreTest;

class Export : public StoreTest {
 protected:
  static TextSink into(std::string& out) {
    return [&out](std::string_view text) -> Result<void> {
      out += text;
      return {};
    };
  }
  static std::string json(Store& store, std::optional<int64_t> run) {
    std::string out;
    const auto done = export_json(store, run, into(out));
    EXPECT_TRUE(done) << done.error().text;
    EXPECT_EQ(*done, std::ranges::count(out, '\n'));
    return out;
  }
  static std::vector<nlohmann::json> lines(const std::string& text) {
    std::vector<nlohmann::json> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
    return out;
  }
};

TEST_F(Export, OneLineAVerdictInTheOrderOfSourceAndNumber) {
  Store store = fresh();
  const int64_t run = *store.begin_run({"c", "b1", 0, RunKind::campaign});
  ASSERT_TRUE(store.add_case(run, campaign_case("random", 7, mismatch("every row"))));
  ASSERT_TRUE(store.add_case(run, campaign_case("random", 2, Pass{})));
  ASSERT_TRUE(store.add_case(run, campaign_case("laws", 9, Pass{})));
  const auto rows = lines(json(store, std::nullopt));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["source"], "laws");
  EXPECT_EQ(rows[1]["number"], 2);
  EXPECT_EQ(rows[2]["number"], 7);
  EXPECT_EQ(rows[2]["run"], (*store.find_run(run))->uid);
  EXPECT_EQ(rows[2]["suite"], "random");
  EXPECT_EQ(rows[2]["kind"], "mismatch");
  EXPECT_EQ(rows[2]["resumed"], false);
  // A line is a verdict as any other.
  EXPECT_TRUE(verdict_from_text(rows[0].dump()));
}

TEST_F(Export, OfARunWhatItTookOverAsWell) {
  Store store = fresh();
  const int64_t first = *store.begin_run({"c", "b1", 2});
  for (const char* line : {"one", "two"}) {
    ASSERT_TRUE(store.add(first, {"smoke", "decode", "gfx1151",
                                  make_verdict(line, {Pass{}}, testing::ran_by("b1"))}));
  }
  const int64_t second = *store.begin_run({"c", "b1", 2});
  const std::vector<std::string> wanted{"two"};
  ASSERT_EQ(store.adopt(second, "b1", wanted)->size(), 1u);
  const auto rows = lines(json(store, second));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["line"], "two");
  EXPECT_EQ(rows[0]["resumed"], true);
  EXPECT_EQ(lines(json(store, first)).size(), 2u);
  EXPECT_EQ(lines(json(store, std::nullopt)).size(), 2u);
  EXPECT_TRUE(lines(json(store, 17)).empty());
}

TEST_F(Export, MergedInAnyOrderTheTextIsTheSame) {
  const std::string a = (dir_ / "a.db").string(), b = (dir_ / "b.db").string();
  for (const std::string& path : {a, b}) {
    Store store = std::move(*Store::open(path, Store::Mode::write));
    const int64_t run = *store.begin_run({"c", "b1", 0, RunKind::campaign});
    for (int64_t n = 0; n < 5; ++n) {
      ASSERT_TRUE(store.add_case(run, campaign_case("random", n, mismatch("every row"))));
    }
  }
  const std::string ab = (dir_ / "ab.db").string(), ba = (dir_ / "ba.db").string();
  ASSERT_TRUE(merge_stores(std::vector{a, b}, ab));
  ASSERT_TRUE(merge_stores(std::vector{b, a}, ba));
  Store one = std::move(*Store::open(ab, Store::Mode::read));
  Store other = std::move(*Store::open(ba, Store::Mode::read));
  EXPECT_EQ(json(one, std::nullopt), json(other, std::nullopt));
  EXPECT_EQ(lines(json(one, std::nullopt)).size(), 10u);
}

TEST_F(Export, JunitIsWhatARunWrites) {
  Store store = fresh();
  const int64_t run = *store.begin_run({"c", "b1", 0});
  std::vector<Record> records;
  for (const Verdict& v : testing::sample_verdicts()) {
    records.push_back({records.size() % 2 == 0 ? "a" : "<b>", "decode", "gfx1151", v, false});
    ASSERT_TRUE(store.add(run, records.back()));
  }
  std::string out;
  const auto done = export_junit(store, run, into(out));
  ASSERT_TRUE(done) << done.error().text;
  EXPECT_EQ(*done, static_cast<int64_t>(records.size()));
  EXPECT_EQ(out, junit_xml(records));
  out.clear();
  ASSERT_TRUE(export_junit(store, 99, into(out)));
  EXPECT_EQ(out, junit_xml({}));
}

TEST_F(Export, EndsWhereTheTextCannotGo) {
  Store store = fresh();
  const int64_t run = *store.begin_run({"c", "b1", 0, RunKind::campaign});
  for (int64_t n = 0; n < 3; ++n) {
    ASSERT_TRUE(store.add_case(run, campaign_case("random", n, Pass{})));
  }
  int calls = 0;
  const TextSink full = [&](std::string_view) -> Result<void> {
    return ++calls < 2 ? Result<void>{} : fail("no space");
  };
  for (const auto& format : {export_json, export_junit}) {
    calls = 0;
    const auto done = format(store, run, full);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().text, "no space");
    EXPECT_EQ(calls, 2);
  }
  // The store is as usable as before.
  EXPECT_TRUE(store.add_case(run, campaign_case("random", 3, Pass{})));
}

}  // namespace
}  // namespace w4
