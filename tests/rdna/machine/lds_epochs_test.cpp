// The epochs of the LDS shadow, called directly.
#include <gtest/gtest.h>

#include "rdna/workgroup.h"

namespace w4::rdna {
namespace {

constexpr uint32_t kLast = (1u << 24) - 2;

TEST(LdsEpochs, WrappingKeepsWhatThisWorkgroupWrote) {
  Lds lds;
  lds.start(64);
  lds.epoch = kLast - 4;
  lds.next_workgroup();
  lds.writer[0] = lds.stamp(3);  // of the workgroup before
  lds.next_workgroup();
  lds.writer[1] = lds.stamp(3);
  lds.writer[2] = lds.stamp(3) | 1;
  lds.reader[1] = lds.stamp(4);
  while (lds.epoch > 2) lds.barrier();
  const auto epoch = [](uint32_t entry) { return entry >> 7; };
  EXPECT_LT(epoch(lds.writer[0]), lds.first_epoch);
  for (int i : {1, 2}) {
    EXPECT_GE(epoch(lds.writer[static_cast<size_t>(i)]), lds.first_epoch);
    EXPECT_LT(epoch(lds.writer[static_cast<size_t>(i)]), lds.epoch);  // before the barrier
  }
  EXPECT_EQ(lds.writer[1] & 1, 0u);
  EXPECT_EQ(lds.writer[2] & 1, 1u);
  EXPECT_LT(epoch(lds.reader[1]), lds.epoch);
  lds.next_workgroup();
  EXPECT_LT(epoch(lds.writer[1]), lds.first_epoch);
}

TEST(LdsEpochs, GoingOverToBytesKeepsBoth) {
  Lds lds;
  lds.start(64);
  lds.writer[5] = lds.stamp(1);
  lds.reader[31] = lds.stamp(2);
  lds.to_bytes();
  EXPECT_EQ(lds.writer[9], 0u);
  EXPECT_EQ(lds.writer[10], lds.stamp(1));
  EXPECT_EQ(lds.writer[11], lds.stamp(1));
  EXPECT_EQ(lds.reader[62], lds.stamp(2));
  EXPECT_EQ(lds.reader[63], lds.stamp(2));
}

TEST(LdsEpochs, GoingOverToBytesInEveryLaunchTakesNoMoreRoom) {
  Lds lds;
  for (int launch = 0; launch < 20; ++launch) {
    lds.start(64);
    lds.next_workgroup();
    lds.to_bytes();
  }
  EXPECT_LE(lds.writer.size(), 256u);
  EXPECT_LE(lds.reader.size(), 256u);
}

TEST(LdsEpochs, ABarrierForgetsTheSwaps) {
  Lds lds;
  lds.start(64);
  lds.swapped.insert(8);
  lds.barrier();
  EXPECT_TRUE(lds.swapped.empty());
}

}  // namespace
}  // namespace w4::rdna
