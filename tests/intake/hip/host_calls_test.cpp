// What the runtime says to host code: mistakes by name, launches in every form, how a process ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/intake/hip/run_program.h"

namespace w4::hip {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

Ended ask(const std::string& what, const std::string& environment = "-u W4HIP") {
  return run_program(environment, "host_calls " + what);
}

struct Mistake {
  const char* what;
  const char* named;
  const char* error;
};
class W4HipMistake : public testing::TestWithParam<Mistake> {};

TEST_P(W4HipMistake, IsRefusedByName) {
  const Mistake& m = GetParam();
  const Ended e = ask(m.what);
  EXPECT_EQ(e.code, 0) << e.text;
  EXPECT_THAT(e.text, AllOf(HasSubstr(m.named), EndsWith(std::string(m.error) + "\n")));
}

INSTANTIATE_TEST_SUITE_P(
    Host, W4HipMistake,
    testing::Values(
        Mistake{"past_end",
                "hipMemcpy: src: 256 bytes at 0x1100000004 run past the end of an allocation of "
                "256 bytes",
                "hipErrorInvalidValue"},
        Mistake{"overlap", "64 bytes from 0x1100000020 to 0x1100000000 overlap",
                "hipErrorInvalidValue"},
        Mistake{"wrong_kind", "hipMemcpyDeviceToHost: dst 0x1100000000 is device memory",
                "hipErrorInvalidValue"},
        Mistake{"freed", "is in memory that was freed", "hipErrorInvalidValue"},
        Mistake{"freed_twice", "hipFree: 0x2100000000 was freed already", "hipErrorInvalidValue"},
        Mistake{"huge_pinned", "hipHostMalloc: the host has no 18446744073709551615 bytes",
                "hipErrorOutOfMemory"},
        Mistake{"huge_pitch", "17592186044416 rows of 1048576 bytes", "hipErrorOutOfMemory"},
        Mistake{"past_pinned", "hipMemset: 9 bytes at dst", "hipErrorInvalidValue"},
        Mistake{"managed", "hipMallocManaged: is not implemented", "hipErrorNotSupported"},
        Mistake{"stale_stream", "hipMemsetAsync: stream", "hipErrorInvalidHandle"},
        Mistake{"zero_grid", "grid 0x1x1, block 64x1x1: a dimension is zero",
                "hipErrorInvalidConfiguration"},
        Mistake{"variables", "16 bytes at 4 of a variable of 16", "hipErrorInvalidValue"},
        Mistake{"occupancy", "70000 bytes of dynamic LDS; legal: 0 to 65536",
                "hipErrorInvalidValue"}),
    [](const auto& info) { return std::string(info.param.what); });

TEST(W4HipCalls, CopiesFindTheirWay) {
  EXPECT_EQ(ask("default_kind").text, "7\nhipSuccess\n");
  EXPECT_EQ(ask("rows").text, "0 1 0 17\nhipSuccess\n");
}

TEST(W4HipCalls, VariablesOfTheDevice) {
  // scale[2] is 3; two workgroups counted from 5.
  EXPECT_THAT(ask("variables").text, HasSubstr("7, 71\n"));
}

TEST(W4HipCalls, DynamicLds) { EXPECT_EQ(ask("dynamic").text, "63 0\nhipSuccess\n"); }

TEST(W4HipCalls, OccupancyIsWhatLdsLeaves) { EXPECT_THAT(ask("occupancy").text, HasSubstr("2\n")); }

// The fast run takes a word with three undefined bytes for undefined, shifted or not; the
// confirming one does not, and starts from the memory of before, or the sums would be 2.
TEST(W4HipCalls, AFalseAlarmIsNoFinding) {
  const Ended e = ask("top_byte");
  EXPECT_EQ(e.code, 0);
  EXPECT_EQ(e.text, "1 1\nhipSuccess\n");
}

TEST(W4HipCalls, APointerToHostMemoryIsAFinding) {
  const Ended e = ask("host_pointer");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text, HasSubstr("oob_read in masked"));
}

TEST(W4HipCalls, ANameThatIsMissingEndsTheProcess) {
  const Ended e = ask("missing");
  EXPECT_NE(e.code, 0);
  EXPECT_THAT(e.text, HasSubstr("w4hip: hipDeviceReset: is not implemented"));
}

TEST(W4HipEnd, AFindingThatNobodyLooksAtIsTheExitStatus) {
  const Ended e = ask("dynamic_short");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text, AllOf(HasSubstr("lds_oob in uses_dynamic"),
                            HasSubstr("LDS byte 128, 4 bytes wide"), HasSubstr("host_calls.hip:")));
}

TEST(W4HipEnd, AProgramsOwnStatusStays) { EXPECT_EQ(ask("own_status").code, 7); }

TEST(W4HipEnd, EveryCallAfterAFailureFails) {
  EXPECT_THAT(ask("after_failure").text,
              EndsWith("hipErrorLaunchFailure\nhipErrorLaunchFailure\n"));
}

TEST(W4HipEnd, OrGoesOnWhereThatIsWanted) {
  const Ended e = ask("after_failure", "W4HIP_CONTINUE=1");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text, EndsWith("hipErrorLaunchFailure\nhipSuccess\n"));
}

TEST(W4HipEnd, ChecksThatAreOffSayNothing) {
  EXPECT_EQ(run_program("W4HIP=checks=bounds", "row_sums_2").code, 0);
  EXPECT_EQ(run_program("W4HIP=checks=ldsrace", "row_sums_2").code, 1);
}

TEST(W4HipModules, BothFormsOfArgumentsAndGridsInWorkItems) {
  for (const char* form : {"params", "extra", "items"}) {
    const Ended e = run_program("-u W4HIP", std::string("modules " W4HIP_ANSWERS " ") + form);
    EXPECT_EQ(e.code, 0) << form;
    EXPECT_THAT(e.text, EndsWith("hipSuccess 2 118 60\n")) << form;
  }
  const Ended part = run_program("-u W4HIP", "modules " W4HIP_ANSWERS " part");
  EXPECT_THAT(part.text, AllOf(HasSubstr("60x1x1 work-items are not whole blocks of 32x1x1"),
                               HasSubstr("hipErrorInvalidConfiguration")));
}

TEST(W4HipModules, WhatIsNoModuleIsNamed) {
  EXPECT_THAT(run_program("-u W4HIP", "modules /dev/null params").text,
              AllOf(HasSubstr("neither an offload bundle nor an ELF file"),
                    HasSubstr("hipErrorInvalidImage")));
  EXPECT_THAT(run_program("-u W4HIP", "modules /nowhere params").text,
              AllOf(HasSubstr("'/nowhere'"), HasSubstr("hipErrorFileNotFound")));
}

// The founding defect: the gate asks the device, the array is a constant.
TEST(W4HipFounding, AGateThatAsksTheDevice) {
  EXPECT_EQ(run_program("-u W4HIP", "lds_gate").text, "too long for LDS\n");
  const Ended e = run_program("W4HIP=lds=163840", "lds_gate");
  EXPECT_EQ(e.code, 1);
  EXPECT_THAT(e.text,
              AllOf(HasSubstr("lds_oob in sum_in_lds"),
                    HasSubstr("65536 of the 65536 of this launch"), HasSubstr("lds_gate.hip:12")));
}

}  // namespace
}  // namespace w4::hip
