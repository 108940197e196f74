// Programs that a compiler made at every level for every kind of arch give the host's answer, with
// all checks on and without a finding, whatever the order of the waves.
#include <algorithm>
#include <cstdio>
#include <set>

#include "tests/rdna/programs/program.h"
#include "tests/rdna/rig.h"

namespace w4::rdna::programs {
namespace {

// "…/integer-O0.gfx1100.co" -> "integer"
std::string family_name(const std::string& path) {
  const std::string file = path.substr(path.find_last_of('/') + 1);
  return file.substr(0, file.find('-'));
}

const Family* family_of(const std::string& path) {
  for (const Family& f : families()) {
    if (family_name(path) == f.name) return &f;
  }
  return nullptr;
}

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
  how.grid = s.grid;
  how.block = s.block;
  how.dynamic_lds = s.dynamic_lds;
  Memory& memory = rig.emulator().memory();
  memory.release_all();
  std::vector<std::byte> packed;
  std::vector<Address> at;
  for (const Arg& a : s.args) {
    packed.resize((packed.size() + a.align - 1) / a.align * a.align);
    const std::string name = "arg" + std::to_string(at.size());
    Address address = 0;
    std::span<const std::byte> bytes = a.before;
    if (a.kind == Arg::Kind::out) {
      address = rig.output(name, a.want.size());
    } else if (a.kind != Arg::Kind::value) {
      address = rig.allocate(
          {.name = name, .bytes = a.before.size(), .writable = a.kind == Arg::Kind::inout});
      ASSERT_TRUE(memory.write(address, a.before));
    }
    if (a.kind != Arg::Kind::value) bytes = std::as_bytes(std::span(&address, 1));
    packed.insert(packed.end(), bytes.begin(), bytes.end());
    at.push_back(address);
  }
  const LaunchReport r = rig.emulator().launch(rig.object(), p.name, how, packed);
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
  how.step_limit = 50'000'000;
  run_all(GetParam(), how);
}

TEST_P(Compiled, ConfirmsItInAnotherOrder) {
  LaunchConfig how;
  how.step_limit = 50'000'000;
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
