// Programs that a compiler made at every level for every kind of arch give the host's answer, with
// all checks on and without a finding, whatever the order of the waves.
#include <algorithm>
#include <cstdio>
#include <set>

#include "tests/rdna/programs/run_program.h"

namespace w4::rdna::programs {
namespace {

std::set<std::string> programs_run;
size_t configurations = 0, launches = 0, withdrawn = 0;

class Compiled : public testing::TestWithParam<std::string> {
 public:
  static void TearDownTestSuite() {
    std::printf(
        "%zu programs, %zu configurations (program, level, arch), %zu launches, %zu alarms of fast "
        "runs withdrawn by the confirming run\n",
        programs_run.size(), configurations, launches, withdrawn);
  }
};

bool only_undefined(const LaunchReport& r) {
  return std::ranges::all_of(r.findings, [](const Finding& f) {
    return f.kind == FindingKind::undefined_address || f.kind == FindingKind::undefined_branch ||
           f.kind == FindingKind::undefined_exec || f.kind == FindingKind::undefined_store;
  });
}

void run(Rig& rig, const Program& p, LaunchConfig how) {
  const Setup s = p.setup();
  const auto [r, at] = launch_program(rig, p.name, s, how);
  ++launches;
  if (!how.confirm && r.end == LaunchReport::End::findings && only_undefined(r)) {
    // Fast masks may over-report (-O0 keeps lane masks in VGPR lanes, half defined): the confirming
    // run decides.
    ++withdrawn;
    how.confirm = true;
    return run(rig, p, how);
  }
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  ASSERT_TRUE(r.findings.empty()) << what(r);
  Memory& memory = rig.emulator().memory();
  for (size_t i = 0; i < at.size(); ++i) {
    const Arg& a = s.args[i];
    if (a.want.empty()) continue;
    std::vector<std::byte> got(a.want.size());
    ASSERT_TRUE(memory.read(at[i], got));
    EXPECT_EQ(a.differs(got, a.want, a.ulps), "") << "argument " << i << " " << a.inexact;
    if (a.kind == Arg::Kind::out) EXPECT_TRUE(memory.unwritten(at[i], 4).empty());
  }
}

void run_all(const std::string& path, const LaunchConfig& how) {
  const Family* family = family_of(path);
  ASSERT_NE(family, nullptr) << path;
  Rig rig(path);
  ASSERT_TRUE(rig.ok());
  EXPECT_EQ(rig.object().kernels().size(), family->programs.size()) << "kernels without a row";
  for (const Program& p : family->programs) {
    SCOPED_TRACE(p.name);
    run(rig, p, how);
    programs_run.insert(p.name);
    if (!how.confirm) ++configurations;
  }
}

TEST_P(Compiled, GivesTheHostsAnswer) {
  LaunchConfig how;
  how.checks |= kWaits;  // a compiler's waits suffice
  how.step_limit = 50'000'000;
  run_all(GetParam(), how);
}

TEST_P(Compiled, ConfirmsItInAnotherOrder) {
  LaunchConfig how;
  how.step_limit = 50'000'000;
  how.checks |= kWaits;
  how.schedule = {Order::random, 11};
  how.confirm = true;
  run_all(GetParam(), how);
}

// What a row declares inexact it declares with a reason.
TEST(Table, ToleranceHasAReason) {
  size_t n = 0;
  std::set<std::string> names;
  for (const Family& f : families()) {
    for (const Program& p : f.programs) {
      EXPECT_TRUE(names.insert(p.name).second) << p.name << " twice";
      for (const Arg& a : p.setup().args) EXPECT_EQ(a.ulps != 0, *a.inexact != 0) << p.name;
      ++n;
    }
  }
  EXPECT_GE(n, 60u);
}

INSTANTIATE_TEST_SUITE_P(All, Compiled, testing::ValuesIn(paths(W4_COMPILED)), test_name);

}  // namespace
}  // namespace w4::rdna::programs
