// Clocks move on and end loops, the same in every run; registers of the machine; the first wave at
// a barrier.
#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

class MachineOps : public testing::TestWithParam<std::string> {};

std::vector<uint64_t> clocks(const std::string& path, Order order) {
  Rig rig(path);
  if (!rig.ok()) return {};
  const Address out = rig.output("out", 128 * 4 * 8);
  LaunchConfig c = config(2, 64);
  c.schedule.order = order;
  const LaunchReport r = rig.launch("clocks", c, out);
  EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
  return rig.read<uint64_t>(out, 128 * 4);
}

TEST_P(MachineOps, ClocksMoveOnAndAreTheSameInEveryRun) {
  const std::vector<uint64_t> t = clocks(GetParam(), Order::rr);
  ASSERT_EQ(t.size(), 512u);
  for (size_t i = 0; i < 512; i += 2) {
    EXPECT_GE(t[i + 1] - t[i], 1000u) << i;
    EXPECT_LT(t[i + 1] - t[i], 1100u) << i;
  }
  EXPECT_EQ(clocks(GetParam(), Order::rr), t);
  // A wave's clock is its own: the order in which waves run does not show.
  EXPECT_EQ(clocks(GetParam(), Order::reversed), t);
}

TEST_P(MachineOps, PlaceIsTheFirstComputeUnit) {
  Rig rig(GetParam());
  ASSERT_TRUE(rig.ok());
  const Address out = rig.output("out", 128 * 12);
  const LaunchReport r = rig.launch("place", config(2, 64), out);
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  const std::vector<uint32_t> got = rig.read<uint32_t>(out, 384);
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t wave = i % 64 / 32;
    EXPECT_EQ(got[3 * i], wave);
    EXPECT_EQ(got[3 * i + 1], wave);
    EXPECT_EQ(got[3 * i + 2], 0u);
  }
}

TEST_P(MachineOps, RegistersThatAreNotHeldAreUnsupportedByNumber) {
  Rig rig(GetParam());
  ASSERT_TRUE(rig.ok());
  const LaunchReport r = rig.launch("unknown_register", config(1, 64), rig.output("out", 256));
  EXPECT_EQ(r.end, LaunchReport::End::unsupported);
  EXPECT_NE(r.why.find("hwreg 3 cannot be read"), std::string::npos) << r.why;
}

TEST_P(MachineOps, OneWaveIsTheFirstAtABarrier) {
  for (const Order order : {Order::rr, Order::reversed}) {
    Rig rig(GetParam());
    ASSERT_TRUE(rig.ok());
    const Address out = rig.output("out", 256 * 4);
    LaunchConfig c = config(1, 256);
    c.schedule.order = order;
    const LaunchReport r = rig.launch("first_at_barrier", c, out);
    ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
    const std::vector<uint32_t> got = rig.read<uint32_t>(out, 256);
    const bool gfx12 = GetParam().find("gfx12") != std::string::npos;
    const uint32_t first = gfx12 && order == Order::reversed ? 7 : 0;
    for (uint32_t i = 0; i < 256; ++i) EXPECT_EQ(got[i], i / 32 == first ? 1u : 0u) << i;
  }
}

TEST_P(MachineOps, ComparesTakeTheNeighbourInDppForm) {
  Rig rig(GetParam());
  ASSERT_TRUE(rig.ok());
  std::vector<uint32_t> in(32);
  uint32_t want = 0;
  for (uint32_t l = 0; l < 32; ++l) {
    in[l] = l * 7 % 13;
    if (l % 16 != 0 && in[l - 1] < in[l]) want |= 1u << l;
  }
  const Address out = rig.output("out", 8);
  const LaunchReport r = rig.launch("compare_neighbours", config(1, 32), rig.input("in", in), out);
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_EQ(rig.read<uint32_t>(out, 2), (std::vector<uint32_t>{want, want}));
}

INSTANTIATE_TEST_SUITE_P(Objects, MachineOps, testing::ValuesIn(paths(W4_MACHINE_OPS)), test_name);

}  // namespace
}  // namespace w4::rdna
