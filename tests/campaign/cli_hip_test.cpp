// The hip device from the command line: through libw4hip, whose GPU is the emulator, and where
// there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "campaign/process.h"

namespace w4::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CliHip : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("W4_HIP_LIBRARY", W4_HIP_STAND_IN, 1);
    setenv("W4HIP", "device=gfx1151", 1);
  }
};

TEST_F(CliHip, PassSaysWhatItRanOn) {
  const Finished r = w4check({"rerun", "decode m=3 n=64 k=256 g=64 device=hip"});
  EXPECT_EQ(r.code, 0) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("hip: w4check emulated gfx1151, libw4hip.so, HIP 6.0.0"));
}

// The host's gate lets an N through that the kernel has no guard for: it reads past the weights and
// stores past its rows, into memory that is mapped.
TEST_F(CliHip, OverwriteInsideMappedMemoryIsAFinding) {
  setenv("W4HIP", "device=gfx1151 checks=bounds", 1);
  const std::string line = "decode m=2 n=9 k=256 g=64 device=hip";
  const Finished r = w4check({"rerun", line + " module=" W4_TAKES_RAGGED_N});
  EXPECT_EQ(r.code, 1) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("oob_write in w4_decode_small"));
  EXPECT_THAT(r.out,
              HasSubstr("outside the 36 bytes of out: the pattern that lay there has changed"));
  EXPECT_THAT(r.out, HasSubstr("where: out byte 36, 2 bytes wide"));
  EXPECT_EQ(w4check({"rerun", line}).code, 0);
}

// What the emulator finds is a launch that failed; the next case has a GPU again.
TEST_F(CliHip, FaultIsAFindingAndTheRunGoesOn) {
  const TemporaryFolder folder;
  const std::string cases =
      folder.write("two.cases", "decode m=2 n=9 k=256 g=64 device=hip module=" W4_TAKES_RAGGED_N
                                "\ndecode m=2 n=9 k=256 g=64 device=hip\n");
  const Finished r = w4check({"run", "--cases", cases});
  EXPECT_EQ(r.code, 1) << r.out << r.err;
  EXPECT_THAT(r.out, HasSubstr("device_fault in w4_decode_small"));
  EXPECT_THAT(r.out, HasSubstr("hipErrorLaunchFailure (719)"));
  EXPECT_THAT(r.out, HasSubstr("1 pass"));
}

TEST_F(CliHip, OtherArithmeticThanTheChipsIsSkipped) {
  const Finished r = w4check({"rerun", "decode m=3 n=64 k=256 g=64 device=hip fp=ieee"});
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, HasSubstr("fp: device=hip computes as its chip does, not as 'ieee'"));
}

TEST_F(CliHip, WithoutALibraryEveryCaseIsSkippedWithTheReason) {
  setenv("W4_HIP_LIBRARY", "/no/such/libamdhip64.so", 1);
  const Finished r = w4check({"run", "--suite", "smoke", "--device", "hip", "--jobs", "2"});
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("device=hip: libamdhip64 (ROCm) is not installed: "
                                     "/no/such/libamdhip64.so cannot be opened"),
                           HasSubstr("nothing was verified"), Not(HasSubstr("crash"))));
}

}  // namespace
}  // namespace w4::testing
