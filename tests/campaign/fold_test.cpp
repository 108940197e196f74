// Points of a grid as boxes: nothing that was seen to be otherwise is in one.
#include "campaign/diff/fold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace w4::diff {
namespace {

using ::testing::ElementsAre;

std::set<Point> grid(int rows, int columns) {
  std::set<Point> out;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) out.insert({std::to_string(r), std::to_string(c)});
  }
  return out;
}

TEST(Fold, AWholeGridIsOneBox) {
  const std::set<Point> all = grid(3, 4);
  EXPECT_THAT(fold(all, all), ElementsAre(Box{{"0", "1", "2"}, {"0", "1", "2", "3"}}));
}

TEST(Fold, WhatIsOtherwiseStaysOut) {
  const std::set<Point> all = grid(2, 2);
  std::set<Point> same = all;
  same.erase({"1", "1"});
  const std::vector<Box> boxes = fold(same, all);
  EXPECT_EQ(boxes.size(), 2u);
  for (const Box& b : boxes) EXPECT_FALSE(inside({"1", "1"}, b));
  for (const Point& p : same) {
    EXPECT_TRUE(inside(p, boxes[0]) || inside(p, boxes[1]));
  }
}

// A corner that nobody looked at may be inside.
TEST(Fold, WhatWasNotLookedAtDoesNotSplit) {
  std::set<Point> same = grid(2, 2);
  same.erase({"1", "1"});
  EXPECT_THAT(fold(same, same), ElementsAre(Box{{"0", "1"}, {"0", "1"}}));
}

TEST(Fold, NothingIsNoBox) { EXPECT_TRUE(fold({}, grid(2, 2)).empty()); }

TEST(Fold, ManyBoxesBecomeOne) {
  const std::set<Point> all = grid(4, 4);
  std::set<Point> diagonal;
  for (int i = 0; i < 4; ++i) diagonal.insert({std::to_string(i), std::to_string(i)});
  EXPECT_EQ(fold(diagonal, all).size(), 4u);
  EXPECT_EQ(fold_few(diagonal, all).size(), 1u);
}

TEST(Fold, TextJoinsNumbersThatFollow) {
  EXPECT_EQ(text_of(std::set<std::string>{"1", "2", "3", "10", "9", "64"}), "1-3 9-10 64");
  EXPECT_EQ(text_of(std::set<std::string>{"f16", "bf16"}), "bf16 f16");
}

}  // namespace
}  // namespace w4::diff
