#include "fuzz/archive.h"

#include <gtest/gtest.h>

#include <vector>

namespace w4::fuzz {
namespace {

using Ids = std::vector<uint64_t>;

TEST(FuzzArchive, IsEmptyBeforeTheFirstInput) {
  Draw draw(1);
  EXPECT_TRUE(Archive().rare(draw).empty());
}

// Both ids are drawn among eight nearly always, so the rarer is nearly always there.
TEST(FuzzArchive, PrefersWhatFewInputsShowed) {
  Archive archive;
  const std::vector<uint8_t> common{1}, rare{2};
  archive.add(rare, Ids{7, 9});
  for (int i = 0; i < 50; ++i) archive.add(common, Ids{7});
  EXPECT_EQ(archive.known(), 2u);
  EXPECT_EQ(archive.added(), 51);
  Draw draw(3);
  int rares = 0;
  for (int i = 0; i < 100; ++i) rares += archive.rare(draw)[0] == 2 ? 1 : 0;
  EXPECT_GT(rares, 90);
}

TEST(FuzzArchive, ARareIdIsNotOneInputForEver) {
  Archive archive;
  const std::vector<uint8_t> first{1}, second{2}, third{3};
  archive.add(first, Ids{7});
  Draw draw(1);
  EXPECT_EQ(archive.rare(draw)[0], 1);
  archive.add(second, Ids{7});
  EXPECT_EQ(archive.rare(draw)[0], 2);
  archive.add(third, Ids{7});
  EXPECT_EQ(archive.rare(draw)[0], 2) << "the third time is no power of two";
}

}  // namespace
}  // namespace w4::fuzz
