#include "reports/report.h"

#include <gtest/gtest.h>

#include "reports/summary.h"
#include "results/samples.h"
#include "store_of.h"

namespace w4 {
namespace {

using testing::StoreOf;

std::vector<Record> samples() {
  std::vector<Record> out;
  for (Verdict& v : testing::sample_verdicts()) {
    out.push_back({"smoke", "decode", "gfx1151", std::move(v)});
  }
  return out;
}

bool has(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

TEST(Summary, SplitsGreenRedSkipped) {
  const Summary s = summarise(samples());
  EXPECT_EQ(s.all.green, 2);  // the pass and the refusal that was due
  EXPECT_EQ(s.all.skipped, 1);
  EXPECT_EQ(s.all.red, 10);
  EXPECT_EQ(s.table.at({"decode", "gfx1151"}).total(), 13);
  EXPECT_TRUE(has(sentence(s.all), "2 green (1 pass, 1 refused"));
  EXPECT_TRUE(has(sentence(s.all), "1 refused, 1 mistrusted"));
  EXPECT_TRUE(has(sentence(s.all), "1 skipped"));
}

TEST(Report, FailureHasItsLineAndWhatTheTerminalSays) {
  const Mismatch wrong{.worst = {.m = 1, .n = 5, .got = 7.5, .low = 1.25, .high = 1.5},
                       .count = 3,
                       .total = 64,
                       .pattern = "columns 4 to 7"};
  StoreOf one({{"smoke", "decode", "gfx1151", make_verdict("decode m=2 seed=9", {wrong}, {})}}, 1);
  const nlohmann::json d = one.document();
  ASSERT_EQ(d.at("failures").size(), 1);
  const nlohmann::json& f = d.at("failures").at(0);
  EXPECT_EQ(f.at("rerun"), "w4check rerun 'decode m=2 seed=9'");
  EXPECT_EQ(f.at("kind"), "mismatch");
  EXPECT_EQ(f.at("cases"), 1);
  for (const char* word : {"1.25", "1.5", "7.5", "columns 4 to 7"}) {
    EXPECT_TRUE(has(f.at("text"), word)) << word;
  }
}

TEST(Report, SaysSafeOnlyWhenAllRanAndAllAreRight) {
  const Record pass{"smoke", "decode", "gfx1151", make_verdict("l", {Pass{}}, {})};
  const Record skip{"smoke", "decode", "gfx1151", make_verdict("l", {Skipped{}}, {})};
  const Record red{"smoke", "decode", "gfx1151", make_verdict("l", {Mistrusted{}}, {})};
  const auto state = [](int64_t planned, RunState ended, const std::vector<Record>& rows) {
    return StoreOf(rows, planned, ended).document().at("summary").at("state").get<std::string>();
  };
  EXPECT_EQ(state(1, RunState::complete, {pass}), "good");
  EXPECT_EQ(state(2, RunState::complete, {pass}), "unfinished");
  EXPECT_EQ(state(1, RunState::running, {pass}), "unfinished");
  EXPECT_EQ(state(2, RunState::interrupted, {pass}), "unfinished");
  EXPECT_EQ(state(0, RunState::complete, {}), "nothing");
  EXPECT_EQ(state(2, RunState::complete, {pass, skip}), "partly");
  EXPECT_EQ(state(2, RunState::complete, {pass, red}), "failed");
}

TEST(Page, BytesThatAreNotUtf8AreReplaced) {
  const nlohmann::json d = {{"summary", {{"sentence", "a\xff<b"}}}};
  EXPECT_TRUE(has(report_text(d), "a\xef\xbf\xbd<b"));
  EXPECT_TRUE(has(report_page(d), "a\xef\xbf\xbd\\u003cb"));
}

TEST(Page, HostileTextStaysData) {
  std::vector<Record> rows = samples();
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  rows.push_back({all, all, all, make_verdict(all + "</script><!--<script>", {Crash{6, all}}, {})});
  const std::string page = report_page(StoreOf(rows).document());
  // One element for the data, one for the script; nothing of the data ends or opens one.
  const size_t data = page.find("<script id=\"report\"");
  ASSERT_NE(data, std::string::npos);
  const size_t end = page.find('<', data + 1);
  EXPECT_EQ(page.substr(end, 9), "</script>");
  const size_t json = page.find('>', data) + 1;
  const auto read = nlohmann::json::parse(page.substr(json, end - json), nullptr, false);
  EXPECT_TRUE(read.is_object());
}

}  // namespace
}  // namespace w4
