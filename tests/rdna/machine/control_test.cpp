// The machine's own part, on hand-written kernels: order of waves and workgroups, barriers,
// branches, coverage, and what a report says.
#include <algorithm>
#include <set>

#include "rdna/memory_impl.h"
#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Control : public Hand {
 protected:
  std::string at_once() const {
    return rig_.gfx12() ? "global_atomic_add_u32 v2, v5, v6, s[8:9] th:TH_ATOMIC_RETURN\n"
                        : "global_atomic_add_u32 v2, v5, v6, s[8:9] glc\n";
  }
  std::string barrier() const {
    return rig_.gfx12() ? "s_barrier_signal -1\ns_barrier_wait -1\n" : "s_barrier\n";
  }
};

// Each wave takes the next number of a counter: the order in which they ran.
TEST_P(Control, OrderOfWavesAndWorkgroups) {
  const std::string text = kBegin + kWave +
                           "s_load_b64 s[8:9], s[0:1], 0x8\n%wait%\n"
                           "v_mov_b32 v5, 0\nv_mov_b32 v6, 1\ns_mov_b32 exec_lo, 1\n" +
                           at_once() + "%wait%\ns_lshl_b32 s7, " + group() +
                           ", 2\ns_add_i32 s7, s7, s6\ns_lshl_b32 s7, s7, 2\nv_mov_b32 v1, s7\n" +
                           kStore;
  const auto order = [&](Order o, uint64_t seed) {
    const Address out = rig_.buffer("out", 64 * 4), counter = rig_.buffer("counter", 4);
    LaunchConfig c = config(16, 128);
    c.schedule.order = o;
    c.schedule.seed = seed;
    const LaunchReport r = run(text, c, {out, counter});
    EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
    return rig_.words(out, 64);
  };
  std::vector<uint32_t> up(64), down(64);
  for (uint32_t i = 0; i < 64; ++i) up[i] = i, down[i] = 63 - i;
  EXPECT_EQ(order(Order::rr, 0), up);
  EXPECT_EQ(order(Order::reversed, 0), down);
  const auto one = order(Order::random, 1), two = order(Order::random, 2);
  EXPECT_EQ(one, order(Order::random, 1));
  // Of the workgroups, and of the waves in them, each for itself.
  const auto groups = [](const std::vector<uint32_t>& v) {
    std::vector<uint32_t> g;
    for (size_t i = 0; i < 64; i += 4) g.push_back(v[i] / 4);
    return g;
  };
  const auto waves = [](const std::vector<uint32_t>& v) {
    std::vector<uint32_t> w;
    for (uint32_t x : v) w.push_back(x % 4);
    return w;
  };
  EXPECT_NE(groups(one), groups(two));
  EXPECT_NE(groups(one), groups(up));
  EXPECT_NE(waves(one), waves(two));
  EXPECT_NE(waves(one), waves(up));
}

TEST_P(Control, BarriersOfGfx12AreHalves) {
  if (!rig_.gfx12()) GTEST_SKIP() << "gfx11 has whole barriers";
  const Address out = rig_.buffer("out", 256);
  const std::string end = "v_mov_b32 v2, 1\n" + kStore;
  const auto run64 = [&](const std::string& text) {
    LaunchConfig c = config(1, 64);
    c.checks = kAllChecks & ~uint32_t{kGlobalRace};  // all waves store the same
    return run(kBegin + kWave + text + end, c, {out});
  };
  const std::string both = "s_barrier_signal -1\ns_barrier_wait -1\n";
  EXPECT_EQ(run64(both + both).end, LaunchReport::End::completed);
  EXPECT_EQ(only(run64("s_barrier_wait -1\n")), FindingKind::deadlock);
  EXPECT_EQ(only(run64(both + "s_barrier_wait -1\n")), FindingKind::deadlock);
  EXPECT_EQ(only(run64("s_barrier_signal -1\n" + both)), FindingKind::barrier_divergence);
  // A wave that did not have to wait has used its signal up all the same.
  EXPECT_EQ(only(run(kBegin + both + "s_barrier_wait -1\n" + end, config(1, 32), {out})),
            FindingKind::deadlock);
}

