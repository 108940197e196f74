// The device over a GPU's driver: what it sees of a launch that does what it may not.
#include "devices/gpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "devices/gpu_buffer.h"
#include "tests/devices/fake_gpu.h"

namespace w4 {
namespace {

using test::FakeGpu;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::array kPoison{std::byte{0x01}, std::byte{0x7D}};

template <class T>
void store(uint64_t at, T value) {
  std::memcpy(reinterpret_cast<void*>(at), &value, sizeof value);
}
template <class T>
T load(uint64_t from) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(from), sizeof value);
  return value;
}

class GpuDevice : public testing::Test {
 protected:
  uint64_t input(uint64_t bytes, Placement placement = Placement::end) {
    const uint64_t at =
        *device_->allocate({.name = "wei", .bytes = bytes, .placement = placement, .alignment = 2});
    EXPECT_TRUE(device_->write(at, std::vector<std::byte>(bytes, std::byte{7})));
    return at;
  }
  uint64_t output(uint64_t bytes) {
    const uint64_t at = *device_->allocate({.name = "out",
                                            .bytes = bytes,
                                            .writable = true,
                                            .initialised = false,
                                            .output = true,
                                            .alignment = 2});
    EXPECT_TRUE(device_->poison(at, kPoison));
    return at;
  }
  LaunchResult launch(std::function<void()> kernel) {
    state_.kernel = [kernel = std::move(kernel)](const w4_launch&) {
      kernel();
      return GpuLaunch{};
    };
    return launch();
  }
  LaunchResult launch() {
    w4_launch l{};
    l.object = "code";
    l.object_bytes = 4;
    l.symbol = "kernel_k";
    return device_->launch(l, {});
  }
  // The one finding of a launch.
  Finding finding(const LaunchResult& r) {
    EXPECT_EQ(r.end, LaunchResult::End::findings);
    EXPECT_THAT(r.findings, SizeIs(1));
    return r.findings.empty() ? Finding{} : r.findings.front();
  }
  void expect_clean(const LaunchResult& r) {
    EXPECT_EQ(r.end, LaunchResult::End::completed);
    for (const Finding& f : r.findings) ADD_FAILURE() << to_string(f);
  }

  FakeGpu::State state_;
  std::unique_ptr<Device> device_ = make_gpu_device("cuda", std::make_unique<FakeGpu>(state_));
};

TEST_F(GpuDevice, IsTheGpuThatTheDriverReports) {
  EXPECT_EQ(device_->gpu().arch, "cuda");
  EXPECT_EQ(device_->gpu().wgps, 7);
  EXPECT_EQ(device_->gpu().lds_per_block, 65536);
  EXPECT_EQ(device_->describe(), "cuda: Fake 1, fake driver 2");
  EXPECT_THAT(launch([] {}).inexact, ElementsAre("cuda: Fake 1, fake driver 2"));
}

TEST_F(GpuDevice, SeesNothingWrongWhereNothingIs) {
  const uint64_t in = input(100), out = output(10);
  expect_clean(launch([&] {
    for (uint64_t i = 0; i < 10; i += 2) store<uint16_t>(out + i, load<uint16_t>(in + i));
  }));
  std::array<std::byte, 10> now{};
  ASSERT_TRUE(device_->read(out, now));
  for (const std::byte b : now) EXPECT_EQ(b, std::byte{7});
  EXPECT_THAT(device_->unwritten(out, 16), IsEmpty());
}

