// A call that breaks exactly one clause is refused by that clause, and no output is touched.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "core/contract.h"
#include "props/run_props.h"
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

}  // namespace
}  // namespace w4