// Wave 0 signals and ends; wave 2 must still be waited for.
TEST_P(Control, AWaveThatSignalledMayEnd) {
  if (!rig_.gfx12()) GTEST_SKIP() << "gfx11 has whole barriers";
  HandKernel k;
  k.info.static_lds = 128;
  k.text = kBegin + kWave +
           "v_mov_b32 v5, 42\ns_cmp_eq_u32 s6, 0\ns_cbranch_scc0 rest\n"
           "s_barrier_signal -1\ns_endpgm\nrest:\n"
           "s_cmp_eq_u32 s6, 2\ns_cbranch_scc0 join\nds_store_b32 v1, v5\n%wait%\njoin:\n"
           "s_barrier_signal -1\ns_barrier_wait -1\nds_load_b32 v2, v1\n%wait%\n" +
           kStore;
  const Address out = rig_.buffer("out", 128);
  LaunchConfig c = config(1, 96);
  c.checks = kAllChecks & ~uint32_t{kGlobalRace | kBarrier};
  const LaunchReport r = rig_.launch(k, c, {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_EQ(rig_.words(out, 1)[0], 42u);
}

// The wave that comes last may stand at the earlier or at the later of two barriers.
TEST_P(Control, WavesAtDifferentBarriers) {
  const Address out = rig_.buffer("out", 128);
  for (const char* first : {"s_cbranch_scc0", "s_cbranch_scc1"}) {
    const std::string text = kBegin + kWave + "s_cmp_eq_u32 s6, 0\n" + first + " later\n" +
                             barrier() + "s_endpgm\nlater:\n" + barrier() + "s_endpgm\n";
    const LaunchReport r = run(text, config(1, 64), {out});
    EXPECT_EQ(only(r), FindingKind::barrier_divergence) << first;
    EXPECT_EQ(r.findings[0].at.wave, 1);
    EXPECT_EQ(r.findings[0].other->wave, 0);
  }
}

// A wave that a finding stops keeps no one waiting: the others go on to their end.
TEST_P(Control, AStoppedWaveDoesNotHoldTheOthers) {
  const std::string text = kBegin + kWave +
                           "s_cmp_eq_u32 s6, 0\ns_cbranch_scc0 rest\nv_mov_b32 v1, 0x4000\nrest:\n"
                           "v_mov_b32 v2, 5\nglobal_store_b32 v1, v2, s[4:5]\n" +
                           barrier() + "v_mov_b32 v2, 6\n" + kStore;
  const Address out = rig_.buffer("out", 128);
  LaunchConfig c = config(1, 64);
  c.checks = kAllChecks & ~uint32_t{kGlobalRace};
  const LaunchReport r = run(text, c, {out});
  EXPECT_EQ(only(r), FindingKind::oob_write);
  EXPECT_EQ(rig_.words(out, 1)[0], 6u);
}

// A call whose target and return address are one register pair.
TEST_P(Control, AddressesOfCode) {
  const std::string text = kBegin +
                           "s_getpc_b64 s[10:11]\nhere:\ns_add_u32 s10, s10, there-here\n"
                           "s_addc_u32 s11, s11, 0\ns_swappc_b64 s[10:11], s[10:11]\n" +
                           kStore + "there:\nv_mov_b32 v2, 7\ns_swappc_b64 s[10:11], s[10:11]\n";
  const Address out = rig_.buffer("out", 128);
  const LaunchReport r = run(text, config(1, 32), {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_EQ(rig_.words(out, 1)[0], 7u);
}

TEST_P(Control, SpecialSources) {
  const Address out = rig_.buffer("out", 128);
  const auto value = [&](const std::string& text) {
    const LaunchReport r = run(kBegin + text + "\n" + kStore, config(1, 32), {out});
    EXPECT_EQ(r.end, LaunchReport::End::completed) << text << what(r);
    return rig_.words(out, 1)[0];
  };
  EXPECT_EQ(value("s_cmp_eq_u32 0, 0\nv_mov_b32 v2, src_scc"), 1u);
  EXPECT_EQ(value("s_cmp_eq_u32 0, 1\nv_mov_b32 v2, src_scc"), 0u);
  EXPECT_EQ(value("s_mov_b64 s[8:9], src_shared_base\nv_mov_b32 v2, s9"), kSharedApertureHi);
  EXPECT_EQ(value("s_mov_b64 s[8:9], src_private_base\nv_mov_b32 v2, s9"), kPrivateApertureHi);
  // NULL reads as zero, in both words, whatever M0 holds; written, it keeps nothing.
  EXPECT_EQ(value("s_mov_b32 m0, 5\ns_mov_b64 s[8:9], null\ns_or_b32 s8, s8, s9\nv_mov_b32 v2, s8"),
            0u);
  EXPECT_EQ(value("s_mov_b32 m0, 5\ns_mov_b64 null, -1\nv_mov_b32 v2, m0"), 5u);
}

TEST_P(Control, CoverageCountersSaturate) {
  std::vector<uint8_t> edges(1 << 12);
  rig_.emulator().set_edge_counters(edges);
  const std::string text =
      "s_movk_i32 s8, 0x12c\nloop:\ns_add_i32 s8, s8, -1\ns_cmp_lg_u32 s8, 0\n"
      "s_cbranch_scc1 loop\ns_endpgm\n";
  EXPECT_EQ(run(text, config(1, 32), {}).end, LaunchReport::End::completed);
  std::multiset<uint8_t> counts;
  for (uint8_t c : edges) {
    if (c) counts.insert(c);
  }
  EXPECT_THAT(counts, ElementsAre(1, 255));  // the way out once, the way back 299 times
}

TEST_P(Control, ConstantsAreReadOnly) {
  HandKernel k;
  k.constants.resize(64, std::byte{9});
  const std::string load =
      "start:\n" + kBegin +
      "s_getpc_b64 s[10:11]\nhere:\ns_add_u32 s10, s10, 0x7ff000-(here-start)\n"
      "s_addc_u32 s11, s11, 0\ns_load_b32 s12, s[10:11], 0x0\n%wait%\nv_mov_b32 v2, s12\n";
  static_assert(kConstantsAt - kCodeAt == 0x7ff000);
  const Address out = rig_.buffer("out", 128);
  k.text = load + kStore;
  LaunchReport r = rig_.launch(k, config(1, 32), {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_EQ(rig_.words(out, 1)[0], 0x09090909u);
  k.text = load + "v_mov_b32 v1, 0\nglobal_store_b32 v1, v2, s[10:11]\ns_endpgm\n";
  r = rig_.launch(k, config(1, 1), {out});
  EXPECT_EQ(only(r), FindingKind::read_only_write);
}

TEST_P(Control, CodeOutlivesTheBuffers) {
  const Address out = rig_.buffer("out", 128);
  const auto object = rig_.object(HandKernel(kBegin + "v_mov_b32 v2, 4\n" + kStore));
  const auto launch = [&](uint64_t a) {
    return rig_.emulator().launch(*object, "hand", config(1, 32), std::as_bytes(std::span(&a, 1)));
  };
  EXPECT_EQ(launch(out).end, LaunchReport::End::completed);
  const Address image = rig_.buffer("beside", 64);
  rig_.emulator().memory().release_all();
  const Address again = rig_.buffer("out", 128);
  EXPECT_NE(again, image);
  EXPECT_EQ(launch(again).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.words(again, 1)[0], 4u);
  // A kernel that reads its own code still finds it.
  const LaunchReport r = run(kBegin +
                                 "s_getpc_b64 s[10:11]\ns_load_b32 s12, s[10:11], 0x0\n%wait%\n"
                                 "v_mov_b32 v2, s12\n" +
                                 kStore,
                             config(1, 32), {again});
  EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
}

// The first lane, the number of the workgroup in the grid, no more findings than asked for.
TEST_P(Control, ReportsNameThePlace) {
  HandKernel k;
  k.ids = 7;
  const std::string y = rig_.gfx12() ? "s_and_b32 s7, ttmp7, 0xffff\n" : "s_mov_b32 s7, s3\n";
  k.text = kBegin + y +
           "s_cmp_eq_u32 s7, 1\ns_cbranch_scc0 end\ns_mov_b32 exec_lo, 0xf0\nv_mov_b32 v2, 1\n"
           "global_store_b32 v1, v2, s[4:5] offset:2048\nend:\ns_endpgm\n";
  const Address out = rig_.buffer("out", 128);
  LaunchConfig c = config(1, 32);
  c.grid = {1, 2, 1};
  const LaunchReport r = rig_.launch(k, c, {out});
  EXPECT_EQ(only(r), FindingKind::oob_write);
  EXPECT_EQ(r.findings[0].at.workgroup, 1);
  EXPECT_EQ(r.findings[0].at.lane, 4);
  EXPECT_EQ(r.findings[0].offset, 2048 + 16);
  const LaunchReport u =
      run(kBegin + "s_mov_b32 exec_lo, 0xf0\nv_mov_b32 v2, v9\n" + kStore, config(1, 32), {out});
  EXPECT_EQ(only(u), FindingKind::undefined_store);
  EXPECT_EQ(u.findings[0].at.lane, 4);

  const std::string many = kBegin + kWave +
                           "v_mov_b32 v2, 1\ns_cmp_eq_u32 s6, 0\ns_cbranch_scc1 a\n"
                           "s_cmp_eq_u32 s6, 1\ns_cbranch_scc1 b\n"
                           "global_store_b32 v1, v2, s[4:5] offset:2048\ns_endpgm\n"
                           "a:\nglobal_store_b32 v1, v2, s[4:5] offset:1024\ns_endpgm\n"
                           "b:\nglobal_store_b32 v1, v2, s[4:5] offset:512\ns_endpgm\n";
  for (size_t most : {1, 2, 8}) {
    c = config(1, 96);
    c.max_findings = most;
    EXPECT_EQ(run(many, c, {out}).findings.size(), std::min<size_t>(most, 3)) << most;
  }
}

TEST_P(Control, WeakEvidenceIsListed) {
  const Address out = rig_.buffer("out", 128);
  const LaunchReport r = run(kBegin +
                                 "v_mov_b32 v2, 0\nv_dot2_f32_f16 v2, v2, v2, v2\n"
                                 "v_rcp_f32 v3, v2\nv_add_f32 v3, v2, v2\n" +
                                 kStore,
                             config(1, 32), {out});
  EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_THAT(r.inexact, testing::UnorderedElementsAre("v_dot2_f32_f16", "v_rcp_f32"));
}

TEST_P(Control, WrappingBlocksAreRefused) {
  LaunchConfig c = config(1, 1);
  c.block = {65536, 65536, 1};
  EXPECT_EQ(run("s_endpgm\n", c, {}).end, LaunchReport::End::refused);
  c.block = {1024, 1024, 4096};
  EXPECT_EQ(run("s_endpgm\n", c, {}).end, LaunchReport::End::refused);
  HandKernel k;
  k.text = "s_endpgm\n";
  k.info.max_workgroup = 64;
  EXPECT_EQ(rig_.launch(k, config(1, 64), {}).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.launch(k, config(1, 65), {}).end, LaunchReport::End::refused);
}

W4_HAND_TESTS(Control);

}  // namespace
}  // namespace w4::rdna
