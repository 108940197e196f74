#include "fuzz/novelty.h"

#include <gtest/gtest.h>

namespace w4::fuzz {
namespace {

using Classes = std::vector<uint64_t>;

TEST(FuzzNovelty, IsTheSameBeforeTheFirstCase) {
  EXPECT_EQ(Novelty().of(Classes{1, 2, 3}), 0);
  EXPECT_EQ(Novelty().of(Classes{4, 5, 6}), 0);
}

TEST(FuzzNovelty, FallsWithEachCaseThatWasTheSame) {
  Novelty n;
  const Classes c{1, 2, 3};
  double before = n.of(c);
  for (int i = 0; i < 5; ++i) {
    n.add(c);
    EXPECT_LT(n.of(c), before);
    before = n.of(c);
  }
}

// Each class of it has been seen, together they have not.
TEST(FuzzNovelty, TwoClassesTogetherAreStrangerThanApart) {
  Novelty n;
  n.add(Classes{11, 22, 30});
  n.add(Classes{10, 23, 30});
  EXPECT_GT(n.of(Classes{11, 23, 30}), n.of(Classes{11, 22, 30}));
}

TEST(FuzzNovelty, WhatFewCasesShowedIsStranger) {
  Novelty n;
  for (int i = 0; i < 50; ++i) n.add(Classes{10, 20, 30});
  n.add(Classes{11, 20, 30});
  EXPECT_GT(n.of(Classes{11, 20, 30}), n.of(Classes{10, 20, 30}));
}

}  // namespace
}  // namespace w4::fuzz