TEST_F(GpuDevice, SeesAWriteBesideEveryKindOfBuffer) {
  for (const Placement placement : {Placement::end, Placement::beginning, Placement::plain}) {
    for (const bool traps : {true, false}) {
      state_.traps = traps;
      device_->reset();
      device_ = make_gpu_device("cuda", std::make_unique<FakeGpu>(state_));
      const uint64_t in = input(100, placement);
      const bool before_traps = traps && placement == Placement::beginning;
      const bool after_traps = traps && placement == Placement::end;
      for (int64_t at : {-256, -1, 100, 355}) {
        if (at < 0 ? before_traps : after_traps) continue;  // not ours to write
        const Finding f =
            finding(launch([&] { store<uint8_t>(in + static_cast<uint64_t>(at), 9); }));
        EXPECT_EQ(f.kind, FindingKind::oob_write);
        EXPECT_EQ(f.buffer, "wei");
        EXPECT_EQ(f.kernel, "kernel_k");
        EXPECT_EQ(f.bytes, 1);
        if (at >= 0) EXPECT_EQ(f.offset, at);
        if (at < 0) EXPECT_THAT(f.detail, HasSubstr(std::to_string(-at) + " bytes before"));
        // Put right: the same again is seen again, and nothing is seen of nothing.
        finding(launch([&] { store<uint8_t>(in + static_cast<uint64_t>(at), 9); }));
        expect_clean(launch([] {}));
      }
    }
  }
}

TEST_F(GpuDevice, SeesTheWidthOfAWriteAcrossTheEnd) {
  state_.traps = false;
  const uint64_t out = output(6);
  const Finding f = finding(launch([&] { store<uint64_t>(out, 0x0102030405060708); }));
  EXPECT_EQ(f.offset, 6);
  EXPECT_EQ(f.bytes, 2);
}

TEST_F(GpuDevice, SeesAWriteBetweenRows) {
  for (const bool written : {false, true}) {
    device_->reset();
    const uint64_t at = written ? output(100) : input(100);
    ASSERT_TRUE(device_->mark_gap(at + 40, 8));
    ASSERT_TRUE(device_->mark_gap(at + 60, 8));
    const Finding f = finding(launch([&] { store<uint32_t>(at + 62, 0); }));
    EXPECT_EQ(f.kind, FindingKind::oob_write);
    EXPECT_EQ(f.offset, 62);
    EXPECT_EQ(f.bytes, 4);
    EXPECT_THAT(f.detail, HasSubstr("between two rows of"));
    // A confirming run finds it again.
    EXPECT_EQ(finding(launch([&] { store<uint32_t>(at + 62, 0); })).offset, 62);
    expect_clean(launch([] {}));
  }
}

TEST_F(GpuDevice, PoisonLiesBetweenRowsTooAndIsWatchedThere) {
  const uint64_t out = output(20);
  ASSERT_TRUE(device_->mark_gap(out + 8, 4));
  ASSERT_TRUE(device_->poison(out, kPoison));
  expect_clean(launch([] {}));
  std::array<std::byte, 2> now{};
  ASSERT_TRUE(device_->read(out + 8, now));
  EXPECT_EQ(now, kPoison);
  EXPECT_EQ(finding(launch([&] { store<uint16_t>(out + 8, 0x7E00); })).offset, 8);
  expect_clean(launch([] {}));
}

TEST_F(GpuDevice, SeesAChangedInputAndPutsItRight) {
  const uint64_t in = input(5000);
  const Finding f = finding(launch([&] { store<uint16_t>(in + 4321, 0); }));
  EXPECT_EQ(f.kind, FindingKind::input_modified);
  EXPECT_EQ(f.buffer, "wei");
  EXPECT_EQ(f.offset, 4321);
  EXPECT_EQ(f.bytes, 2);
  uint8_t seen = 0;
  expect_clean(launch([&] { seen = load<uint8_t>(in + 4321); }));
  EXPECT_EQ(seen, 7);
}

TEST_F(GpuDevice, SaysWhatNobodyWrote) {
  const uint64_t out = output(20);
  launch([&] {
    for (uint64_t i = 0; i < 20; i += 2) {
      if (i != 6 && i != 18) store<uint16_t>(out + i, 0);
    }
  });
  EXPECT_THAT(device_->unwritten(out, 16), ElementsAre(6, 18));
  EXPECT_THAT(device_->unwritten(out, 1), ElementsAre(6));
  // Zeros may be an answer.
  ASSERT_TRUE(device_->poison(out, std::array{std::byte{}, std::byte{}}));
  launch([] {});
  EXPECT_THAT(device_->unwritten(out, 16), IsEmpty());
}

