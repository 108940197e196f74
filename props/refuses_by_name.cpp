// A call that breaks exactly one clause is refused by that clause, and no output is touched.
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

TEST(Decode, RefusesByTheClauseThatIsBroken) {
  Context context;
  std::map<std::string, int> seen;
  for (const std::string_view clause : breakable_clauses()) {
    if (!find_clause(clause)) {
      ADD_FAILURE() << clause << " is not a clause";
      continue;
    }
    EXPECT_TRUE(check_property(std::string(clause).c_str(), 12, [&] {
      RapidChooser choose;
      const Case c = break_clause(*legal_decode_case(), clause, choose);
      const Verdict v = run_case(c, context);
      const Refused* refused = std::get_if<Refused>(&v.primary());
      if (!v.green() || !refused || refused->clause != clause) {
        RC_FAIL(fmt::format("{}\nw4check rerun '{}'", to_string(v), v.line));
      }
      ++seen[std::string(clause)];
    })) << clause;
  }
  for (const auto& [clause, count] : seen) std::cout << "  " << clause << "=" << count;
  std::cout << "\n";
}

// The other rows: where the same change breaks clauses of theirs, one of these is named; where it
// breaks none, the case is legal there and not for this property.
class OtherRow : public testing::TestWithParam<std::string_view> {};

TEST_P(OtherRow, RefusesByAClauseThatIsBroken) {
  const std::string row(GetParam());
  Context context;
  const w4_kernel* kernel = nullptr;
  const w4_module& module = builtin_module();
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    if (row == module.kernels[i].name) kernel = &module.kernels[i];
  }
  ASSERT_NE(kernel, nullptr);
  std::vector<std::string> declared;
  for (const char* const* c = kernel->clauses; *c != nullptr; ++c) declared.emplace_back(*c);
  std::map<std::string, int> seen;
  std::vector<std::string_view> breakable(breakable_clauses().begin(), breakable_clauses().end());
  breakable.insert(breakable.end(), breakable_expert_clauses().begin(),
                   breakable_expert_clauses().end());
  for (const std::string_view clause : breakable) {
    if (std::ranges::find(declared, clause) == declared.end()) continue;
    EXPECT_TRUE(check_property((row + " " + std::string(clause)).c_str(), 12, [&] {
      RapidChooser choose;
      const Case c = break_clause(*legal_case(row), clause, choose);
      const std::vector<std::string> broken =
          broken_clauses(declared, c.problem, resolve_reported(c.problem, *find_gpu(c.device)));
      if (broken.empty()) return;
      const Verdict v = run_case(c, context);
      const Refused* refused = std::get_if<Refused>(&v.primary());
      const bool named =
          refused != nullptr && std::ranges::find(broken, refused->clause) != broken.end();
      if (!v.green() || !named) {
        RC_FAIL(fmt::format("{}\nw4check rerun '{}'", to_string(v), v.line));
      }
      seen[std::string(clause)] += std::ranges::count(broken, clause);
    })) << clause;
    EXPECT_GT(seen[std::string(clause)], 0) << clause << " was never broken";
  }
  for (const auto& [clause, count] : seen) std::cout << "  " << clause << "=" << count;
  std::cout << "\n";
}

INSTANTIATE_TEST_SUITE_P(Rows, OtherRow, testing::ValuesIn(generated_rows().subspan(1)),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace w4
