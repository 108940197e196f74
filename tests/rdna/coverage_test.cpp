// Edge counts are exact, and the counts of instructions that follow from them.
#include "rdna/coverage.h"

#include <algorithm>

#include "rdna/listing.h"
#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

constexpr uint32_t kGroups = 3, kWavesEach = 2, kWaves = kGroups * kWavesEach;

class CoverageOf : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(rig_.ok()); }
  LaunchReport run(const std::string& symbol, LaunchConfig c = config(kGroups, kWavesEach * 32)) {
    const Address out = rig_.allocate({.name = "out", .bytes = 64, .writable = true});
    c.checks = kAllChecks & ~uint32_t{kGlobalRace};
    const CoverageScope scope(coverage_);
    const LaunchReport r = rig_.launch(symbol, c, out);
    EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
    return r;
  }
  Listing listing(const std::string& symbol) {
    for (const KernelCounts* k : coverage_.kernels()) {
      if (k->object->kernels()[k->index].symbol == symbol) return list_code(*k);
    }
    ADD_FAILURE() << symbol;
    return {};
  }
  Rig rig_{GetParam()};
  Coverage coverage_;
};

// The nth instruction whose text begins so.
const ListedInstruction& find(const Listing& l, std::string_view text, int n = 0) {
  for (const ListedInstruction& x : l.code) {
    if (x.text.starts_with(text) && n-- == 0) return x;
  }
  ADD_FAILURE() << text;
  static const ListedInstruction kNone;
  return kNone;
}

// Waits and hints are followed over when code is decoded: they take no step.
bool is_hint(const ListedInstruction& x) {
  return std::ranges::any_of(std::array{"s_nop", "s_wait", "s_delay_alu", "s_clause", "s_sendmsg"},
                             [&](const char* m) { return x.text.starts_with(m); });
}
uint64_t steps(const Listing& l) {
  uint64_t sum = 0;
  for (const ListedInstruction& x : l.code) sum += is_hint(x) ? 0 : x.count;
  return sum;
}

TEST_P(CoverageOf, BranchesAndBlocksAreCountedExactly) {
  const LaunchReport r = run("counted");
  const Listing l = listing("counted");
  EXPECT_EQ(find(l, "s_nop 3").count, 5 * kWaves);
  EXPECT_EQ(find(l, "s_sub_").count, 5 * kWaves);
  const ListedInstruction& loop = find(l, "s_cbranch_scc1");
  EXPECT_EQ(loop.target, find(l, "s_nop 3").pc);
  EXPECT_EQ(loop.taken, 4 * kWaves);
  EXPECT_EQ(loop.fell, kWaves);
  EXPECT_EQ(find(l, "s_cbranch_scc0").taken, kWaves);
  EXPECT_EQ(find(l, "s_cbranch_scc0").fell, 0u);
  EXPECT_EQ(find(l, "s_movk_i32 s20, 0x777").count, 0u);
  EXPECT_EQ(find(l, "s_cbranch_scc1", 1).taken, kWavesEach);
  EXPECT_EQ(find(l, "s_cbranch_scc1", 1).fell, kWaves - kWavesEach);
  EXPECT_EQ(find(l, "s_movk_i32 s21, 0x111").count, kWaves - kWavesEach);
  EXPECT_EQ(find(l, "s_branch").count, kWaves - kWavesEach);
  EXPECT_EQ(find(l, "s_endpgm").count, kWaves);
  EXPECT_EQ(steps(l), r.wave_instructions);
  EXPECT_EQ(l.instructions, l.code.size());
  EXPECT_EQ(l.instructions_run, l.instructions - 1);
  EXPECT_EQ(l.edges, 7u);
  EXPECT_EQ(l.edges_run, 6u);
}

TEST_P(CoverageOf, ACallIsCountedWhereItGoes) {
  const LaunchReport r = run("calls");
  const Listing l = listing("calls");
  EXPECT_EQ(find(l, "s_movk_i32 s20, 0x222").count, 2 * kWaves);
  EXPECT_EQ(find(l, "s_endpgm").count, kWaves);
  // The callee begins with a wait; what a register's jump reaches is not followed over.
  EXPECT_EQ(steps(l) + 2 * kWaves, r.wave_instructions);
}

TEST_P(CoverageOf, CountsAddOverLaunchesAndObjectsAndLeaveConfirmingRunsOut) {
  run("counted");
  run("counted", config(1, 32));
  LaunchConfig again = config(1, 32);
  again.confirm = true;
  run("counted", again);
  const auto kernels = coverage_.kernels();
  ASSERT_EQ(kernels.size(), 2u);  // one of them never launched
  for (const KernelCounts* k : kernels) {
    const bool ran = k->object->kernels()[k->index].symbol == "counted";
    EXPECT_EQ(k->launches, ran ? 2u : 0u);
    EXPECT_EQ(k->waves, ran ? kWaves + 1 : 0u);
  }
  // The same code from another load of its object.
  Rig other(GetParam());
  const Address out = other.allocate({.name = "out", .bytes = 64, .writable = true});
  {
    const CoverageScope scope(coverage_);
    other.launch("counted", config(1, 32), out);
  }
  EXPECT_EQ(coverage_.kernels().size(), 2u);
  EXPECT_EQ(find(listing("counted"), "s_endpgm").count, kWaves + 2);
  EXPECT_EQ(find(listing("calls"), "s_endpgm").count, 0u);
  other.launch("counted", config(1, 32), out);  // nobody counts
  EXPECT_EQ(find(listing("counted"), "s_endpgm").count, kWaves + 2);
}

TEST_P(CoverageOf, HashedCountersOfFuzzersSeeTheSameEdges) {
  std::vector<uint8_t> hashed(1 << 12);
  rig_.emulator().set_edge_counters(hashed);
  run("counted");
  rig_.emulator().set_edge_counters({});
  uint64_t sum = 0, used = 0;
  for (const uint8_t c : hashed) sum += c, used += c != 0;
  EXPECT_EQ(used, 6u);
  // 5 turns, one jump over, one way or the other, and the jump of those that fell.
  EXPECT_EQ(sum, kWaves * 7 + kWaves - kWavesEach);
}

INSTANTIATE_TEST_SUITE_P(Objects, CoverageOf, testing::ValuesIn(paths(W4_COVERAGE)), test_name);

}  // namespace
}  // namespace w4::rdna