TEST_F(GpuDevice, UndefinedMemoryIsNaNs) {
  const uint64_t work = *device_->allocate(
      {.name = "workspace", .bytes = 64, .writable = true, .initialised = false});
  uint16_t half = 0;
  launch([&] { half = load<uint16_t>(work + 30); });
  EXPECT_EQ(half, kUndefined);
}

TEST_F(GpuDevice, WorkspaceKeepsWhatALaunchLeft) {
  const uint64_t work = *device_->allocate(
      {.name = "workspace", .bytes = 64, .writable = true, .initialised = false});
  launch([&] { store<uint32_t>(work + 4, 17); });
  uint32_t seen = 0;
  launch([&] { seen = load<uint32_t>(work + 4); });
  EXPECT_EQ(seen, 17u);
}

TEST_F(GpuDevice, SeesAWriteToWhatWasFreed) {
  const uint64_t work = *device_->allocate({.name = "workspace", .bytes = 64, .writable = true});
  device_->release(work);
  EXPECT_FALSE(device_->write(work, kPoison));
  const Finding f = finding(launch([&] { store<uint32_t>(work + 4, 17); }));
  EXPECT_EQ(f.kind, FindingKind::oob_write);
  EXPECT_EQ(f.offset, 4);
  EXPECT_THAT(f.detail, HasSubstr("after workspace was freed"));
  expect_clean(launch([] {}));
}

TEST_F(GpuDevice, FaultIsAFindingAndTheEndOfTheDevice) {
  const uint64_t out = output(20);
  state_.kernel = [](const w4_launch&) {
    return GpuLaunch{GpuLaunch::End::fault, "an illegal memory access was encountered", 0};
  };
  const Finding f = finding(launch());
  EXPECT_EQ(f.kind, FindingKind::device_fault);
  EXPECT_EQ(f.kernel, "kernel_k");
  EXPECT_THAT(f.detail, HasSubstr("an illegal memory access was encountered on Fake 1"));
  EXPECT_THAT(f.detail, HasSubstr("last byte of each buffer before unmapped memory"));
  EXPECT_TRUE(device_->lost());
  // What a case does between its launches goes through, and the next finds the same.
  EXPECT_TRUE(device_->poison(out, kPoison));
  EXPECT_TRUE(device_->write(out, kPoison));
  std::array<std::byte, 2> now{std::byte{1}, std::byte{1}};
  EXPECT_TRUE(device_->read(out, now));
  EXPECT_THAT(now, ElementsAre(std::byte{}, std::byte{}));
  EXPECT_EQ(finding(launch()).detail, f.detail);
  EXPECT_EQ(state_.launches, 1);
  device_->reset();
  EXPECT_EQ(*device_->allocate({.name = "act", .bytes = 64, .offset = 36}) % 256, 36u);
  EXPECT_EQ(finding(launch()).detail, f.detail);
}

TEST_F(GpuDevice, DriverThatDiesAtACopyIsAFaultToo) {
  const uint64_t out = output(20);
  state_.kernel = [&](const w4_launch&) {
    state_.dead = true;
    return GpuLaunch{};
  };
  EXPECT_EQ(finding(launch()).kind, FindingKind::device_fault);
  EXPECT_TRUE(device_->write(out, kPoison));
}

TEST_F(GpuDevice, DriverThatIsDeadWhenCodeIsLoadedIsAFaultToo) {
  state_.dead = true;
  EXPECT_EQ(finding(launch()).kind, FindingKind::device_fault);
}

TEST_F(GpuDevice, RefusedLaunchIsNoFinding) {
  state_.kernel = [](const w4_launch&) {
    return GpuLaunch{GpuLaunch::End::refused, "invalid configuration", 0};
  };
  const LaunchResult r = launch();
  EXPECT_EQ(r.end, LaunchResult::End::refused);
  EXPECT_EQ(r.why, "invalid configuration");
  EXPECT_THAT(r.findings, IsEmpty());
  EXPECT_FALSE(device_->lost());
}

