#include "reports/html.h"

#include <gtest/gtest.h>

#include "reports/summary.h"
#include "results/samples.h"
#include "well_formed.h"

namespace w4 {
namespace {

StoredRun run_of(int64_t planned, RunState state = RunState::complete) {
  StoredRun r;
  r.id = 7;
  r.command = "w4check run --cases '<x>'";
  r.build_id = "b1";
  r.planned = planned;
  r.started = "2026-01-31 12:00:00";
  r.state = state;
  return r;
}

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

TEST(Html, EveryKindWellFormed) {
  std::vector<Record> rows = samples();
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  rows.push_back({all, all, all, make_verdict(all + "</pre><script>", {Crash{6, all}}, {})});
  const std::string page = html_report(run_of(14), rows);
  EXPECT_EQ(testing::markup_error(page, {"meta"}), "");
  EXPECT_FALSE(has(page, "</pre><script>"));
  EXPECT_FALSE(has(page, "http:"));
  EXPECT_FALSE(has(page, "https:"));
}

TEST(Html, FailureShowsIntervalGotPlaceAndLine) {
  const std::vector<Record> rows{{"smoke", "decode", "gfx1151",
                                  make_verdict("decode m=2 seed=9",
                                               {Mismatch{{.m = 1,
                                                          .n = 5,
                                                          .got = 7.5,
                                                          .low = 1.25,
                                                          .high = 1.5,
                                                          .twin = 1.4,
                                                          .bound = 0.1,
                                                          .ratio = 61},
                                                         3,
                                                         64,
                                                         "columns 4 to 7"}},
                                               {})}};
  const std::string page = html_report(run_of(1), rows);
  for (const char* word :
       {"Not safe to ship: 1 of 1", "1.25 to 1.5", "7.5", "out[m=1, n=5]", "columns 4 to 7",
        "w4check rerun &#39;decode m=2 seed=9&#39;", ">Copy<"}) {
    EXPECT_TRUE(has(page, word)) << word;
  }
}

TEST(Html, SaysSafeOnlyWhenAllRanAndAllAreRight) {
  const Record pass{"smoke", "decode", "gfx1151", make_verdict("l", {Pass{}}, {})};
  const Record skip{"smoke", "decode", "gfx1151", make_verdict("l", {Skipped{}}, {})};
  const Record fail{"smoke", "decode", "gfx1151", make_verdict("l", {Mistrusted{}}, {})};
  const auto page = [](int64_t planned, RunState state, std::vector<Record> rows) {
    return html_report(run_of(planned, state), rows);
  };
  EXPECT_TRUE(has(page(1, RunState::complete, {pass}), "<h1 class=\"good\">Safe to ship"));
  for (const auto& text :
       {page(2, RunState::complete, {pass}), page(1, RunState::running, {pass}),
        page(2, RunState::interrupted, {pass}), page(0, RunState::complete, {}),
        page(2, RunState::complete, {pass, skip}), page(2, RunState::complete, {pass, fail})}) {
    EXPECT_FALSE(has(text, "class=\"good\">Safe"));
  }
}

}  // namespace
}  // namespace w4
