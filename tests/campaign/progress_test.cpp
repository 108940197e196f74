#include "campaign/progress.h"

#include <gtest/gtest.h>

namespace w4 {
namespace {

TEST(Progress, TimeLeftFollowsCostNotCases) {
  Progress p(stderr, 10, 1000);
  p.advance(250, true);
  p.advance(250, false);
  EXPECT_EQ(p.text(10), "2/10 cases, 50 %, 0.2 cases/s, about 10 s left, 1 red");
}

TEST(Progress, SaysNothingItDoesNotKnow) {
  Progress p(stderr, 10, 1000);
  EXPECT_EQ(p.text(3), "0/10 cases, 0 %");
}

TEST(Progress, NeverAbove100Percent) {
  Progress p(stderr, 1, 1);
  p.advance(5, true);
  EXPECT_EQ(p.text(200), "1/1 cases, 100 %, 0.0 cases/s, about 0 s left");
}

}  // namespace
}  // namespace w4
