#include "campaign/zoo/stream.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/contract.h"
#include "core/gpu.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/cases/row_cases.h"

namespace w4::zoo {
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

TEST(ZooStream, RandomIsAFunctionOfRowsAndSeed) {
  auto a = random_stream({"decode", "moe"}, 3), b = random_stream({"decode", "moe"}, 3);
  const auto first = take(*a, 60);
  EXPECT_EQ(first, take(*b, 60));
  auto c = random_stream({"decode", "moe"}, 4);
  EXPECT_NE(first, take(*c, 60));
}

TEST(ZooStream, RandomGivesEveryRowLegalCasesRelationsAndIllegalOnes) {
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

TEST(ZooStream, RandomBreaksEveryClauseThatCanBeBroken) {
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
TEST(ZooStream, RandomIsThroughTheClausesOfOneRowSoon) {
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
TEST(ZooStream, RandomTakesEveryWayOfBreakingAClause) {
  auto s = random_stream({"decode"}, 1);
  std::set<int64_t> groups;
  for (const Case& c : take(*s, 1600)) {
    if (c.law == Law::reference && illegal(c)) groups.insert(c.problem.g);
  }
  for (const int64_t g : {96, 256, 48, 512, 16, 0, -32}) EXPECT_TRUE(groups.contains(g)) << g;
}

TEST(ZooStream, SuitesGiveEachCaseOfTheRowOnceAndEnd) {
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
}  // namespace w4::zoo
