// Times of calls by a clock that the test sets, and that wrong kernels have none.
#include "campaign/bench/time_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clocked_device.h"

namespace w4::bench {
namespace {

using testing::ClockedDevice;
using ::testing::Each;
using ::testing::HasSubstr;

// 9152 bytes: 8192 of weights, 256 of scales, 64 of zero points, 512 of act, 128 of out.
constexpr const char* kDecode = "decode m=1 n=64 k=256 g=128 zp=packed device=cuda";

struct Rig {
  Rig() {
    auto owned = std::make_unique<ClockedDevice>();
    clocked = owned.get();
    auto recorded = std::make_unique<RecordedDevice>(std::move(owned));
    device = recorded.get();
    context.put_device("cuda", std::move(recorded));
  }
  Row time(const std::string& line, const Clock& clock) {
    return time_case({*parse_case(line), "small"}, context, *device, clock);
  }
  Context context;
  ClockedDevice* clocked = nullptr;
  RecordedDevice* device = nullptr;
};

TEST(TimeCase, FiguresAreTheClocks) {
  Rig rig;
  rig.clocked->seconds_of_launch = 1e-3;
  const Row row = rig.time(kDecode, {.samples = 3, .floor = 0, .cold = 4 * 9152});
  ASSERT_TRUE(row.green) << row.verdict;
  EXPECT_EQ(row.copies, 4);
  ASSERT_TRUE(row.cold && row.warm);
  EXPECT_EQ(row.cold->seconds.size(), 3u);
  EXPECT_DOUBLE_EQ(row.cold->median(), 1e-3);
  EXPECT_DOUBLE_EQ(row.warm->median(), 1e-3);
  EXPECT_EQ(row.unit(), Unit::gb_per_s);
  EXPECT_DOUBLE_EQ(*row.figure(), 9152 / 1e-3 / 1e9);
  EXPECT_THAT(row.instantiation, HasSubstr("m1"));
}

// Each copy of the operands has an output of its own, and a cold round goes over all of them.
TEST(TimeCase, ColdCallsGoOverDifferentAddresses) {
  Rig rig;
  const Row row = rig.time(kDecode, {.samples = 1, .floor = 0, .cold = 5 * 9152});
  ASSERT_TRUE(row.cold) << row.verdict;
  EXPECT_EQ(rig.clocked->output_addresses().size(), 5u);
  // Warm: two rounds before the sample, and it; cold: the same.
  EXPECT_THAT(rig.clocked->rounds, ::testing::ElementsAre(1, 1, 1, 5, 5, 5));
  EXPECT_THAT(rig.clocked->placements, Each(Placement::plain));
}

TEST(TimeCase, WhatACacheHoldsIsNotCold) {
  Rig rig;
  rig.clocked->cache = 9152;
  const Row cached = rig.time(kDecode, {.samples = 1, .floor = 0, .cold = 2 * 9152});
  EXPECT_TRUE(cached.green);
  EXPECT_FALSE(cached.cold);
  EXPECT_TRUE(cached.warm);
  EXPECT_THAT(cached.why, HasSubstr("cached"));
  EXPECT_TRUE(rig.time(kDecode, {.samples = 1, .floor = 0, .cold = 3 * 9152}).cold);
}

TEST(TimeCase, ACallThatTheDeviceHasNoMemoryForIsSkipped) {
  Rig rig;
  rig.clocked->room = 9151;
  const Row row = rig.time(kDecode, {.samples = 1, .floor = 0, .cold = 1});
  EXPECT_TRUE(row.skipped);
  EXPECT_FALSE(row.figure());
  EXPECT_THAT(row.verdict + row.why, HasSubstr("9152 bytes"));
  rig.clocked->room = 9152;
  EXPECT_TRUE(rig.time(kDecode, {.samples = 1, .floor = 0, .cold = 1}).green);
}

// The floor is for all samples of a figure together.
TEST(TimeCase, RoundsReachTheFloor) {
  Rig rig;
  rig.clocked->seconds_of_launch = 0.1;
  const Row row = rig.time(kDecode, {.samples = 2, .floor = 0.8, .cold = 1});
  ASSERT_TRUE(row.green) << row.verdict;
  EXPECT_EQ(row.copies, 1);
  // Four rounds of 0.1 s for each of the two samples; warm, then cold.
  EXPECT_THAT(rig.clocked->times, ::testing::ElementsAre(1, 1, 4, 4, 1, 1, 4, 4));
}

TEST(TimeCase, AWrongOutputHasNoFigure) {
  Rig rig;
  rig.clocked->corrupts = true;
  const Row row = rig.time(kDecode, {.samples = 1, .floor = 0, .cold = 2 * 9152});
  EXPECT_FALSE(row.green);
  EXPECT_FALSE(row.figure());
  EXPECT_FALSE(row.cold || row.warm);
  EXPECT_THAT(row.verdict, HasSubstr("not the one judged"));
}

TEST(TimeCase, ARedCallIsNotTimed) {
  Rig rig;
  rig.clocked->wrong = true;
  const Row row = rig.time(kDecode, {.samples = 1, .floor = 0, .cold = 1});
  EXPECT_FALSE(row.green);
  EXPECT_THAT(row.verdict, HasSubstr("mismatch"));
  EXPECT_FALSE(row.figure());
  EXPECT_TRUE(rig.clocked->rounds.empty());
}

TEST(TimeCase, WhatAKernelDoesNotTakeIsSkipped) {
  Rig rig;
  const Row row = rig.time("decode m=9 n=64 k=256 g=128 device=cuda", {});
  EXPECT_TRUE(row.skipped);
  EXPECT_FALSE(row.figure());
  EXPECT_THAT(row.verdict, HasSubstr("m.range"));
  EXPECT_TRUE(rig.clocked->rounds.empty());
}

TEST(TimeCase, PrefillAndExperts) {
  Rig rig;
  rig.clocked->seconds_of_launch = 1e-6;
  const Clock clock{.samples = 1, .floor = 0, .cold = 1};
  // 2 * 32 * 64 * 128 operations.
  const Row prefill = rig.time("prefill m=32 n=64 k=128 g=64 zp=packed device=cuda", clock);
  ASSERT_TRUE(prefill.green) << prefill.verdict;
  EXPECT_EQ(prefill.unit(), Unit::tflop_per_s);
  EXPECT_DOUBLE_EQ(*prefill.figure(), 2.0 * 32 * 64 * 128 / 1e-6 / 1e12);
  // One expert of four is asked for: 256 bytes of weights, 32 of scales, 8 of zero points; act 256,
  // out 32, two ids of experts and two of rows.
  const Row moe =
      rig.time("moe m=2 n=8 k=64 g=32 zp=packed experts=4 topk=1 route=single device=cuda", clock);
  ASSERT_TRUE(moe.green) << moe.verdict;
  EXPECT_EQ(moe.least.bytes, 256u + 32 + 8 + 256 + 32 + 8 + 8);
  EXPECT_DOUBLE_EQ(*moe.figure(), 600 / 1e-6 / 1e9);
}

TEST(TimeCopy, ReadAndWritten) {
  ClockedDevice device;
  device.seconds_of_copy = 0.5;
  const auto copy = time_copy(device, {.samples = 3, .floor = 0});
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->bytes, uint64_t{1} << 30);
  EXPECT_DOUBLE_EQ(copy->gb_per_s(), 2.0 * (1 << 30) / 0.5 / 1e9);
}

// Devices without a clock say so.
TEST(TimeCopy, NoClock) {
  const auto host = make_device("host");
  const auto copy = time_copy(**host, {});
  ASSERT_FALSE(copy);
  EXPECT_THAT(copy.error().text, HasSubstr("no clock"));
}

}  // namespace
}  // namespace w4::bench
