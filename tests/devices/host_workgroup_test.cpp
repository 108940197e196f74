// Lanes as fibers: they meet in exchanges and barriers, and where they do not, the launch ends with
// a finding that says who waits where.
#include "devices/host_workgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace w4 {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kThreads = 128;
using Out = std::array<uint32_t, kThreads>;

uint32_t thread(const HostLane& l) { return l.id[1] * 32 + l.id[0]; }

class Workgroup : public testing::Test {
 protected:
  // Blocks of (32, threads / 32).
  std::optional<Finding> run(void (*kernel)(HostLane&, const void*), uint32_t threads = kThreads) {
    out_.fill(0);
    Out* const out = &out_;
    const HostKernel k{"test", sizeof(out), kernel};
    w4_launch launch{};
    launch.block[0] = 32;
    launch.block[1] = threads / 32;
    launch.block[2] = 1;
    launch.args = &out;
    return workgroup_.run(k, launch, {7, 0, 0}, {});
  }

  HostWorkgroup workgroup_ = std::move(*HostWorkgroup::make(kThreads));
  Out out_{};
};

TEST_F(Workgroup, ExchangesGiveTheValuesOfTheOwnWave) {
  // Two exchanges in a row: the values of the first must not be overwritten by the second.
  const auto finding = run([](HostLane& l, const void* args) {
    Out& o = **static_cast<Out* const*>(args);
    const uint32_t first = l.ops->exchange(l, "reverse", thread(l))[31 - l.id[0]];
    const uint32_t second = l.ops->exchange(l, "next", first)[(l.id[0] + 1) % 32];
    o[thread(l)] = second + 1000 * l.group[0];
  });
  EXPECT_FALSE(finding) << finding->detail;
  for (uint32_t i = 0; i < kThreads; ++i) {
    EXPECT_EQ(out_[i], 7000 + i / 32 * 32 + 31 - (i % 32 + 1) % 32) << i;
  }
}

TEST_F(Workgroup, BarriersOrderWavesAndSharedArraysAreTheWorkgroups) {
  const auto finding = run([](HostLane& l, const void* args) {
    static char tag_a, tag_b;
    auto* const a = static_cast<uint32_t*>(l.ops->shared(l, &tag_a, 4 * kThreads));
    auto* const b = static_cast<uint32_t*>(l.ops->shared(l, &tag_b, 4 * kThreads));
    const bool fresh = a[thread(l)] == 0xffffffffu;
    a[thread(l)] = thread(l);
    b[thread(l)] = 5;
    l.ops->barrier(l);
    const uint32_t seen = a[kThreads - 1 - thread(l)] + b[0] * 1000;
    l.ops->barrier(l);
    (**static_cast<Out* const*>(args))[thread(l)] = fresh ? seen : 0;
  });
  EXPECT_FALSE(finding) << finding->detail;
  for (uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(out_[i], 5000 + kThreads - 1 - i);
}

TEST_F(Workgroup, WavesThatHaveEndedDoNotHoldABarrierUp) {
  const auto finding = run([](HostLane& l, const void* args) {
    if (l.id[1] != 2) l.ops->barrier(l);
    (**static_cast<Out* const*>(args))[thread(l)] = 1;
  });
  EXPECT_FALSE(finding) << finding->detail;
  for (const uint32_t v : out_) EXPECT_EQ(v, 1u);
}

TEST_F(Workgroup, ALaneThatEndsBeforeAnExchangeIsAFinding) {
  const auto finding = run([](HostLane& l, const void*) {
    if (l.id[1] == 1 && l.id[0] == 9) return;
    l.ops->exchange(l, "row_shift", 0);
  });
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, FindingKind::inactive_lane);
  EXPECT_EQ(finding->kernel, "test");
  EXPECT_EQ(finding->at.wave, 1);
  EXPECT_EQ(finding->at.lane, 9);
  EXPECT_THAT(finding->detail,
              HasSubstr("lane 0 waits for its wave in row_shift, lane 9 has ended"));
}

TEST_F(Workgroup, LanesInTwoExchangesAreAFinding) {
  const auto finding = run([](HostLane& l, const void*) {
    l.ops->exchange(l, l.id[0] < 16 ? "shift by 8" : "shift by 4", 0);
  });
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, FindingKind::inactive_lane);
  EXPECT_THAT(finding->detail, HasSubstr("shift by 8, lane 16 waits in shift by 4"));
}

TEST_F(Workgroup, ABarrierInPartOfAWaveIsAFinding) {
  const auto finding = run([](HostLane& l, const void*) {
    if (l.id[0] < 31) l.ops->barrier(l);
  });
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, FindingKind::barrier_divergence);
  EXPECT_EQ(finding->at.lane, 31);
}

TEST_F(Workgroup, ABarrierAgainstAnExchangeIsAFinding) {
  const auto finding = run([](HostLane& l, const void*) {
    if (l.id[0] == 3) l.ops->barrier(l);
    l.ops->exchange(l, "sum", 0);
  });
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->detail, HasSubstr("in sum, lane 3 waits in the barrier"));
}

TEST_F(Workgroup, SharedArraysBeyondTheArchsLdsAreAFinding) {
  const auto finding = run([](HostLane& l, const void*) {
    static char tag_a, tag_b;
    l.ops->shared(l, &tag_a, HostWorkgroup::kSharedBytes);
    l.ops->shared(l, &tag_b, 1);
  });
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->kind, FindingKind::limit);
  EXPECT_THAT(finding->detail, HasSubstr("65536"));
}

struct Counted {
  static inline int alive = 0;
  Counted() { ++alive; }
  ~Counted() { --alive; }
};

TEST_F(Workgroup, AFailedLaunchLeavesEveryFrameAndTheNextOneRuns) {
  for (int i = 0; i < 3; ++i) {
    const auto finding = run([](HostLane& l, const void*) {
      const Counted here;
      l.ops->barrier(l);
      if (l.id[0] != 5) l.ops->exchange(l, "sum", 0);
    });
    EXPECT_TRUE(finding);
    EXPECT_EQ(Counted::alive, 0);
  }
  const auto finding = run(
      [](HostLane& l, const void* args) {
        (**static_cast<Out* const*>(args))[thread(l)] = l.ops->exchange(l, "x", 3)[0];
      },
      32);
  EXPECT_FALSE(finding);
  EXPECT_EQ(out_[31], 3u);
  EXPECT_EQ(out_[32], 0u);
}

}  // namespace
}  // namespace w4
