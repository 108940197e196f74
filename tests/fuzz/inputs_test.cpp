// What targets of cases make of any bytes.
#include "fuzz/inputs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/contract.h"
#include "kernels/lookup.h"
#include "kernels/table.h"
#include "verify/cases/break_clause.h"

namespace w4 {
namespace {

constexpr int kInputs = 10000;

std::vector<uint8_t> random_input(Draw& draw) {
  // Now and then cut short.
  std::vector<uint8_t> out(draw(4) == 0 ? draw(kInputBytes + 1) : kInputBytes);
  for (uint8_t& byte : out) byte = static_cast<uint8_t>(draw(256));
  return out;
}

std::vector<std::string> broken_by(const Case& c) {
  return broken_clauses(names_in(find_kernel(builtin_module(), c.kernel)->clauses), c.problem,
                        resolve_reported(c.problem, *find_gpu(c.device)));
}

// Every declared clause that can be broken at all is reached in every row.
TEST(Inputs, IllegalBreaksEveryClause) {
  std::map<std::string, std::set<std::string>> reached;
  Draw draw(1);
  for (int i = 0; i < kInputs; ++i) {
    const fuzz::Illegal input = fuzz::illegal_input(random_input(draw));
    ASSERT_FALSE(input.broken.empty()) << to_string(input.line);
    ASSERT_EQ(input.broken, broken_by(input.line));
    for (const std::string& clause : input.broken) reached[input.line.kernel].insert(clause);
  }
  for (const std::string_view row : generated_rows()) {
    for (const std::string& declared : names_in(find_kernel(builtin_module(), row)->clauses)) {
      const std::string clause(routed_name(declared).clause);
      if (never_alone(row, clause)) continue;
      EXPECT_TRUE(reached[std::string(row)].contains(clause)) << row << " " << clause;
    }
  }
}

TEST(Inputs, OthersAreLegalCasesOfEveryRow) {
  std::map<std::string, std::set<std::string>> rows;
  std::set<Law> laws;
  Draw draw(2);
  for (int i = 0; i < kInputs / 4; ++i) {
    const auto input = random_input(draw);
    const auto take = [&](const char* target, const Case& c) {
      EXPECT_TRUE(broken_by(c).empty()) << target << ": " << to_string(c);
      rows[target].insert(c.kernel);
    };
    for (const char* target : {"decode", "hybrid", "prefill", "moe", "rows"}) {
      take(target, fuzz::legal_input(input, target));
    }
    const Case law = fuzz::law_input(input);
    EXPECT_NE(law.law, Law::reference);
    laws.insert(law.law);
    take("laws", law);
    take("schedules", fuzz::schedules_input(input).in_turn);
    take("preparation", fuzz::preparation_input(input).line);
  }
  EXPECT_EQ(rows["decode"], std::set<std::string>{"decode"});
  EXPECT_EQ(rows["moe"].size(), 2u);
  EXPECT_EQ(rows["prefill"].size(), 3u);
  for (const char* target : {"rows", "laws", "schedules", "preparation"}) {
    EXPECT_EQ(rows[target].size(), generated_rows().size()) << target;
  }
  EXPECT_EQ(laws.size() + 1, all_laws().size());  // but reference
}

// Trying the data changes the data alone.
TEST(Inputs, DraftsAreTheCasesButForTheirData) {
  Draw draw(5);
  int others = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto input = random_input(draw);
    const Case legal = fuzz::legal_input(input, "rows");
    Case draft = fuzz::draft_input(input, "rows");
    others += draft == legal ? 0 : 1;
    draft.fill = legal.fill, draft.seed = legal.seed;
    ASSERT_EQ(to_string(draft), to_string(legal));
  }
  EXPECT_GT(others, 0);
}

TEST(Inputs, SchedulesAreThreeOthersThanTheOrderInTurn) {
  Draw draw(3);
  std::set<Order> first;
  for (int i = 0; i < kInputs / 4; ++i) {
    const fuzz::Reordered input = fuzz::schedules_input(random_input(draw));
    EXPECT_EQ(input.in_turn.sched, Schedule{});
    ASSERT_EQ(input.orders.size(), 3u);
    for (const Schedule& s : input.orders) EXPECT_NE(s, Schedule{});
    first.insert(input.orders.front().order);
  }
  EXPECT_EQ(first.size(), 4u);
}

}  // namespace
}  // namespace w4
