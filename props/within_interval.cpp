// For every legal problem of a row the kernel's outputs lie in their intervals, no check has a
// finding, and the pass proves something.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

#include "props/run_props.h"
#include "verify/cases/floors.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

class Row : public testing::TestWithParam<std::string_view> {};

TEST_P(Row, IsWithinItsInterval) {
  const std::string row(GetParam());
  Context context;
  Coverage coverage;
  const bool held =
      check_property((row + " is within its interval").c_str(),
                     row == "decode"   ? 1500
                     : row == "hybrid" ? 300
                                       : 600,
                     [&] {
                       const Case c = *legal_case(row);
                       const Verdict v = run_case(c, context);
                       coverage.add(c, v);
                       if (v.kind() == VerdictKind::pass) return;
                       RC_FAIL(fmt::format("{}\nw4check rerun '{}'", to_string(v), v.line));
                     });
  EXPECT_TRUE(held);
  std::cout << coverage.text();
  if (!held) return;  // shrinking has shifted the counts
  for (const std::string& floor : coverage.below(row_floors(row))) ADD_FAILURE() << floor;
}

INSTANTIATE_TEST_SUITE_P(Rows, Row, testing::ValuesIn(generated_rows()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace w4
