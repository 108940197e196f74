// The first screen: its sentence for every state, what changed, what the arithmetic rests on.
#include <gtest/gtest.h>

#include "reports/spoken.h"
#include "store_of.h"

namespace w4 {
namespace {

using nlohmann::json;
using testing::StoreOf;

bool has(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

Mismatch wrong(std::string pattern) {
  Mismatch m;
  m.count = 1, m.total = 64, m.pattern = std::move(pattern);
  return m;
}

Provenance ran(std::string evidence = "", std::string fp = "gfx1151") {
  Provenance p;
  p.build_id = "b1", p.fp = std::move(fp), p.evidence = std::move(evidence);
  p.wave_instructions = 100, p.seconds = 0.5;
  return p;
}

Record record(const std::string& line, Outcome o, Provenance p = ran(),
              const std::string& kernel = "decode") {
  return {"smoke", kernel, "gfx1151", make_verdict(line, {std::move(o)}, std::move(p))};
}

// Adds a run to the store of `s` and makes the report of it.
json report_of(StoreOf& s, std::vector<Record> rows, RunStart start = {}) {
  if (start.command.empty()) start.command = "w4check run --cases '<x>'";
  if (start.build_id.empty()) start.build_id = "b1";
  const int64_t run = *s.store().begin_run(start);
  int64_t number = 0;
  for (Record& r : rows) {
    r.verdict.ran.build_id = start.build_id;
    if (start.kind == RunKind::campaign) {
      EXPECT_TRUE(s.store().add_case(run, {number, "random", number + 1, r, false, {}}));
      ++number;
    } else {
      EXPECT_TRUE(s.store().add(run, r));
    }
  }
  EXPECT_TRUE(s.store().end_run(run, RunState::complete));
  ReportContext context = s.context();
  context.run = **s.store().find_run(run);
  auto d = report_document(s.store(), context);
  EXPECT_TRUE(d) << d.error().text;
  return d->at("summary");
}

Standing standing(int64_t green, int64_t red = 0, int64_t skipped = 0) {
  Standing s;
  s.run.planned = green + red + skipped;
  s.run.state = RunState::complete;
  s.run.heartbeat = s.written = "2026-01-31 12:00:00";
  s.all.green = green, s.all.red = red, s.all.skipped = skipped;
  s.all.by_kind.at(static_cast<size_t>(VerdictKind::mismatch)) = red;
  return s;
}

TEST(Spoken, FailedNamesKernelsAndTheFailureToStartWith) {
  Standing s = standing(4000, 1200);
  s.red_kernels = {"decode", "moe"};
  s.failures = 2;
  s.start =
      StartWith{7, "decode", "mismatch", "a tail is left out", 40, "new since run 3", "l", ""};
  const Spoken said = speak(s);
  EXPECT_EQ(said.state, "failed");
  EXPECT_EQ(said.sentence,
            "Not safe to ship: 1,200 of 5,200 cases failed in 2 different ways (decode, moe)");
  EXPECT_EQ(
      said.advice,
      "Start with failure 7 (mismatch of decode in 40 cases, new since run 3): a tail is left "
      "out. Its line reruns it.");
  s.start->hypothesis = "act.tail", s.start->says = "the last 3 elements are left out";
  EXPECT_TRUE(has(speak(s).advice, ": the last 3 elements are left out. Its line"))
      << speak(s).advice;
  s.red_kernels = {"a", "b", "c", "d", "e"};
  EXPECT_TRUE(has(speak(s).sentence, "(a, b, c and 2 more)")) << speak(s).sentence;
}

TEST(Spoken, ErrorsOfW4checkAreNoVerdictOnTheKernels) {
  Standing s = standing(4, 1);
  s.all.by_kind.fill(0);
  s.all.by_kind.at(static_cast<size_t>(VerdictKind::harness_error)) = 1;
  EXPECT_TRUE(has(speak(s).sentence, "No verdict: w4check itself failed in 1 of 5 cases"));
}

TEST(Spoken, OneBuildThatJudgesALineTwiceIsNeverSafe) {
  Standing s = standing(5);
  s.flaky = 1;
  EXPECT_EQ(speak(s).state, "flaky");
  EXPECT_TRUE(has(speak(s).sentence, "Not safe to ship: 1 line was judged differently"));
  s.run.state = RunState::interrupted;
  EXPECT_EQ(speak(s).state, "flaky");
  EXPECT_TRUE(has(speak(s).advice, "takes over what is done"));
}

TEST(Spoken, WhatIsNotFinishedSaysHowToGoOn) {
  Standing s = standing(5);
  s.run.planned = 9;
  s.run.state = RunState::running;
  EXPECT_EQ(speak(s).state, "unfinished");
  EXPECT_EQ(speak(s).sentence, "Not finished: 5 of 9 cases have a verdict, none of them failed");
  EXPECT_TRUE(has(speak(s).advice, "still running"));
  s.written = "2026-01-31 13:00:00";
  EXPECT_TRUE(has(speak(s).advice, "nothing since 2026-01-31 12:00:00 UTC")) << speak(s).advice;
  EXPECT_TRUE(has(speak(s).advice, "takes over"));
  s.run.kind = RunKind::campaign;
  EXPECT_TRUE(has(speak(s).advice, "--resume"));
  EXPECT_TRUE(has(speak(s).sentence, "5 cases have a verdict, none")) << speak(s).sentence;
}

TEST(Spoken, ACampaignIsDoneByItsStateAndWithoutLostCases) {
  Standing s = standing(5);
  s.run.kind = RunKind::campaign;
  s.run.planned = 20;  // of all its shards
  EXPECT_EQ(speak(s).state, "good");
  s.lost = 2;
  EXPECT_EQ(speak(s).state, "unfinished");
  EXPECT_TRUE(has(speak(s).advice, "2 cases were lost")) << speak(s).advice;
}

TEST(Spoken, NothingPartlyGood) {
  EXPECT_EQ(speak(standing(0)).sentence, "Nothing was verified");
  EXPECT_EQ(speak(standing(0, 0, 3)).state, "nothing");
  EXPECT_EQ(speak(standing(2, 0, 1)).sentence,
            "Verified in part: 2 cases are right, but 1 was skipped");
  Standing undeclared = standing(2, 0, 3);
  undeclared.not_declared = 2;
  EXPECT_EQ(speak(undeclared).state, "partly");
  undeclared.not_declared = 3;
  EXPECT_EQ(
      speak(undeclared).sentence,
      "Safe to ship as far as these cases go: all 2 are right (3 more ask for what the kernel "
      "does not declare)");
  Standing good = standing(1234);
  EXPECT_EQ(speak(good).sentence, "Safe to ship as far as these cases go: all 1,234 are right");
  good.next_is_new = "the next case shows something new with probability 0.1";
  EXPECT_TRUE(has(speak(good).advice, "probability 0.1."));
  for (const Spoken& s : {speak(standing(0)), speak(standing(0, 0, 3)), speak(standing(2, 0, 1))}) {
    EXPECT_FALSE(has(s.sentence, "afe")) << s.sentence;
  }
}

TEST(Since, WithoutAnEarlierRunItSaysSo) {
  StoreOf one({record("decode m=1", wrong("every row"))}, 1);
  const json s = one.document().at("summary");
  EXPECT_TRUE(s.at("since").at("previous").is_null());
  EXPECT_TRUE(has(s.at("since").at("why"), "same command"));
  EXPECT_EQ(s.at("start").at("why"), "the only failure");
  EXPECT_EQ(s.at("start").at("rerun"), "w4check rerun 'decode m=1'");
}

json changed(const json& summary, const std::string& pattern) {
  for (const json& f : summary.at("since").at("failures")) {
    if (f.at("pattern") == pattern) return f;
  }
  return json{{"state", "missing"}};
}

TEST(Since, NewStillFixedAndNotSeenAgain) {
  StoreOf s({record("decode m=1", wrong("fixed")), record("decode m=2", wrong("stays")),
             record("decode m=3", wrong("half")), record("decode m=4", wrong("half")),
             record("decode m=5", wrong("turns")), record("decode m=6", Pass{})},
            6);
  const json now =
      report_of(s,
                {record("decode m=1", Pass{}), record("decode m=2", wrong("stays")),
                 record("decode m=7", wrong("stays")), record("decode m=3", Pass{}),
                 record("decode m=5", wrong("otherwise")), record("decode m=6", wrong("broke")),
                 record("decode m=8", wrong("strange"))},
                {.command = "", .build_id = "b2"});
  EXPECT_EQ(changed(now, "fixed").at("state"), "fixed");
  const json stays = changed(now, "stays");
  EXPECT_EQ(stays.at("state"), "still failing");
  EXPECT_EQ(stays.at("then"), 1);
  EXPECT_EQ(stays.at("now"), 2);
  EXPECT_EQ(changed(now, "half").at("state"), "not seen again");
  EXPECT_TRUE(has(changed(now, "half").at("how"), "1 of 2 lines"));
  EXPECT_EQ(changed(now, "turns").at("state"), "not seen again");
  EXPECT_TRUE(has(changed(now, "turns").at("how"), "fail otherwise"));
  EXPECT_EQ(changed(now, "broke").at("state"), "new");
  EXPECT_TRUE(has(changed(now, "broke").at("how"), "were right"));
  EXPECT_TRUE(has(changed(now, "strange").at("how"), "did not run before"));
  EXPECT_EQ(now.at("since").at("counts"),
            (json{{"new", 3}, {"still failing", 1}, {"fixed", 1}, {"not seen again", 2}}));
  EXPECT_EQ(now.at("since").at("previous").at("cases"), 6);
  // New before frequent.
  EXPECT_EQ(now.at("start").at("failure"), changed(now, "broke").at("failure"));
  EXPECT_TRUE(has(now.at("start").at("why"), "new since run"));
}

TEST(Since, WhatWasTakenOverWasNotRunAgain) {
  StoreOf s({record("decode m=1", wrong("every row"))}, 1);
  const int64_t run =
      *s.store().begin_run({.command = "w4check run --cases '<x>'", .build_id = "b1"});
  const std::vector<std::string> lines{"decode m=1"};
  ASSERT_EQ(s.store().adopt(run, "b1", lines)->size(), 1u);
  ASSERT_TRUE(s.store().end_run(run, RunState::complete));
  ReportContext context = s.context();
  context.run = **s.store().find_run(run);
  const json whole = *report_document(s.store(), context);
  const json& now = whole.at("summary");
  EXPECT_EQ(now.at("state"), "failed");
  EXPECT_EQ(now.at("failures"), 1);
  // What the summary counts and starts with has a page.
  ASSERT_EQ(whole.at("failures").size(), 1u);
  EXPECT_EQ(whole.at("failures").at(0).at("id"), now.at("start").at("failure"));
  EXPECT_EQ(whole.at("failures").at(0).at("cases"), 1);
  EXPECT_EQ(whole.at("failures").at(0).at("lines").at(0).at("line"), "decode m=1");
  const json f = changed(now, "every row");
  EXPECT_EQ(f.at("state"), "still failing");
  EXPECT_TRUE(has(f.at("how"), "not run again"));
  EXPECT_EQ(now.at("effort").at("taken_over"), 1);
}

TEST(Since, ACampaignFixesOnlyWithAsManyCasesOfTheKernel) {
  StoreOf s({}, 0);
  const RunStart plan{.command = "c", .build_id = "b1", .kind = RunKind::campaign, .plan = "{}"};
  const auto rows = [](int from, int to, bool red) {
    std::vector<Record> out;
    for (int i = from; i < to; ++i) {
      const std::string line = "decode m=" + std::to_string(i);
      out.push_back(red && i == from ? record(line, wrong("every row")) : record(line, Pass{}));
    }
    return out;
  };
  report_of(s, rows(0, 10, true), plan);
  auto few = rows(100, 109, false);
  few.push_back(record("moe m=1", Pass{}, ran(), "moe"));  // of another kernel: does not count
  const json first = report_of(s, few, plan);
  EXPECT_EQ(changed(first, "every row").at("state"), "not seen again");
  EXPECT_TRUE(has(changed(first, "every row").at("how"), "too few"));
  EXPECT_EQ(first.at("since").at("previous").at("red"), 1);
  // 20 cases, 1 of 10 red before: 0.9^20.
  StoreOf other({}, 0);
  report_of(other, rows(0, 10, true), plan);
  const json second = report_of(other, rows(100, 120, false), plan);
  EXPECT_EQ(changed(second, "every row").at("state"), "fixed");
  EXPECT_TRUE(has(changed(second, "every row").at("how"), "probability 0.12"))
      << changed(second, "every row").at("how");
}

TEST(Overview, FlakyLinesAloneAreNotSafe) {
  StoreOf s({record("decode m=1", wrong("every row"))}, 1);
  const json now = report_of(s, {record("decode m=1", Pass{})});
  EXPECT_EQ(now.at("state"), "flaky");
  EXPECT_EQ(now.at("all").at("red"), 0);
  EXPECT_EQ(now.at("flaky").at("total"), 1);
  // Green by the build that judged it red is not fixed.
  EXPECT_EQ(changed(now, "every row").at("state"), "not seen again");
  EXPECT_TRUE(has(changed(now, "every row").at("how"), "flaky"));
  const json& line = now.at("flaky").at("lines").at(0);
  EXPECT_EQ(line.at("rerun"), "w4check rerun 'decode m=1'");
  EXPECT_EQ(line.at("verdicts").size(), 2u);
}

TEST(Overview, WhatTheKernelDoesNotDeclareIsNoGap) {
  const auto state = [](SkipReason reason) {
    StoreOf s({record("decode m=1", Pass{}), record("decode m=2", Skipped{reason, "why"})}, 2);
    return s.document().at("summary").at("state").get<std::string>();
  };
  EXPECT_EQ(state(SkipReason::not_supported_by_kernel), "good");
  EXPECT_EQ(state(SkipReason::no_code_object), "partly");
}

TEST(Overview, ManyReasonsOfSkippedCasesAreKeptInBounds) {
  Summary s;
  for (int i = 0; i < 1000; ++i) {
    count(s, record("decode m=1", Skipped{SkipReason::too_large, std::to_string(i)}));
  }
  EXPECT_EQ(s.skipped.size(), 201u);
  EXPECT_EQ(s.skipped.at("other reasons"), 800);
}

TEST(Overview, LostCasesWithoutAVerdictAreNotFinished) {
  StoreOf s({}, 0);
  const int64_t run =
      *s.store().begin_run({.command = "c", .build_id = "b1", .kind = RunKind::campaign});
  ASSERT_TRUE(s.store().add_case(run, {0, "random", 1, record("decode m=0", Pass{}), true, {}}));
  ASSERT_TRUE(s.store().mark_lost(run, "random", 1, "decode m=1", "killed"));
  ASSERT_TRUE(s.store().end_run(run, RunState::complete));
  ReportContext context = s.context();
  context.run = **s.store().find_run(run);
  const json now = report_document(s.store(), context)->at("summary");
  EXPECT_EQ(now.at("state"), "unfinished");
  EXPECT_EQ(now.at("lost").at("not_judged"), 1);
  EXPECT_EQ(now.at("lost").at("cases").at(0).at("why"), "killed");
}

TEST(Overview, ARunThatGoesOnIsReportedAsItIsNow) {
  StoreOf s({record("decode m=1", Pass{})}, 2, RunState::complete);
  const ReportContext before = s.context();
  ASSERT_TRUE(s.store().add(s.run(), record("decode m=2", Pass{})));
  ASSERT_TRUE(s.store().reopen_run(s.run()));
  const json d = *report_document(s.store(), before);
  EXPECT_EQ(d.at("run").at("state"), "running");
  EXPECT_EQ(d.at("summary").at("all").at("cases"), 2);
  EXPECT_EQ(d.at("summary").at("state"), "unfinished");
}

json arithmetic_of(const std::vector<Record>& rows) {
  StoreOf s(rows, static_cast<int64_t>(rows.size()));
  ReportContext context = s.context();
  context.facts["evidence"] = {
      {"models",
       {{"gfx1151", {{"level", "measured"}, {"says", "as measured"}}},
        {"ieee", {{"level", "assumed"}, {"says", "one rounding"}}}}},
      {"instructions",
       {{"v_dot2", {{"level", "measured"}, {"says", "an adder"}, {"by_model", true}}},
        {"v_rcp", {{"level", "documented"}, {"says", "1 ulp"}, {"by_model", false}}}}}};
  return report_document(s.store(), context)->at("summary").at("arithmetic");
}

TEST(Arithmetic, ACaseCountsByTheWeakestItUsed) {
  const json a = arithmetic_of({record("m=1", Pass{}, ran()), record("m=2", Pass{}, ran("v_dot2")),
                                record("m=3", Pass{}, ran("v_dot2 v_rcp")),
                                record("m=4", Pass{}, ran("v_dot2 v_rcp", "ieee")),
                                record("m=5", Skipped{SkipReason::no_device, ""}, {})});
  EXPECT_EQ(a.at("weakest"), "assumed");
  const json levels = {{{"level", "assumed"}, {"cases", 1}},
                       {{"level", "documented"}, {"cases", 1}},
                       {{"level", "measured"}, {"cases", 1}},
                       {{"level", "exact"}, {"cases", 1}}};
  EXPECT_EQ(a.at("levels"), levels);
  EXPECT_EQ(a.at("models").size(), 2u);
  EXPECT_EQ(a.at("instructions").size(), 4u);
  EXPECT_EQ(a.at("instructions").at(0).at("cases"), 2);  // v_dot2 under gfx1151
}

TEST(Arithmetic, GreenRowsOfCampaignsKeepOnlyTheModel) {
  StoreOf s({}, 0);
  const json a = report_of(s, {record("m=1", Pass{}, ran("v_dot2"))},
                           {.command = "c", .build_id = "b1", .kind = RunKind::campaign})
                     .at("arithmetic");
  EXPECT_EQ(a.at("not_kept"), 1);
  EXPECT_TRUE(a.at("weakest").is_null());
  EXPECT_EQ(a.at("models").at(0).at("fp"), "gfx1151");
  EXPECT_EQ(a.at("models").at(0).at("cases"), 1);
}

TEST(Arithmetic, WhatNobodyKnowsIsCalledUnknown) {
  EXPECT_EQ(arithmetic_of({record("m=1", Pass{}, ran("v_strange"))}).at("weakest"), "unknown");
  EXPECT_TRUE(arithmetic_of({}).at("weakest").is_null());
}

}  // namespace
}  // namespace w4
