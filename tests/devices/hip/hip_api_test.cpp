// The hip device's driver, on runtimes that pretend to be ROCm 5 and 6.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "devices/gpu_api.h"

namespace w4 {
namespace {

using ::testing::HasSubstr;

class HipApi : public testing::TestWithParam<const char*> {
 protected:
  void TearDown() override {
    for (const char* name : {"FAKE_HIP_GPUS", "FAKE_HIP_ARCH", "FAKE_HIP_LAUNCH", "FAKE_HIP_WAIT"})
      unsetenv(name);
  }
  std::string error() {
    auto api = open_hip(GetParam());
    EXPECT_FALSE(api);
    return api ? "" : api.error().text;
  }
  void open() {
    auto opened = open_hip(GetParam());
    ASSERT_TRUE(opened) << opened.error().text;
    api_ = std::move(*opened);
  }
  std::unique_ptr<GpuCode> code(std::string_view bytes = "some code") {
    auto loaded = api_->load(std::as_bytes(std::span(bytes)));
    EXPECT_TRUE(loaded);
    return loaded ? std::move(*loaded) : nullptr;
  }
  w4_launch launch(const uint64_t& to) {
    w4_launch l{};
    l.symbol = "store_42";
    l.grid[0] = 3, l.grid[1] = l.grid[2] = 1;
    l.block[0] = 2, l.block[1] = l.block[2] = 1;
    l.dynamic_lds = 99;
    l.args = &to;
    l.arg_bytes = sizeof to;
    return l;
  }
  std::unique_ptr<GpuApi> api_;
};

TEST_P(HipApi, ReportsTheGpuWhateverTheLayoutOfItsProperties) {
  ASSERT_NO_FATAL_FAILURE(open());
  const GpuFacts& f = api_->facts();
  EXPECT_EQ(f.name, "Fake Radeon");
  EXPECT_EQ(f.arch, "gfx1201");
  EXPECT_THAT(f.driver, HasSubstr(std::string(GetParam()).find("rocm5") != std::string::npos
                                      ? "libw4_test_rocm5.so, HIP 5.4.22803"
                                      : "libw4_test_rocm6.so, HIP 6.2.41133"));
  EXPECT_EQ(f.wave, 32);
  EXPECT_EQ(f.multiprocessors, 28);
  EXPECT_EQ(f.lds_per_block, 65536);
  EXPECT_EQ(f.max_threads_per_block, 1024);
  EXPECT_EQ(f.memory, int64_t{16} << 30);
  EXPECT_EQ(f.l2, 4 << 20);
}

TEST_P(HipApi, SaysThatThereIsNoGpu) {
  setenv("FAKE_HIP_GPUS", "0", 1);
  EXPECT_THAT(error(), HasSubstr("finds no GPU: hipErrorOther (100)"));
}

TEST_P(HipApi, SaysThatTheGpuIsNoRdna) {
  setenv("FAKE_HIP_ARCH", "gfx90a:sramecc+:xnack-", 1);
  EXPECT_THAT(error(), HasSubstr("GPU 0 (Fake Radeon, arch 'gfx90a') is no RDNA3"));
}

TEST_P(HipApi, MovesAndFillsMemory) {
  ASSERT_NO_FATAL_FAILURE(open());
  const auto room = api_->reserve(1000, true);
  ASSERT_TRUE(room);
  EXPECT_EQ(room->begin % 256, 0u);
  EXPECT_GE(room->bytes, 1000u);
  EXPECT_FALSE(room->traps_before || room->traps_after);
  for (const size_t n : {1u, 2u, 4u}) {
    const std::array pattern{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    ASSERT_TRUE(api_->fill(room->begin + 8, std::span(pattern).first(n), 8));
    ASSERT_TRUE(api_->copy(room->begin + 100, room->begin + 8, 8));
    std::array<std::byte, 8> now{};
    ASSERT_TRUE(api_->read(room->begin + 100, now));
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(now[i], pattern[i % n]);
  }
  EXPECT_FALSE(api_->fill(room->begin, std::array<std::byte, 3>{}, 6));
  api_->give_back(*room);
}

TEST_P(HipApi, LaunchesWithPackedArgumentsAndTimesTheRepetitions) {
  ASSERT_NO_FATAL_FAILURE(open());
  std::array<uint32_t, 8> out{};
  const auto to = reinterpret_cast<uint64_t>(out.data());
  const auto c = code();
  const GpuLaunch ran = api_->launch(*c, launch(to), 2);
  EXPECT_EQ(ran.end, GpuLaunch::End::completed) << ran.why;
  EXPECT_NEAR(ran.seconds, 0.003, 1e-9);
  EXPECT_EQ(out, (std::array<uint32_t, 8>{84, 84, 84, 84, 84, 84, 0, 0}));
}

TEST_P(HipApi, RefusesWhatDoesNotStart) {
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_FALSE(api_->load(std::as_bytes(std::span(std::string_view("bad")))));
  const auto c = code();
  const uint64_t to = 0;
  w4_launch l = launch(to);
  l.symbol = "store_43";
  EXPECT_EQ(api_->launch(*c, l, 1).end, GpuLaunch::End::refused);
  EXPECT_THAT(api_->launch(*c, l, 1).why, HasSubstr("store_43"));
  setenv("FAKE_HIP_LAUNCH", "9", 1);
  EXPECT_EQ(api_->launch(*c, launch(to), 1).end, GpuLaunch::End::refused);
  EXPECT_FALSE(api_->lost());
}

TEST_P(HipApi, FailureOfALaunchIsAFault) {
  std::array<uint32_t, 8> out{};
  const auto to = reinterpret_cast<uint64_t>(out.data());
  for (const char* when : {"FAKE_HIP_LAUNCH", "FAKE_HIP_WAIT"}) {
    ASSERT_NO_FATAL_FAILURE(open());
    const auto c = code();
    setenv(when, "719", 1);
    const GpuLaunch ran = api_->launch(*c, launch(to), 1);
    EXPECT_EQ(ran.end, GpuLaunch::End::fault);
    EXPECT_THAT(ran.why, HasSubstr("hipErrorLaunchFailure (719): unspecified launch failure"));
    EXPECT_TRUE(api_->lost());
    unsetenv(when);
  }
}

INSTANTIATE_TEST_SUITE_P(Rocm, HipApi, testing::Values(W4_FAKE_ROCM5, W4_FAKE_ROCM6));

}  // namespace
}  // namespace w4
