// `shrink` as a user calls it: the smaller line first, the same failure, native code in a worker
// that may die on every case, limits and Ctrl-C with the smallest line so far.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "campaign/process.h"
#include "core/case.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::w4check;
using testing::w4check_interrupted;

const std::string kModule = " module=" W4_BAD_MODULE;
// Of the module's kernel M = 3 exits, M = 1 aborts, M = 2 hangs.
std::string noisy(int m) {
  return "decode m=" + std::to_string(m) +
         " n=136 k=1024 g=64 bias=n aoff=32 yoff=2 seed=9 sched=random:4" + kModule;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(CliShrink, OfADyingProcessKeepsTheWayItDies) {
  const Finished f = w4check({"shrink", noisy(1)});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_EQ(first_line(f.out), "decode n=1 k=32 g=32 fill=constant" + kModule);
  EXPECT_THAT(f.out, HasSubstr("\ncrash: signal 6"));
  EXPECT_THAT(f.out, HasSubstr("shrunk from: decode n=136"));
  EXPECT_THAT(f.out, HasSubstr("no step makes it smaller"));
}

TEST(CliShrink, StopsAtItsLimitWithALineThatStillFails) {
  const std::vector<std::string> command{"shrink", noisy(1), "--cases", "4"};
  const Finished f = w4check(command);
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("4 cases, "));
  EXPECT_THAT(f.out, HasSubstr("stopped by --cases 4"));
  EXPECT_EQ(first_line(w4check(command).out), first_line(f.out));
  const auto c = parse_case(first_line(f.out));
  ASSERT_TRUE(c.has_value()) << f.out;
  EXPECT_LT(c->problem.n, 136);
}

TEST(CliShrink, CtrlCPrintsTheSmallestSoFar) {
  const TemporaryFolder folder;
  const std::string hangs = folder / "hangs";
  setenv("W4_HANGS", hangs.c_str(), 1);
  const Finished f = w4check_interrupted({"shrink", noisy(3)}, hangs);
  unsetenv("W4_HANGS");
  EXPECT_EQ(f.code, 130) << f.out << f.err;
  const auto c = parse_case(first_line(f.out));
  ASSERT_TRUE(c.has_value()) << f.out;
  EXPECT_EQ(c->problem.m, 3);
  EXPECT_LT(c->problem.n, 136);
  EXPECT_THAT(f.out, HasSubstr("interrupted"));
}

TEST(CliShrink, HasNothingToDoForAGreenCase) {
  for (const char* line : {"decode m=1 n=8", "decode m=9 n=8"}) {
    const Finished f = w4check({"shrink", line});
    EXPECT_EQ(f.code, 2) << f.out;
    EXPECT_THAT(f.err, HasSubstr("nothing to shrink: "));
    EXPECT_EQ(f.out, "");
  }
}

TEST(CliShrink, SaysWhatIsLegal) {
  const auto usage = [](const std::vector<std::string>& arguments, const std::string& text) {
    const Finished f = w4check(arguments);
    EXPECT_EQ(f.code, 2) << f.out;
    EXPECT_THAT(f.err, HasSubstr(text));
  };
  usage({"shrink"}, "line");
  usage({"shrink", ""}, "shrink: ");
  usage({"shrink", "decode nonsense=1"}, "'nonsense'");
  usage({"shrink", "decdoe m=1"}, "no kernel 'decdoe'");
  usage({"shrink", "decode m=1", "--cases", "0"}, "--cases: 0; legal: at least 1");
  usage({"shrink", "decode m=1", "--seconds", "-1"}, "--seconds: -1; legal: 0 (none)");
  usage({"shrink", "decode m=1", "--threads", "65"}, "--threads: 65; legal: 1 to 64");
  const Finished help = w4check({"shrink", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"--seconds", "--cases", "--timeout", "Exit codes", "130"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

}  // namespace
}  // namespace w4
