// Unmodified HIP programs on libw4hip, in every form of getting at it: right results where they are
// right, the defect by name where they are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/intake/hip/run_program.h"

namespace w4::hip {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSums = "2997\n3998\n4999\n";

TEST(W4HipLinked, ComputesAndSaysWhatTheDeviceIs) {
  const Ended e = run_program("-u W4HIP", "row_sums_0");
  EXPECT_EQ(e.code, 0);
  EXPECT_EQ(e.text,
            std::string("gfx1151: 20 multiprocessors, 65536 bytes of LDS, wave32\n") + kSums);
}

TEST(W4HipLinked, TheDeviceIsWhatTheEnvironmentSays) {
  const Ended e = run_program("W4HIP='lds=163840 cus=7 sched=random:3 checks=none'", "row_sums_0");
  EXPECT_EQ(e.code, 0);
  EXPECT_EQ(e.text,
            std::string("gfx1151: 7 multiprocessors, 163840 bytes of LDS, wave32\n") + kSums);
}

TEST(W4HipLinked, NamesAnAccessOutsideABuffer) {
  const Ended e = run_program("-u W4HIP", "row_sums_1");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text, AllOf(HasSubstr("finding: 1"), HasSubstr("oob_read in row_sums"),
                            HasSubstr("byte 12000, 4 bytes wide"), HasSubstr("row_sums.hip:28"),
                            HasSubstr("hipErrorLaunchFailure")));
  EXPECT_THAT(e.text, Not(HasSubstr("2997")));
}

TEST(W4HipLinked, NamesARaceInLds) {
  const Ended e = run_program("-u W4HIP", "row_sums_2");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text, AllOf(HasSubstr("lds_race in row_sums"), HasSubstr("row_sums.hip:")));
}

TEST(W4HipLinked, NamesMemoryThatNobodyWrote) {
  const Ended e = run_program("-u W4HIP", "row_sums_3");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text, HasSubstr("undefined_store in row_sums"));
}

TEST(W4HipLinked, SaysForWhichArchsThereIsCode) {
  const Ended e = run_program("W4HIP=device=gfx1201", "row_sums_0");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text, HasSubstr("no code for gfx1201; there is gfx1151"));
}

TEST(W4HipLinked, ALaunchWithoutCodeIsNotJudgedWhateverTheProgramMakesOfIt) {
  const Ended e = run_program("W4HIP=device=gfx1201", "row_sums_4");
  EXPECT_EQ(e.code, 3);
  EXPECT_THAT(e.text, HasSubstr("no code for gfx1201; there is gfx1151"));
}

TEST(W4HipLinked, AWrongEnvironmentEndsTheProcess) {
  const Ended unknown = run_program("W4HIP=device=gfx906", "row_sums_0");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.text, AllOf(HasSubstr("gfx906"), HasSubstr("gfx1151")));
  const Ended other = run_program("W4HIP='m=5'", "row_sums_0");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.text, AllOf(HasSubstr("'m=5'"), HasSubstr("device, lds, cus")));
}

// Linked to ROCm's library, whose symbols have versions.
class W4HipForeign : public testing::Test {
 protected:
  void SetUp() override {
    if (*W4HIP_NO_ROCM) GTEST_SKIP() << W4HIP_NO_ROCM;
  }
};

TEST_F(W4HipForeign, Preloaded) {
  const std::string preload = "-u W4HIP LD_PRELOAD=" W4HIP_LIBRARY;
  const Ended clean = run_program(preload, "row_sums_rocm_0");
  EXPECT_EQ(clean.code, 0);
  EXPECT_EQ(clean.text,
            std::string("gfx1151: 20 multiprocessors, 65536 bytes of LDS, wave32\n") + kSums);
  const Ended bad = run_program(preload, "row_sums_rocm_1");
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.text, HasSubstr("oob_read in row_sums"));
}

TEST_F(W4HipForeign, UnderTheNameOfRocmsLibrary) {
  const Ended e = run_program("-u W4HIP LD_LIBRARY_PATH=" W4HIP_FOLDER, "row_sums_rocm_0");
  EXPECT_EQ(e.code, 0);
  // The loader would say that it misses version information.
  EXPECT_EQ(e.text,
            std::string("gfx1151: 20 multiprocessors, 65536 bytes of LDS, wave32\n") + kSums);
}

TEST(W4HipHipcc, PreloadedAndUnderRocmsName) {
  if (*W4HIP_NO_HIPCC) GTEST_SKIP() << W4HIP_NO_HIPCC;
  for (const char* how : {"LD_PRELOAD=" W4HIP_LIBRARY, "LD_LIBRARY_PATH=" W4HIP_FOLDER}) {
    const Ended e =
        run_program(std::string("W4HIP='device=gfx1100 fp=ieee' ") + how, "row_sums_hipcc");
    EXPECT_EQ(e.code, 0) << how;
    EXPECT_EQ(e.text,
              std::string("gfx1100: 48 multiprocessors, 65536 bytes of LDS, wave32\n") + kSums)
        << how;
  }
}

}  // namespace
}  // namespace w4::hip
