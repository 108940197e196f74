// Memory that traps on either side.
#include "devices/guarded_pages.h"

#include <gtest/gtest.h>

#include <utility>

namespace w4 {
namespace {

void touch(std::byte* at) { *static_cast<volatile std::byte*>(at) = std::byte{1}; }

TEST(GuardedPages, HoldZerosAndTrapOutside) {
  auto pages = GuardedPages::make(5000);
  ASSERT_TRUE(pages);
  EXPECT_GE(pages->size(), 5000u);
  EXPECT_EQ(*pages->begin(), std::byte{0});
  touch(pages->begin());
  touch(pages->end() - 1);
  EXPECT_DEATH(touch(pages->end()), "");
  EXPECT_DEATH(touch(pages->begin() - 1), "");
}

TEST(GuardedPages, OfNoBytesTrapEverywhere) {
  auto pages = GuardedPages::make(0);
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->size(), 0u);
  EXPECT_DEATH(touch(pages->begin()), "");
}

TEST(GuardedPages, AreMovedNotCopied) {
  auto pages = GuardedPages::make(64);
  ASSERT_TRUE(pages);
  std::byte* const at = pages->begin();
  touch(at);
  GuardedPages other = std::move(*pages);
  EXPECT_EQ(other.begin(), at);
  EXPECT_EQ(*other.begin(), std::byte{1});
}

TEST(GuardedPages, SayWhenThereIsNoMemory) {
  EXPECT_FALSE(GuardedPages::make(size_t{1} << 60));
  EXPECT_FALSE(GuardedPages::make(~size_t{0}));
}

}  // namespace
}  // namespace w4
