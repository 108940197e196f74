// device=hip from the case line to the verdict: through libw4hip, whose GPU is the emulator;
// without a library; on a GPU that faults or is small.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "core/case.h"
#include "devices/gpu_device.h"
#include "tests/devices/fake_gpu.h"
#include "verify/context.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

using test::FakeGpu;
using ::testing::HasSubstr;
using ::testing::Not;

class Hip : public testing::Test {
 protected:
  void SetUp() override { setenv("W4_HIP_LIBRARY", W4_HIP_STAND_IN, 1); }
  Verdict run(const std::string& line) {
    return run_case(*parse_case(line + " device=hip"), context_, false);
  }
  bool lost() const { return context_.lost(); }
  // A GPU whose kernels do nothing, in place of the stand-in.
  FakeGpu::State& fake(int64_t bytes = int64_t{1} << 30) {
    fake_.arch = "gfx1151";
    fake_.bytes = bytes;
    context_.put_device("hip", make_gpu_device("hip", std::make_unique<FakeGpu>(fake_)));
    return fake_;
  }

 private:
  FakeGpu::State fake_;  // outlives the context
  Context context_{1};
};

class HipPasses : public Hip, public testing::WithParamInterface<const char*> {};

TEST_P(HipPasses, ThroughTheStandIn) {
  const Verdict v = run(GetParam());
  EXPECT_TRUE(v.green()) << to_string(v);
  EXPECT_THAT(to_string(v), HasSubstr("evidence hip: w4check emulated gfx1151, libw4hip.so, HIP "));
}

// Every row, pads of inputs and outputs, offsets, a workspace, and laws that launch twice.
INSTANTIATE_TEST_SUITE_P(
    Lines, HipPasses,
    testing::Values("decode m=3 n=64 k=256 g=64", "decode m=2 n=9 k=256 g=64",
                    "decode m=5 n=40 k=512 g=32 act=bf16 zp=packed bias=mxn wpad=8 spad=2 aoff=16 "
                    "woff=4 soff=2 zoff=4 boff=6 yoff=10",
                    "decode m=2 n=33 k=512 g=32 zp=unpacked act=bf16 law=addresses",
                    "decode m=3 n=64 k=256 g=64 law=repeat", "chunked m=4 n=8 g=64 lda=2147483640",
                    "chunked m=3 n=24 k=2560 g=32", "prefill m=17 n=33 k=128 g=64 lda=136",
                    "prefill_dense m=9 n=40 k=128 g=64",
                    "prefill_carrier m=9 n=40 k=128 g=32 zp=packed", "hybrid m=6 n=8 k=512 g=128",
                    "moe m=3 n=16 k=128 g=64 experts=4 topk=2 blockm=4",
                    "moe_prefill m=5 n=32 k=64 g=32 experts=4 topk=2 blockm=16"));

TEST_F(Hip, CallThatBreaksAClauseTouchesNothing) {
  const Verdict v = run("decode m=2 ldy=80");
  EXPECT_EQ(v.kind(), VerdictKind::refused);
  EXPECT_TRUE(v.green()) << to_string(v);
}

TEST_F(Hip, OtherArithmeticThanTheChipsIsSkipped) {
  const std::string said = to_string(run("decode m=3 n=64 k=256 g=64 fp=ieee"));
  EXPECT_THAT(said, HasSubstr("skipped"));
  EXPECT_THAT(said, HasSubstr("fp: device=hip computes as its chip does, not as 'ieee'"));
}

TEST_F(Hip, WithoutALibraryCasesAreSkippedWithTheReason) {
  setenv("W4_HIP_LIBRARY", "/no/such/libamdhip64.so", 1);
  for (int i = 0; i < 2; ++i) {
    const Verdict v = run("decode m=3 n=64 k=256 g=64");
    EXPECT_EQ(v.kind(), VerdictKind::skipped);
    EXPECT_THAT(to_string(v), HasSubstr("no_device: device=hip: libamdhip64 (ROCm) is not "
                                        "installed: /no/such/libamdhip64.so cannot be opened"));
  }
}

TEST_F(Hip, FaultIsTheVerdict) {
  fake().kernel = [](const w4_launch&) {
    return GpuLaunch{GpuLaunch::End::fault, "memory access fault", 0};
  };
  for (const char* line : {"decode m=3 n=64 k=256 g=64", "decode m=3 n=64 k=256 g=64 law=repeat"}) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::finding);
    EXPECT_THAT(to_string(v), HasSubstr("device_fault in w4_decode_"));
    EXPECT_THAT(to_string(v), HasSubstr("memory access fault on Fake 1"));
    EXPECT_THAT(to_string(v), Not(HasSubstr("also")));
  }
  EXPECT_TRUE(lost());
}

TEST_F(Hip, WhatNobodyWroteIsFound) {
  fake();
  const Verdict v = run("decode m=2 n=8 k=256 g=64");
  EXPECT_EQ(v.kind(), VerdictKind::finding);
  EXPECT_THAT(to_string(v), HasSubstr("unwritten_output"));
}

TEST_F(Hip, CallLargerThanTheGpusMemoryIsSkipped) {
  const FakeGpu::State& gpu = fake(10000);
  for (const char* line : {"decode m=3 n=64 k=256 g=64", "decode m=6 n=64 k=256 g=64"}) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::skipped);
    EXPECT_THAT(to_string(v), HasSubstr("too_large: the operands are "));
    EXPECT_THAT(to_string(v), HasSubstr("device=hip has room for 9000"));
  }
  EXPECT_EQ(gpu.launches, 0);
}

}  // namespace
}  // namespace w4