TEST_F(GpuDevice, RangesLieInOneBuffer) {
  const uint64_t in = input(100), out = output(100);
  EXPECT_FALSE(device_->write(in + 99, kPoison));
  EXPECT_FALSE(device_->write(in - 1, kPoison));
  std::array<std::byte, 2> two{};
  EXPECT_FALSE(device_->read(out + 99, two));
  EXPECT_FALSE(device_->copy(out, in, 101));
  EXPECT_TRUE(device_->copy(out, in, 100));
  ASSERT_TRUE(device_->read(out + 98, two));
  EXPECT_THAT(two, ElementsAre(std::byte{7}, std::byte{7}));
  EXPECT_FALSE(device_->poison(in + 2, kPoison));
}

// Rooms go from case to case; bounds do not.
TEST_F(GpuDevice, RoomsAreUsedAgainWithTheBoundsOfTheirNewBuffer) {
  state_.traps = false;
  input(3000);
  launch([] {});
  const int before = state_.reserved;
  device_->reset();
  const uint64_t out = output(300);  // a class that the room of 3000 fits
  const uint64_t in = input(3000);
  EXPECT_LE(state_.reserved, before + 1);
  std::array<std::byte, 1> one{};
  EXPECT_FALSE(device_->read(out + 300, one));
  EXPECT_EQ(finding(launch([&] { store<uint8_t>(out + 300, 0); })).offset, 300);
  EXPECT_EQ(finding(launch([&] { store<uint8_t>(in + 3000, 0); })).offset, 3000);
  device_->reset();
  EXPECT_FALSE(device_->write(out, kPoison));
  EXPECT_EQ(state_.given_back, 0);
  device_.reset();
  EXPECT_EQ(state_.given_back, state_.reserved);
}

TEST_F(GpuDevice, SmallCaseAsksTheDriverForLittle) {
  for (int i = 0; i < 3; ++i) {
    device_->reset();
    const uint64_t in = input(500), out = output(20);
    state_.writes = state_.reads = 0;
    launch([&] { store<uint16_t>(out, load<uint16_t>(in)); });
    std::array<std::byte, 20> now{};
    ASSERT_TRUE(device_->read(out, now));
    EXPECT_EQ(state_.writes, 2);
    EXPECT_EQ(state_.reads, 2);
    EXPECT_EQ(state_.loads, 1);
    launch([] {});
    EXPECT_EQ(state_.writes, 2);  // what the GPU has stays there
  }
}

// What they wrote is seen by the next read, and only that is told.
TEST_F(GpuDevice, TimedLaunchesAreLookedAtWhenSomebodyReads) {
  const uint64_t out = output(16);
  expect_clean(launch([&] { store<uint16_t>(out, 1); }));
  const auto time = [&](uint64_t at) {
    state_.kernel = [at](const w4_launch&) {
      store<uint16_t>(at, 2);
      return GpuLaunch{.why = {}, .seconds = 0.25};
    };
    w4_launch l{};
    l.object = "code";
    l.object_bytes = 4;
    l.symbol = "kernel_k";
    const std::array round{l, l};
    return device_->time_launches(round, 3).value_or(0);
  };
  EXPECT_EQ(time(out), 0.5);
  std::array<std::byte, 2> now{};
  ASSERT_TRUE(device_->read(out, now));
  EXPECT_EQ(now[0], std::byte{2});
  EXPECT_EQ(time(out - 2), 0.5);
  const auto read = device_->read(out, now);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text, HasSubstr("launched again, for its time"));
  EXPECT_TRUE(device_->read(out, now));
}

TEST_F(GpuDevice, WithoutMemoryTriesAgainOnceIdleRoomsAreGone) {
  input(100);
  device_->reset();
  state_.memory = false;
  const auto no = device_->allocate({.name = "act", .bytes = 1 << 24});
  ASSERT_FALSE(no);
  EXPECT_THAT(no.error().text, HasSubstr("act: no memory"));
  EXPECT_EQ(state_.given_back, 1);
  EXPECT_FALSE(device_->lost());
}

}  // namespace
}  // namespace w4
