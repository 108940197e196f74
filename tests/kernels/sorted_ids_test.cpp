#include "kernels/sorted_ids.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

namespace w4 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SortedIds, ByHand) {
  const std::vector<int32_t> experts{2, 0, 2, -1, 2, 0};
  const SortedIds two = sort_slots(experts, 3, 2);
  EXPECT_THAT(two.sorted, ElementsAre(1, 5, 0, 2, 4, 6, 3, 6));
  EXPECT_THAT(two.experts, ElementsAre(0, 2, 2, -1));
  const SortedIds one = sort_slots(experts, 3, 1);
  EXPECT_THAT(one.sorted, ElementsAre(1, 5, 0, 2, 4, 3));
  EXPECT_THAT(one.experts, ElementsAre(0, 0, 2, 2, 2, -1));
}

TEST(SortedIds, OfNothingIsNothing) {
  const SortedIds none = sort_slots({}, 4, 4);
  EXPECT_THAT(none.sorted, IsEmpty());
  EXPECT_THAT(none.experts, IsEmpty());
}

TEST(SortedIds, IdsOfNoExpertCountAsElsewhere) {
  const std::vector<int32_t> experts{4, -2, 3, 1 << 30};
  const SortedIds ids = sort_slots(experts, 4, 2);
  EXPECT_THAT(ids.experts, ElementsAre(3, -1, -1));
  EXPECT_THAT(ids.sorted, ElementsAre(2, 4, 0, 1, 3, 4));
}

TEST(SortedIds, EachSlotOnceInABlockOfItsExpertAndPaddingBehindIt) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; round++) {
    const int64_t count = random() % 7;
    const int64_t block_m = 1 + random() % 5;
    std::vector<int32_t> experts(random() % 40);
    for (int32_t& e : experts) e = static_cast<int32_t>(random() % (count + 1)) - 1;
    const SortedIds ids = sort_slots(experts, count, block_m);
    const auto slots = static_cast<int32_t>(experts.size());
    ASSERT_EQ(ids.sorted.size(), ids.experts.size() * static_cast<size_t>(block_m));
    std::vector<int> seen(experts.size());
    std::map<int32_t, int64_t> blocks, wanted;
    for (int32_t e : experts) wanted[e]++;
    for (size_t i = 0; i < ids.sorted.size(); i++) {
      const int32_t expert = ids.experts[i / static_cast<size_t>(block_m)];
      if (i % static_cast<size_t>(block_m) == 0) {
        blocks[expert]++;
        EXPECT_NE(ids.sorted[i], slots) << "a block of padding only";
      } else if (ids.sorted[i - 1] == slots) {
        EXPECT_EQ(ids.sorted[i], slots);
      }
      if (ids.sorted[i] == slots) continue;
      seen.at(static_cast<size_t>(ids.sorted[i]))++;
      EXPECT_EQ(experts.at(static_cast<size_t>(ids.sorted[i])), expert);
    }
    EXPECT_THAT(seen, testing::Each(1));
    for (const auto& [e, n] : wanted) EXPECT_EQ(blocks[e], (n + block_m - 1) / block_m);
  }
}

}  // namespace
}  // namespace w4
