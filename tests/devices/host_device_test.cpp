// The host device behind Device: buffers, and launches that it cannot make sense of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "devices/device.h"
#include "devices/host_lane.h"

namespace w4 {
namespace {

using ::testing::HasSubstr;

void store_group(HostLane& lane, const void* args) {
  uint64_t out = 0;
  std::memcpy(&out, args, sizeof(out));
  if (lane.id[0] != 0) return;
  const uint32_t at = lane.group[0] + 2 * lane.group[1];
  reinterpret_cast<uint32_t*>(out)[at] = at + 100;
}

constexpr HostKernel kKernels[] = {{"store_group", 8, store_group}};
constexpr HostObject kObject{kHostObject, kKernels, 1};

class Host : public testing::Test {
 protected:
  uint64_t buffer(uint64_t bytes, uint64_t offset = 0) {
    return *device_->allocate({.name = "out", .bytes = bytes, .offset = offset, .writable = true});
  }
  // A launch of `store_group` over 2 x 2 workgroups, as changed by the caller.
  w4_launch launch() {
    w4_launch l{};
    l.object = &kObject;
    l.object_bytes = sizeof(kObject);
    l.symbol = "store_group";
    l.grid[0] = l.grid[1] = 2;
    l.grid[2] = 1;
    l.block[0] = 32;
    l.block[1] = l.block[2] = 1;
    l.args = &out_;
    l.arg_bytes = sizeof(out_);
    return l;
  }
  void expect_refused(const w4_launch& l, const std::string& why) {
    const LaunchResult r = device_->launch(l, {});
    EXPECT_EQ(r.end, LaunchResult::End::refused);
    EXPECT_THAT(r.why, HasSubstr(why));
  }

  std::unique_ptr<Device> device_ = std::move(*make_device("host"));
  uint64_t out_ = buffer(16);
};

TEST_F(Host, IsGfx1151InAllButName) {
  const GpuModel& like = *find_gpu("gfx1151");
  EXPECT_EQ(device_->gpu().arch, "host");
  EXPECT_EQ(device_->gpu().wgps, like.wgps);
  EXPECT_EQ(device_->gpu().lds_per_block, like.lds_per_block);
  EXPECT_EQ(default_fp("host"), default_fp("gfx1151"));
}

TEST_F(Host, RunsEveryWorkgroup) {
  const LaunchResult r = device_->launch(launch(), {});
  EXPECT_EQ(r.end, LaunchResult::End::completed) << r.why;
  EXPECT_THAT(r.inexact, ::testing::ElementsAre(HasSubstr("values only")));
  std::array<uint32_t, 4> got{};
  ASSERT_TRUE(device_->read(out_, std::as_writable_bytes(std::span(got))));
  EXPECT_THAT(got, ::testing::ElementsAre(100, 101, 102, 103));
}

TEST_F(Host, RefusesLaunchesItCannotMakeSenseOf) {
  w4_launch l = launch();
  l.symbol = "other";
  expect_refused(l, "no kernel other");
  l = launch();
  const std::array<unsigned char, sizeof(kObject)> elf{0x7f, 'E', 'L', 'F'};
  l.object = elf.data();
  expect_refused(l, "not for the host device");
  l.object_bytes = 4;
  expect_refused(l, "not for the host device");
  l = launch();
  l.arg_bytes = 4;
  expect_refused(l, "takes 8 bytes of arguments, the launch has 4");
  l = launch();
  l.block[0] = 33;
  expect_refused(l, "33 x 1 x 1");
  l.block[0] = l.block[1] = l.block[2] = 0xffffffe0u;
  expect_refused(l, "at most 1024");
  l.block[0] = 0;
  expect_refused(l, "0 x");
  l = launch();
  l.dynamic_lds = 65537;
  expect_refused(l, "65537 bytes of dynamic LDS");
  const LaunchResult r = device_->launch(launch(), {.fp = "exact"});
  EXPECT_EQ(r.end, LaunchResult::End::refused);
  EXPECT_THAT(r.why, HasSubstr("'exact'"));
}

TEST_F(Host, BuffersHaveTheirOffsetAndTrapBehindTheLastByte) {
  const uint64_t at = buffer(8000, 192);
  EXPECT_EQ(at % 256, 192u);
  std::array<std::byte, 4> some{};
  EXPECT_TRUE(device_->write(at + 7996, some));
  EXPECT_FALSE(device_->write(at + 7997, some));
  EXPECT_FALSE(device_->read(at - 1, some));
  // The slack before the trap is what a 256-byte aligned start costs.
  auto* const last = reinterpret_cast<volatile char*>(at + 8000 + 256);
  EXPECT_DEATH(*last = 1, "");
}

TEST_F(Host, PoisonRepeatsAndResetForgets) {
  const std::array<std::byte, 2> pattern{std::byte{1}, std::byte{2}};
  ASSERT_TRUE(device_->poison(out_, pattern));
  std::array<std::byte, 3> got{};
  ASSERT_TRUE(device_->read(out_ + 1, got));
  EXPECT_THAT(got, ::testing::ElementsAre(std::byte{2}, std::byte{1}, std::byte{2}));
  EXPECT_FALSE(device_->poison(out_ + 1, pattern));
  device_->reset();
  EXPECT_FALSE(device_->read(out_, got));
}

TEST_F(Host, SaysWhenThereIsNoMemory) {
  EXPECT_FALSE(device_->allocate({.name = "wei", .bytes = uint64_t{1} << 62}));
}

}  // namespace
}  // namespace w4
