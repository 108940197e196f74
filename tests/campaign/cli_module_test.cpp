// A module that breaks the interface: the verdict says which function did what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "campaign/process.h"

namespace w4 {
namespace {

using ::testing::AllOf;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::w4check;

constexpr const char* kModule = " module=" W4_BAD_MODULE;

std::string rerun(const std::string& line, int code) {
  const Finished f = w4check({"rerun", line + kModule});
  EXPECT_EQ(f.code, code) << f.out << f.err;
  return f.out;
}

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Module, ACrashSaysInWhichFunction) {
  EXPECT_THAT(rerun("decode m=1 n=16", 1),
              HasSubstr("crash: signal 6 in accept() of decode in module " W4_BAD_MODULE));
  EXPECT_THAT(rerun("decode m=4 n=40", 1),
              AllOf(HasSubstr("crash: signal 6 in prepare() of decode in module "),
                    HasSubstr("about to abort in prepare")));
  EXPECT_THAT(rerun("decode m=4 n=48", 1),
              AllOf(HasSubstr("crash: the process exited in prepare() of decode"),
                    HasSubstr("exited with status 9")));
}

TEST(Module, DeathWhileItIsOpenedIsACrashToo) {
  const std::string line = "decode m=1 n=16 module=" W4_DYING_MODULE;
  const auto died = [&](const char* how) {
    const Environment set("W4_DIES", how);
    const Finished f = w4check({"rerun", line, "--timeout", "0.5"});
    EXPECT_EQ(f.code, 1) << f.out << f.err;
    return f.out;
  };
  EXPECT_THAT(died("constructor"), AllOf(HasSubstr("crash: signal 6 in a constructor of module "),
                                         HasSubstr("cannot be constructed")));
  EXPECT_THAT(died("entry"), HasSubstr("crash: signal 6 in w4_module_v1() of module "));
  EXPECT_THAT(died("exit"), AllOf(HasSubstr("crash: the process exited in w4_module_v1() of"),
                                  HasSubstr("exited with status 5")));
  EXPECT_THAT(died("nonsense"), HasSubstr("crash: signal 11 in the table of module "));
  EXPECT_THAT(died("hang"), AllOf(HasSubstr("timeout"), HasSubstr("over the limit of 0.5 s"),
                                  HasSubstr("was killed in a constructor of module ")));
  EXPECT_THAT(w4check({"rerun", line}).out, HasSubstr("w4_module_v1 gave no table"));
}

TEST(Module, AHangHasALimitOfItsOwn) {
  const Finished f = w4check({"rerun", "--help"});
  EXPECT_THAT(f.out, HasSubstr("60 s and 1 s more for every 20 million multiply-adds"));
}

TEST(Module, RefusalsThatNobodyCanExpectSayWhy) {
  EXPECT_THAT(rerun("decode m=6 n=16", 1),
              AllOf(HasSubstr("refused: clause m.range"),
                    HasSubstr("the kernel does not declare the clause 'm.range'")));
  EXPECT_THAT(rerun("decode m=7 n=16", 1), HasSubstr("there is no clause 'no.such'"));
  EXPECT_THAT(rerun("decode m=8 n=16", 1),
              HasSubstr("run() returned 1 and called no refuse(), which names the clause"));
  EXPECT_THAT(rerun("decode m=12 n=16", 1), HasSubstr("run() refused without a clause"));
  EXPECT_THAT(rerun("decode m=4 n=16", 1), Not(HasSubstr("declare")));
}

TEST(Module, BrokenRulesOfTheInterfaceAreNamed) {
  EXPECT_THAT(rerun("decode m=9 n=16", 3),
              HasSubstr("accept() launched all_the_same; legal: launches in run() only"));
  EXPECT_THAT(rerun("decode m=10 n=16", 3),
              HasSubstr("accept() changed the descriptor of out, which it may only read"));
  EXPECT_THAT(rerun("decode m=11 n=16", 3), HasSubstr("launch() with symbol NULL"));
  EXPECT_THAT(rerun("decode m=13 n=16", 3),
              HasSubstr("accept() refused (group.size) and returned 0"));
  EXPECT_THAT(rerun("decode m=4 n=24", 3),
              HasSubstr("prepare() changed the checkpoint's wei, which it may only read"));
  EXPECT_THAT(
      rerun("decode m=4 n=32", 3),
      HasSubstr("prepare() gave scale as 128 bytes that are not all in memory of host_alloc"));
  EXPECT_THAT(rerun("decode m=4 n=56", 3), HasSubstr("host_alloc of 9223372036854775807 bytes"));
}

// The checkpoint is shared by the cases of a worker.
TEST(Module, WhatOneLineWroteIsNotTheNextLinesData) {
  const testing::TemporaryFolder folder;
  const std::string cases = std::string("decode m=4 n=24") + kModule +
                            "\ndecode m=4 n=24 prep=builtin\ndecode m=4 n=24 module=builtin\n";
  const Finished f = w4check({"run", "--cases", folder.write("cases", cases)});
  EXPECT_EQ(f.code, 3) << f.err;
  EXPECT_THAT(f.out, HasSubstr("2 green (2 pass), 1 red (1 harness_error)"));
}

}  // namespace
}  // namespace w4
