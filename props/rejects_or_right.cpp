// Reject or right (oracles.md 7): whatever the call, legal or with any number of clauses broken,
// the kernel computes the right answer or refuses by a clause that is broken and touches no output.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <map>
#include <type_traits>

#include "props/run_props.h"
#include "verify/cases/break_clause.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

int fields() {
  int count = 0;
  Problem p;
  for_each_field(p, [&](const char*, auto&) { ++count; });
  return count;
}

// Field number `field` of `from`.
void take_field(Problem& to, const Problem& from, int field) {
  const auto value = [&](int at, auto& mine) {
    int i = 0;
    for_each_field(from, [&](const char*, const auto& theirs) {
      using Mine = std::remove_cvref_t<decltype(mine)>;
      if constexpr (std::is_same_v<Mine, std::remove_cvref_t<decltype(theirs)>>) {
        if (i == at) mine = theirs;
      }
      ++i;
    });
  };
  int i = 0;
  for_each_field(to, [&](const char*, auto& mine) {
    if (i == field) value(field, mine);
    ++i;
  });
}

// As a caller has it who got arguments wrong: fields of another case, of another row perhaps, and
// sizes at the ends.
void scramble(Problem& p, const Problem& other, Chooser& choose) {
  constexpr std::array<int64_t, 8> kEnds{0, 1, -1, 7, 8, 33, 1000, int64_t{1} << 40};
  for (int n = 1 + choose.pick(3); n > 0; --n) take_field(p, other, choose.pick(fields()));
  if (choose.pick(3) != 1) return;
  const std::array<int64_t*, 5> sizes{&p.m, &p.n, &p.k, &p.g, &p.blockm};
  *one_of(choose, sizes) = one_of(choose, kEnds);
}

class Row : public testing::TestWithParam<std::string_view> {};

TEST_P(Row, ComputesTheRightAnswerOrRefusesByName) {
  const std::string row(GetParam());
  Context context;
  std::map<std::string, int> seen;
  EXPECT_TRUE(check_property((row + " rejects or is right").c_str(), 300, [&] {
    RapidChooser choose;
    Case c = *small_legal_case(row);
    switch (choose.pick(3)) {
      case 0:
        break;
      case 1:
        for (int n = 1 + choose.pick(3); n > 0; --n) {
          c = break_clause(c, one_of(choose, breakable_clauses()), choose);
        }
        break;
      default: {
        const Case other = *small_legal_case(one_of(choose, generated_rows()));
        scramble(c.problem, other.problem, choose);
      } break;
    }
    const Verdict v = run_case(c, context);
    ++seen[std::string(name_of(v.kind()))];
    // What does not fit in memory, or has no answer that a reference could give, says so.
    if (v.green() || v.kind() == VerdictKind::mistrusted) return;
    if (const auto* skipped = std::get_if<Skipped>(&v.primary());
        skipped != nullptr && skipped->reason == SkipReason::too_large) {
      return;
    }
    RC_FAIL(fmt::format("{}\nw4check rerun '{}'", to_string(v), v.line));
  }));
  for (const auto& [kind, count] : seen) std::cout << "  " << kind << "=" << count;
  std::cout << "\n";
  EXPECT_GT(seen["pass"], 60);
  EXPECT_GT(seen["refused"], 60);
}

// M = 0: the decode op refuses, the hybrid returns an empty [0,N] (oracles.md 7).
TEST_P(Row, RefusesNoRowsUnlessItReturnsNone) {
  const std::string row(GetParam());
  Context context;
  EXPECT_TRUE(check_property((row + " and no rows").c_str(), 20, [&] {
    Case c = *small_legal_case(row);
    Problem& p = c.problem;
    p.m = 0;
    p.lead = p.ldl = Auto{};
    if (p.tile && row == "hybrid") p.tile = {};
    if (row == "hybrid" && p.zp == ZpMode::unpacked) p.zp = ZpMode::packed, p.n = 8;
    if (p.zp == ZpMode::packed) p.zoff = p.zoff / 4 * 4, p.n0 = p.n0 / 8 * 8;
    if (p.ldy) p.ldy = p.ldb = Auto{};
    const Verdict v = run_case(c, context);
    const VerdictKind want = row == "hybrid" ? VerdictKind::pass : VerdictKind::refused;
    if (!v.green() || v.kind() != want) {
      RC_FAIL(fmt::format("{}\nw4check rerun '{}'", to_string(v), v.line));
    }
  }));
}

INSTANTIATE_TEST_SUITE_P(Rows, Row, testing::ValuesIn(generated_rows()),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace w4
