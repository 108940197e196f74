// Native code may do anything to its process; the run goes on and says what happened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/process.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::w4check;

constexpr const char* kModule = " module=" W4_BAD_MODULE;

TEST(Worker, AbortIsACrashWithSignalAndStderr) {
  const Finished f = w4check({"rerun", std::string("decode m=1 n=16") + kModule});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("crash: signal 6"));
  EXPECT_THAT(f.out, HasSubstr("about to abort: <&>"));
}

TEST(Worker, ExitIsACrashWithItsStatus) {
  const Finished f = w4check({"rerun", std::string("decode m=3 n=16") + kModule});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("exited with status 7"));
}

// Also without a module: the process of the command does not run native code.
TEST(Worker, HostDeviceGivesValuesAndSaysSo) {
  const Finished f = w4check({"rerun", "decode m=3 n=16 k=256 act=bf16 zp=packed device=host"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("pass"));
  EXPECT_THAT(f.out, HasSubstr("evidence values only"));
  EXPECT_THAT(w4check({"rerun", "decode m=6 device=host"}).out,
              HasSubstr("refused: clause m.range"));
  const Finished other = w4check({"rerun", std::string("decode m=1 n=16 device=host") + kModule});
  EXPECT_THAT(other.out, HasSubstr("no_code_object"));
}

TEST(Worker, EndlessLoopIsATimeout) {
  const Finished f =
      w4check({"rerun", std::string("decode m=2 n=16") + kModule, "--timeout", "0.5"});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("timeout"));
  EXPECT_THAT(f.out, HasSubstr("over the limit of 0.5 s (--timeout)"));
  EXPECT_THAT(f.out, HasSubstr("killed in accept() of decode in module"));
}

TEST(Worker, OutputOfAModuleIsNotTakenForAVerdict) {
  const Finished f = w4check({"rerun", std::string("decode m=4 n=16") + kModule});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("refused: clause group.size"));
}

TEST(Worker, ForgedVerdictIsAHarnessErrorOfItsLineOnly) {
  const TemporaryFolder folder;
  const std::string cases = std::string("decode m=5 n=16") + kModule + "\ndecode m=4 n=16" +
                            kModule + "\ndecode m=1 n=24 k=128\n";
  const Finished f = w4check({"run", "--cases", folder.write("cases", cases)});
  EXPECT_EQ(f.code, 3) << f.err;
  EXPECT_THAT(f.out, HasSubstr("the worker answered another line: decode"));
  EXPECT_THAT(f.out, HasSubstr("1 green (1 pass), 2 red (1 harness_error, 1 refused)"));
}

TEST(Worker, OneLineSuffersOnlyForItself) {
  const TemporaryFolder folder;
  std::string cases;
  for (const char* m : {"1", "3", "2", "1"}) {
    cases += std::string("decode n=16 m=") + m + kModule + "\ndecode n=24 k=128 m=" + m + "\n";
  }
  const Finished f = w4check({"run", "--cases", folder.write("cases", cases), "--jobs", "2",
                              "--timeout", "2", "--json", "-"});
  EXPECT_EQ(f.code, 1) << f.err;
  std::istringstream lines(f.out);
  std::string line;
  int passes = 0, crashes = 0, timeouts = 0;
  while (std::getline(lines, line)) {
    const auto v = verdict_from_text(line);
    ASSERT_TRUE(v) << v.error().text;
    passes += v->kind() == VerdictKind::pass;
    crashes += v->kind() == VerdictKind::crash;
    timeouts += v->kind() == VerdictKind::timeout;
  }
  EXPECT_EQ(passes, 3);
  EXPECT_EQ(crashes, 2);
  EXPECT_EQ(timeouts, 1);
}

TEST(Worker, CrashHasTheOutputOfItsOwnLineOnly) {
  const TemporaryFolder folder;
  const std::string cases =
      std::string("decode m=4 n=16") + kModule + "\ndecode m=1 n=16" + kModule + "\n";
  const Finished f = w4check({"run", "--cases", folder.write("cases", cases)});
  EXPECT_THAT(f.out, HasSubstr("about to abort"));
  EXPECT_THAT(f.out, ::testing::Not(HasSubstr("this is not a verdict")));
}

TEST(Worker, WhatAModuleRemembersOfADeviceIsOfTheCasesOwn) {
  const std::string file = ::testing::TempDir() + "/two_devices.cases";
  std::ofstream(file) << "decode m=14 module=" W4_BAD_MODULE "\n"
                      << "decode m=14 lds=163840 module=" W4_BAD_MODULE "\n";
  const Finished f = w4check({"run", "--cases", file});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("heard of 65536"));
  EXPECT_THAT(f.out, HasSubstr("heard of 163840"));
}

TEST(Worker, FailFastStopsAtTheFirstRed) {
  const TemporaryFolder folder;
  const std::string bad = std::string("decode n=16 m=3") + kModule + "\n";
  std::string cases = bad;
  for (int n = 1; n <= 50; ++n) cases += "decode m=1 k=128 n=" + std::to_string(n) + "\n";
  const Finished f = w4check({"run", "--cases", folder.write("cases", cases), "--fail-fast"});
  EXPECT_EQ(f.code, 1) << f.err;
  EXPECT_THAT(f.out, HasSubstr("stopped after 1 of 51"));
}

// The verdicts of a run as JSON without its times, sorted.
std::vector<std::string> verdicts_of(const std::string& cases,
                                     const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  std::vector<std::string> words{"run", "--cases", folder.write("cases", cases), "--json", "-"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<std::string> all;
  std::istringstream lines(w4check(words).out);
  for (std::string line; std::getline(lines, line);) {
    auto v = verdict_from_text(line);
    v->ran.seconds = 0;
    all.push_back(verdict_to_text(*v));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Worker, JobsDoNotChangeVerdicts) {
  std::string cases;
  for (int n = 8; n <= 64; n += 8) cases += "decode m=2 k=256 n=" + std::to_string(n) + "\n";
  const auto one = verdicts_of(cases, {"--jobs", "1"});
  EXPECT_EQ(one.size(), 8u);
  EXPECT_EQ(one, verdicts_of(cases, {"--jobs", "3"}));
}

// Large enough that the launches use the threads.
TEST(Worker, ThreadsDoNotChangeVerdicts) {
  const std::string cases =
      "decode m=1 n=2048 k=2048 device=gfx1151\n"
      "decode m=4 n=2048 k=1024 sched=random:3 device=gfx1201\n"
      "decode m=3 n=2044 k=1024 g=64 sched=rev device=gfx1100\n"
      "decode m=2 n=2000 k=2048 zp=packed act=bf16 device=gfx1151 fp=ieee\n";
  const auto one = verdicts_of(cases, {"--threads", "1"});
  EXPECT_EQ(one.size(), 4u);
  EXPECT_EQ(one, verdicts_of(cases, {"--threads", "2"}));
  EXPECT_EQ(one, verdicts_of(cases, {"--threads", "4", "--jobs", "2"}));
}

}  // namespace
}  // namespace w4
