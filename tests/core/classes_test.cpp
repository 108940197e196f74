// The classes at their edges, and for numbers whose product no int64 holds.
#include "core/classes.h"

#include <gtest/gtest.h>

#include <limits>

namespace w4 {
namespace {

Problem shape(int64_t m, int64_t n, int64_t k) {
  Problem p;
  p.m = m;
  p.n = n;
  p.k = k;
  return p;
}

TEST(Classes, SideOfTheLdsArray) {
  EXPECT_EQ(lds_side(shape(4, 64, 8160)), Side::below);
  EXPECT_EQ(lds_side(shape(4, 64, 8192)), Side::at);
  EXPECT_EQ(lds_side(shape(4, 64, 8224)), Side::above);
  EXPECT_EQ(lds_side(shape(4, 64, 2048), kMoeElements), Side::at);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(lds_side(shape(kMost, 64, kMost)), Side::above);
  Problem experts = shape(100, 64, 8192);
  experts.experts = 8;
  experts.blockm = 4;
  EXPECT_EQ(lds_side(experts), Side::at) << "of experts block_m counts, not M";
}

TEST(Classes, Tails) {
  EXPECT_EQ(tail_class(shape(1, 64, 512)), "none");
  EXPECT_EQ(tail_class(shape(1, 64, 544)), "k");
  EXPECT_EQ(tail_class(shape(1, 65, 512)), "n");
  EXPECT_EQ(tail_class(shape(1, 65, 544)), "k and n");
}

TEST(Classes, Rows) {
  const auto of = [](int64_t m) { return rows_class(shape(m, 64, 512)); };
  EXPECT_EQ(of(-1), "0 or less");
  EXPECT_EQ(of(0), "0 or less");
  EXPECT_EQ(of(1), "1");
  EXPECT_EQ(of(5), "5");
  EXPECT_EQ(of(6), "6-16");
  EXPECT_EQ(of(17), "17-64");
  EXPECT_EQ(of(65), "65 and more");
}

}  // namespace
}  // namespace w4
