// What suite boundary promises of `chunked`: both sides of every edge of K, every instantiation.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "campaign/suites/boundary.h"
#include "core/contract.h"
#include "kernels/chunked_args.h"
#include "kernels/chunked_checks.h"
#include "kernels/chunked_tile.h"

namespace w4 {
namespace {

// K of chunked has no limit: past the array comes another form, past two pieces a third piece.
TEST(BoundaryChunked, EveryColumnForBothTypesWholeAndRagged) {
  const std::vector<Case> cases = boundary_chunked_cases(1);
  // M: what (4,2) takes into the array at once, in steps of 1024, by hand.
  const std::map<int64_t, int64_t> fit{{1, 32768}, {2, 16384}, {3, 10240}, {4, 8192}, {5, 6144}};
  for (const int64_t g : {32, 64, 128}) {
    for (int64_t m = 1; m <= 5; ++m) {
      const BoundaryRow row = boundary_row(g, m);
      for (const int64_t k :
           {row.last_fit - row.g, row.last_fit, row.first_past, row.first_past + row.g,
            2 * fit.at(row.m), 2 * fit.at(row.m) + row.g}) {
        for (const DType act : {DType::f16, DType::bf16}) {
          for (const bool ragged : {false, true}) {
            EXPECT_TRUE(std::ranges::any_of(cases,
                                            [&](const Case& c) {
                                              const Problem& p = c.problem;
                                              return p.g == row.g && p.m == row.m && p.k == k &&
                                                     p.act == act && (p.n % 4 != 0) == ragged;
                                            }))
                << row.g << ' ' << row.m << ' ' << k << ' ' << ragged;
          }
        }
      }
    }
  }
}

std::vector<std::string> broken_of_chunked(const Case& c) {
  std::vector<std::string> names;
  for (const char* const* n = chunked_clauses(); *n != nullptr; ++n) names.emplace_back(*n);
  return broken_clauses(names, c.problem, resolve_reported(c.problem, *find_gpu(c.device)));
}

TEST(BoundaryChunked, OnlyADeviceWithLessLdsIsRefused) {
  std::map<int64_t, int> count;
  for (const Case& c : boundary_chunked_cases(1)) {
    EXPECT_EQ(c.kernel, "chunked");
    ++count[c.problem.lds.value_or(0)];
    std::vector<std::string> want;
    if (c.problem.lds == 32768) want.push_back("lds.device");
    EXPECT_EQ(broken_of_chunked(c), want) << to_string(c);
  }
  EXPECT_EQ(count[163840], 30);
  EXPECT_EQ(count[32768], 30);
}

TEST(BoundaryChunked, RunsEveryInstantiationAndTheTableOnBothSides) {
  std::map<std::tuple<ChunkedForm, int64_t, int, int, int, bool>, int> count, by_table;
  for (const Case& c : boundary_chunked_cases(1)) {
    if (!broken_of_chunked(c).empty()) continue;
    const Problem& p = c.problem;
    const bool symmetric = p.zp == ZpMode::none;
    const ChunkedPlan plan = plan_chunked(
        p.m, p.n, p.k, resolve_reported(p, *find_gpu(c.device)).cus, symmetric, p.tile);
    ++count[{plan.form, p.m, plan.y, plan.u, plan.a, symmetric}];
    if (!p.tile) ++by_table[{plan.form, p.m, plan.y, plan.u, plan.a, symmetric}];
  }
#define W4_ROW(FORM, M, Y, U, A, ZPS)                                 \
  EXPECT_GE((count[{ChunkedForm::FORM, M, Y, U, A, true}]), 3)        \
      << #FORM << " m" << M << " y" << Y << " u" << U << " a" << A;   \
  if (std::string_view(#ZPS) == "both") {                             \
    EXPECT_GE((count[{ChunkedForm::FORM, M, Y, U, A, false}]), 3)     \
        << #FORM << " m" << M << " y" << Y << " u" << U << " a" << A; \
  }
  W4_CHUNKED_TILES(W4_ROW)
#undef W4_ROW
  for (int64_t m = 1; m <= 5; ++m) {
    for (const auto& [y, u] : {std::pair{4, 2}, std::pair{2, 2}, std::pair{4, 1}}) {
      const int both = by_table[{ChunkedForm::chunked, m, y, u, 16, true}] +
                       by_table[{ChunkedForm::chunked, m, y, u, 16, false}];
      EXPECT_GE(both, 3) << m << " y" << y << " u" << u;
    }
  }
}

}  // namespace
}  // namespace w4
