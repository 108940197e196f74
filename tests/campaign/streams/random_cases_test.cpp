#include "campaign/streams/random_cases.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "campaign/streams/suite_cases.h"
#include "core/contract.h"
#include "core/gpu.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

std::vector<Case> take(Stream& s, int count) {
  std::vector<Case> out;
  while (count-- > 0) {
    auto c = s.next();
    if (!c) break;
    out.push_back(std::move(*c));
  }
  return out;
}

bool illegal(const Case& c) {
  const auto clauses = names_in(find_kernel(builtin_module(), c.kernel)->clauses);
  return !broken_clauses(clauses, c.problem, resolve_reported(c.problem, *find_gpu(c.device)))
              .empty();
}

TEST(Streams, RandomIsAFunctionOfRowsAndSeed) {
  auto a = random_stream({"decode", "moe"}, 3), b = random_stream({"decode", "moe"}, 3);
  const auto first = take(*a, 60);
  EXPECT_EQ(first, take(*b, 60));
  auto c = random_stream({"decode", "moe"}, 4);
  EXPECT_NE(first, take(*c, 60));
}

TEST(Streams, RandomGivesEveryRowLegalCasesRelationsAndIllegalOnes) {
  std::vector<std::string> rows;
  for (const std::string_view r : generated_rows()) rows.emplace_back(r);
  auto s = random_stream(rows, 1);
  std::map<std::string, int> cases, laws, broken;
  for (const Case& c : take(*s, 1600)) {
    ++cases[c.kernel];
    if (c.law != Law::reference) {
      ++laws[c.kernel];
    } else if (illegal(c)) {
      ++broken[c.kernel];
    }
  }
  ASSERT_EQ(cases.size(), rows.size());
  for (const std::string& row : rows) {
    EXPECT_EQ(cases[row], 200) << row;
    EXPECT_EQ(laws[row], 50) << row;
    // A way of breaking may leave a call legal now and then; the first round adds one or two.
    EXPECT_GE(broken[row], 40) << row;
    EXPECT_LE(broken[row], 53) << row;
  }
}

TEST(Streams, RandomBreaksEveryClauseThatCanBeBroken) {
  auto s = random_stream({"decode"}, 1);
  std::set<std::string> seen;
  const auto clauses = names_in(find_kernel(builtin_module(), "decode")->clauses);
  for (const Case& c : take(*s, 1600)) {
    if (c.law != Law::reference) continue;
    for (const std::string& name :
         broken_clauses(clauses, c.problem, resolve_reported(c.problem, *find_gpu(c.device)))) {
      seen.insert(name);
    }
  }
  for (const char* name : {"group.size", "k.group", "zp.dtype", "bias.shape", "m.range",
                           "align.act", "cus.positive", "lds.limit", "zp.octet"}) {
    EXPECT_TRUE(seen.contains(name)) << name;
  }
}

// A campaign over one row need not be long to have been at each of its clauses.
TEST(Streams, RandomIsThroughTheClausesOfOneRowSoon) {
  auto s = random_stream({"decode"}, 1);
  const auto clauses = names_in(find_kernel(builtin_module(), "decode")->clauses);
  const auto count_of = [&](int cases) {
    int broken = 0;
    for (const Case& c : take(*s, cases)) broken += c.law == Law::reference && illegal(c);
    return broken;
  };
  const auto round = static_cast<int>(clauses.size());
  EXPECT_GE(count_of(8 * round / 3), round * 3 / 4);
  take(*s, 8);
  const int later = count_of(8 * round);
  EXPECT_LE(later, 2 * round);
  EXPECT_GE(later, 2 * round * 3 / 4);
}

// A clause comes up a dozen times here: its ways are taken in turn.
TEST(Streams, RandomTakesEveryWayOfBreakingAClause) {
  auto s = random_stream({"decode"}, 1);
  std::set<int64_t> groups;
  for (const Case& c : take(*s, 1600)) {
    if (c.law == Law::reference && illegal(c)) groups.insert(c.problem.g);
  }
  for (const int64_t g : {96, 256, 48, 512, 16, 0, -32}) EXPECT_TRUE(groups.contains(g)) << g;
}

DrawPlan plan_of(const std::vector<std::string>& rows) {
  return {*drawn_kernels(builtin_module(), rows), 5, {"gfx1151"}};
}

TEST(Streams, ACaseIsMadeWithoutThoseBeforeIt) {
  for (const auto& rows : {std::vector<std::string>{"decode"}, {"decode", "moe", "prefill"}}) {
    const auto in_order = random_cases(plan_of(rows)), alone = random_cases(plan_of(rows));
    std::vector<Case> all;
    for (int64_t i = 0; i < 300; ++i) all.push_back(*in_order->at(i));
    for (int64_t i = 299; i >= 0; i -= 7)
      EXPECT_EQ(*alone->at(i), all[static_cast<size_t>(i)]) << i;
  }
}

TEST(Streams, LawCasesAreRelationsThatRandomDoesNotDraw) {
  const auto laws = law_cases(plan_of({"decode", "moe"})), random = random_cases(plan_of({}));
  std::set<std::string> drawn;
  for (int64_t i = 0; i < 400; ++i) drawn.insert(to_string(*random->at(i)));
  int known = 0;
  for (int64_t i = 0; i < 100; ++i) {
    const auto c = laws->at(i);
    EXPECT_NE(c->law, Law::reference);
    EXPECT_EQ(c->kernel, i % 2 == 0 ? "decode" : "moe");
    known += drawn.contains(to_string(*c));
  }
  EXPECT_EQ(known, 0);
}

TEST(Streams, SweepIsEachSuiteCaseOnEachDeviceAndEnds) {
  const std::vector<std::string> rows{"moe"};
  const auto s = sweep(rows, 1, {"gfx1100", "gfx1151"}, "builtin");
  const auto each = static_cast<int64_t>(suite_cases(rows, 1).size());
  ASSERT_EQ(s->count(), 2 * each);
  EXPECT_EQ(s->at(0)->device, "gfx1100");
  EXPECT_EQ(s->at(each)->device, "gfx1151");
  EXPECT_EQ(s->at(each)->problem, s->at(0)->problem);
  EXPECT_EQ(s->at(0)->module, "builtin");
  EXPECT_FALSE(s->at(2 * each));
}

TEST(Streams, KernelsThatAreNotThereAreNamed) {
  const auto wrong = drawn_kernels(builtin_module(), {"decode", "decdoe"});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text.find("'decdoe'; legal: decode, "), std::string::npos);
}

TEST(Streams, SuitesGiveEachCaseOfTheRowOnceAndEnd) {
  const std::vector<std::string> rows{"moe"};
  auto s = suites_stream(rows, 1);
  std::set<std::string> lines;
  int count = 0;
  while (auto c = s->next()) {
    EXPECT_EQ(c->kernel, "moe");
    EXPECT_EQ(c->device, "gfx1151");
    lines.insert(to_string(*c));
    ++count;
  }
  EXPECT_GT(count, 50);
  EXPECT_GT(lines.size(), static_cast<size_t>(count) * 9 / 10);
}

}  // namespace
}  // namespace w4
