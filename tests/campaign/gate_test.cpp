// The parts of `w4check gate` that are functions of text and lists: the ledger, the order of cases,
// spans of markdown, words of a shell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/gate/ledger.h"
#include "campaign/gate/order.h"
#include "campaign/gate/side.h"
#include "campaign/gate/summary.h"

namespace w4::gate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of(std::string_view text) {
  const auto read = parse_ledger(text, "known.cases");
  return read ? "" : read.error().text;
}

TEST(GateLedger, AnEntryIsLineKindReasonAndDay) {
  const auto read = parse_ledger(
      "# a comment | with | bars\n\n"
      "decode m=5 g=64|mismatch|issue #12: K1|expires=2031-02-28\r\n"
      "  moe m=3 n=16 k=256 g=64 experts=4 | law_broken | a reason | expires=2028-02-29  \n",
      "known.cases");
  ASSERT_TRUE(read) << read.error().text;
  ASSERT_EQ(read->size(), 2U);
  const Entry& first = read->front();
  EXPECT_EQ(first.number, 3);
  EXPECT_EQ(to_string(first.value), "decode m=5 g=64");
  EXPECT_EQ(first.kind, VerdictKind::mismatch);
  EXPECT_EQ(first.reason, "issue #12: K1");
  EXPECT_EQ(to_string(first.expires), "2031-02-28");
  EXPECT_EQ(read->back().kind, VerdictKind::law_broken);
}

TEST(GateLedger, NoEntryIsALedger) {
  const auto read = parse_ledger("# nothing\n", "known.cases");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->empty());
}

TEST(GateLedger, ErrorsNameLineColumnAndWhatIsLegal) {
  EXPECT_THAT(
      error_of("\ndecode m=5 | mismatch | why\n"),
      HasSubstr("known.cases:2:1: 3 fields; legal: 4, CASE LINE | KIND | REASON | expires="));
  EXPECT_THAT(error_of("decode m=5 | mismatch | a | b | expires=2031-01-01\n"),
              HasSubstr("5 fields"));
  EXPECT_THAT(error_of("decode m=x | mismatch | why | expires=2031-01-01\n"),
              HasSubstr("known.cases:1:1: no case line: "));
  EXPECT_THAT(
      error_of("decode m=5 | wrong | why | expires=2031-01-01\n"),
      HasSubstr("known.cases:1:14: 'wrong' is no kind of a red verdict; legal: harness_error,"));
  EXPECT_THAT(error_of("decode m=5 | pass | why | expires=2031-01-01\n"),
              HasSubstr("'pass' is no kind"));
  EXPECT_THAT(error_of("decode m=5 | mismatch |  | expires=2031-01-01\n"),
              HasSubstr("the reason is missing"));
  EXPECT_THAT(error_of("decode m=5 | mismatch | why | 2031-01-01\n"),
              HasSubstr("known.cases:1:31: '2031-01-01'; legal: expires=YYYY-MM-DD"));
  EXPECT_THAT(error_of("decode m=5 | mismatch | why | expires=2031-02-29\n"),
              HasSubstr("a day that there is"));
  EXPECT_THAT(error_of("decode m=5 module=a.so | mismatch | why | expires=2031-01-01\n"),
              HasSubstr("legal: lines without them"));
  EXPECT_THAT(error_of("decode m=5 | mismatch | why | expires=2031-01-01\n"
                       "decode m=5 g=128 | finding | why | expires=2031-01-01\n"),
              HasSubstr("known.cases:2:1: the same case as in line 1"));
}

TEST(GateLedger, DaysAreOnesOfTheCalendar) {
  EXPECT_TRUE(day_from("2028-02-29"));
  for (const char* text : {"2027-02-29", "2027-13-01", "2027-1-01", "2027-01-00", "27-01-01", "",
                           "2027-01-01 ", "2027/01/01", "2027-+1-01"}) {
    EXPECT_FALSE(day_from(text)) << text;
  }
}

Call call_of(int64_t m, Why why, std::string what) {
  Call c;
  c.value.kernel = "decode";
  c.value.problem.m = m;
  c.why = why;
  c.what = std::move(what);
  return c;
}

std::vector<int64_t> order_of(std::vector<Call> calls) {
  std::vector<int64_t> out;
  for (const Call& c : in_order(std::move(calls))) out.push_back(c.value.problem.m);
  return out;
}

TEST(GateOrder, RoutesBeforeBranchesBeforeCodeBeforeOthers) {
  EXPECT_THAT(order_of({call_of(1, Why::other, ""), call_of(2, Why::code, "a"),
                        call_of(3, Why::edges, "b"), call_of(4, Why::route, "c")}),
              ElementsAre(4, 3, 2, 1));
}

TEST(GateOrder, WhatDiffersTakesTurns) {
  EXPECT_THAT(order_of({call_of(1, Why::code, "a"), call_of(2, Why::code, "a"),
                        call_of(3, Why::code, "a"), call_of(4, Why::code, "b")}),
              ElementsAre(1, 4, 2, 3));
}

TEST(GateOrder, EveryEighthIsOneThatNoChangeTouches) {
  std::vector<Call> calls;
  for (int m = 1; m <= 20; ++m) calls.push_back(call_of(m, Why::code, "a"));
  for (int m = 101; m <= 104; ++m) calls.push_back(call_of(m, Why::other, ""));
  const std::vector<int64_t> order = order_of(std::move(calls));
  ASSERT_EQ(order.size(), 24U);
  EXPECT_EQ(order[7], 101);
  EXPECT_EQ(order[15], 102);
  EXPECT_EQ(order[23], 104);
}

// Whatever a module says stays inside its span, on one line.
TEST(GateSummary, TextOfModulesCannotLeaveItsSpan) {
  EXPECT_EQ(code_span("plain"), "`plain`");
  EXPECT_EQ(code_span("a `b` c"), "``a `b` c``");
  EXPECT_EQ(code_span("`` @all"), "``` `` @all ```");
  EXPECT_EQ(code_span("two\nlines"), "`two lines`");
  EXPECT_EQ(code_span("\x1b[31m"), "`\\x1B[31m`");
  EXPECT_EQ(code_span(""), "(nothing)");
  const std::string cut = code_span(std::string(399, 'a') + "äb");
  EXPECT_EQ(cut, "`" + std::string(399, 'a') + "…`");
}

TEST(GateSide, WordsSurviveTheShell) {
  EXPECT_EQ(shell_word("build/head/bin/w4check"), "build/head/bin/w4check");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
  const Side side{"a `b`.so", {"a`b.so", ""}, ""};
  Case c;
  c.kernel = "decode";
  c.problem.m = 5;
  EXPECT_EQ(side.rerun(c), "w4check rerun 'decode m=5 module=a`b.so'");
}

}  // namespace
}  // namespace w4::gate
