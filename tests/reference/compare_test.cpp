#include "reference/compare.h"

#include <gtest/gtest.h>

#include <vector>

namespace w4::test {
namespace {

std::vector<int64_t> elements(int64_t m, int64_t n, auto&& wanted) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      if (wanted(i, j)) out.push_back(i * n + j);
    }
  }
  return out;
}

TEST(Pattern, NamesRowsColumnsAndResidues) {
  EXPECT_EQ(describe_pattern({}, 2, 64), "");
  const auto all = elements(2, 64, [](int64_t, int64_t) { return true; });
  EXPECT_EQ(describe_pattern(all, 2, 64), "every row, every column");
  const auto row = elements(3, 64, [](int64_t m, int64_t) { return m == 1; });
  EXPECT_EQ(describe_pattern(row, 3, 64), "rows m=1 of 3, every column");
  const auto comb = elements(2, 64, [](int64_t, int64_t n) { return n % 8 == 3; });
  EXPECT_EQ(describe_pattern(comb, 2, 64),
            "every row, 8 of 64 columns: 3, 11, 19, 27, … (n mod 8 in {3})");
  const auto tail = elements(1, 64, [](int64_t, int64_t n) { return n >= 60; });
  EXPECT_EQ(describe_pattern(tail, 1, 64), "the only row, 4 of 64 columns: 60..63");
  const auto some = elements(2, 64, [](int64_t m, int64_t n) { return n == m; });
  EXPECT_EQ(describe_pattern(some, 2, 64),
            "every row, 2 of 64 columns: 0..1, not all of their crossings");
}

}  // namespace
}  // namespace w4::test
