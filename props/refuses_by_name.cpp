// A call that breaks exactly one clause is refused by that clause, and no output is touched: for
// every row, every clause it declares, in each of the ways that verify/cases/break_clause.h has.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "core/contract.h"
#include "kernels/table.h"
#include "props/run_props.h"
#include "verify/cases/break_clause.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

class Row : public testing::TestWithParam<std::string_view> {};

// Where the change breaks other clauses of the row too, one of those that are broken is named.
TEST_P(Row, RefusesByTheClauseThatIsBroken) {
  const std::string row(GetParam());
  const std::vector<std::string> declared = declared_clauses(row);
  ASSERT_FALSE(declared.empty());
  Context context;
  std::map<std::string, int> alone;
  for (const std::string& name : declared) {
    const std::string clause(routed_name(name).clause);
    if (const auto why = never_alone(row, clause)) {
      std::cout << "  never alone: " << clause << ": " << *why << "\n";
    }
    EXPECT_TRUE(check_property((row + " " + clause).c_str(), 16, [&] {
      RapidChooser choose;
      const Case c = break_clause(*legal_case(row), clause, choose);
      const std::vector<std::string> broken =
          broken_clauses(declared, c.problem, resolve_reported(c.problem, *find_gpu(c.device)));
      if (broken.empty()) return;  // the route has another rule
      const Verdict v = run_case(c, context);
      const Refused* refused = std::get_if<Refused>(&v.primary());
      const bool named =
          refused != nullptr && std::ranges::find(broken, refused->clause) != broken.end();
      if (!v.green() || !named) {
        RC_FAIL(fmt::format("{}\nw4check rerun '{}'", to_string(v), v.line));
      }
      if (broken.size() == 1 && broken.front() == clause) ++alone[clause];
    })) << clause;
    EXPECT_EQ(alone[clause] > 0, !never_alone(row, clause))
        << clause << " was broken alone " << alone[clause] << " times";
  }
  for (const auto& [clause, count] : alone) std::cout << "  " << clause << "=" << count;
  std::cout << "\n";
}

INSTANTIATE_TEST_SUITE_P(Rows, Row, testing::ValuesIn(generated_rows()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace w4
