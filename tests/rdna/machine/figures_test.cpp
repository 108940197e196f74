// What is counted while a launch runs, on programs small enough to count by hand.
#include "rdna/figures.h"

#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {
namespace {

// Byte addresses base + stride * lane.
std::array<uint64_t, kLanes> strided(uint64_t base, uint64_t stride) {
  std::array<uint64_t, kLanes> a;
  for (uint64_t l = 0; l < kLanes; ++l) a[l] = base + stride * l;
  return a;
}

struct Conflict {
  uint64_t stride;
  int bytes;
  uint32_t lanes;
  uint64_t cycles, least;
};

TEST(LdsModel, CyclesOfStrides) {
  const Conflict all[] =
      {
          {4, 4, ~0u, 1, 1},           // a bank a lane
          {0, 4, ~0u, 1, 1},           // one word for all
          {8, 4, ~0u, 2, 1},           // even banks, two words each
          {16, 4, ~0u, 4, 1},          // every fourth bank
          {128, 4, ~0u, 32, 1},        // one bank
          {128, 4, 0x0000000f, 4, 1},  // … of four lanes
          {132, 4, ~0u, 1, 1},         // a pad of one word
          {2, 2, ~0u, 1, 1},           // two lanes a word
          {1, 1, ~0u, 1, 1},          {8, 8, ~0u, 2, 2},   {16, 8, ~0u, 4, 2},
          {256, 8, ~0u, 32, 2},       {16, 16, ~0u, 4, 4}, {32, 16, ~0u, 8, 4},
          {16, 16, 0xff, 1, 1},        // only the first group
          {16, 16, 0x01000001, 2, 2},  // lanes of two groups
          {12, 12, ~0u, 4, 4},        {4, 4, 0, 0, 0},
      };
  for (const Conflict& c : all) {
    const auto a = strided(256, c.stride);
    const LdsCycles got = lds_cycles(a.data(), c.bytes, c.lanes);
    SCOPED_TRACE(fmt::format("stride {}, {} bytes, lanes {:#x}", c.stride, c.bytes, c.lanes));
    EXPECT_EQ(got.cycles, c.cycles);
    EXPECT_EQ(got.least, c.least);
  }
}

TEST(LdsModel, AWordAcrossTheEndOfABankIsTwo) {
  // Lane l reads bytes 4l+2 to 4l+5: words l and l+1, 33 words, bank 0 has two.
  EXPECT_EQ(lds_cycles(strided(2, 4).data(), 4, ~0u).cycles, 2u);
}

struct Line {
  uint64_t base, stride;
  int bytes;
  uint32_t lanes;
  uint64_t distinct, lines;
};

TEST(GlobalModel, BytesAndLinesOfStrides) {
  const Line all[] = {
      {0, 16, 16, ~0u, 512, 4},   // coalesced
      {16, 16, 16, ~0u, 512, 5},  // … from inside a line
      {0, 4, 4, ~0u, 128, 1},         {0, 8, 8, ~0u, 256, 2},
      {0, 128, 4, ~0u, 128, 32},  // a line a lane
      {0, 0, 4, ~0u, 4, 1},       // one place for all
      {0, 2, 4, ~0u, 66, 1},      // overlapping
      {126, 0, 4, 1, 4, 2},       // across an edge
      {0, 16, 16, 0x80000001, 32, 2}, {0, 4, 4, 0, 0, 0},
  };
  for (const Line& c : all) {
    const auto a = strided(c.base, c.stride);
    const Touched got = touched(a.data(), c.bytes, c.lanes);
    SCOPED_TRACE(fmt::format("{} + {} l, {} bytes, {:#x}", c.base, c.stride, c.bytes, c.lanes));
    EXPECT_EQ(got.bytes, c.distinct);
    EXPECT_EQ(got.lines, c.lines);
  }
}

class FiguresOf : public Hand {
 protected:
  // kBegin, then `text`; one argument, a buffer of 8 KiB.
  Figures of(const std::string& text, LaunchConfig c = config(1, 32)) {
    Figures f;
    c.figures = &f;
    HandKernel kernel(kBegin + text);
    kernel.info.static_lds = 4096;
    const LaunchReport r = rig_.launch(kernel, c, {rig_.buffer("in", 8192)});
    EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
    EXPECT_EQ(f.wave_instructions, c.confirm ? 0 : r.wave_instructions);
    return f;
  }
};

TEST_P(FiguresOf, CoalescedLoadsTouchTheirLinesAndNoMore) {
  const Figures f =
      of("v_lshlrev_b32 v3, 2, v1\n"
         "global_load_b128 v[4:7], v3, s[4:5]\n"             // 512 bytes, 4 lines
         "global_load_b128 v[8:11], v3, s[4:5] offset:16\n"  // 5 lines
         "global_load_b32 v12, v1, s[4:5] offset:2048\n"     // 1 line
         "%wait%\nglobal_store_b32 v1, v12, s[4:5] offset:2048\n"
         "s_endpgm\n");
  EXPECT_EQ(f.load.accesses, 3u);
  EXPECT_EQ(f.load.wide, 2u);
  EXPECT_EQ(f.load.asked, 512u + 512 + 128);
  EXPECT_EQ(f.load.bytes, 512u + 512 + 128);
  EXPECT_EQ(f.load.lines, 10u);
  EXPECT_EQ(f.load.least_lines, 9u);
  EXPECT_EQ(f.store.accesses, 1u);
  EXPECT_EQ(f.store.bytes, 128u);
  EXPECT_EQ(f.store.lines, 1u);
  EXPECT_EQ(f.distinct_lines(), 6u);      // 5 at the beginning, one at 2048
  EXPECT_EQ(f.scalar_load.accesses, 0u);  // the argument is no memory of the launch
  EXPECT_EQ(f.launches, 1u);
  EXPECT_EQ(f.workgroups, 1u);
  EXPECT_EQ(f.waves, 1u);
}

TEST_P(FiguresOf, ScatteredAndRepeatedLanes) {
  const Figures f =
      of("v_lshlrev_b32 v3, 5, v1\n"         // 128 bytes a lane
         "global_load_u16 v4, v3, s[4:5]\n"  // a line a lane
         "v_and_b32 v3, 0x60, v1\n"          // 8 lanes a place, 32 bytes apart
         "global_load_u16 v5, v3, s[4:5]\n"
         "s_load_b64 s[8:9], s[4:5], 0x100\n"
         "s_endpgm\n");
  EXPECT_EQ(f.load.asked, 128u);
  EXPECT_EQ(f.load.bytes, 64u + 8);
  EXPECT_EQ(f.load.lines, 32u + 1);
  EXPECT_EQ(f.load.least_lines, 2u);
  EXPECT_EQ(f.scalar_load.bytes, 8u);
  EXPECT_EQ(f.scalar_load.lines, 1u);
  EXPECT_EQ(f.distinct_lines(), 32u);
}

TEST_P(FiguresOf, BankConflictsOfStrides) {
  const Figures f =
      of("v_lshlrev_b32 v3, 1, v1\nv_lshlrev_b32 v4, 2, v1\n"
         "ds_store_b32 v1, v1\n"                      // 1 of 1
         "ds_load_b32 v5, v3\n"                       // stride 2: 2 of 1
         "ds_load_b128 v[8:11], v4\n"                 // 4 of 4
         "ds_load_2addr_b32 v[6:7], v1 offset1:64\n"  // twice 1 of 1
         "ds_swizzle_b32 v12, v1 offset:0x1f\n"       // no LDS
         "s_endpgm\n");
  EXPECT_EQ(f.lds.accesses, 5u);
  EXPECT_EQ(f.lds.wide, 1u);
  EXPECT_EQ(f.lds.cycles, 1u + 2 + 4 + 2);
  EXPECT_EQ(f.lds.least_cycles, 1u + 1 + 4 + 2);
}

TEST_P(FiguresOf, LanesThatAreOffAskForNothing) {
  const Figures f =
      of("s_mov_b32 exec_lo, 3\nds_load_b32 v5, v1\nglobal_load_b32 v6, v1, s[4:5]\n"
         "s_mov_b32 exec_lo, 0\nds_load_b32 v5, v1\nglobal_load_b32 v6, v1, s[4:5]\ns_endpgm\n");
  EXPECT_EQ(f.lds.accesses, 1u);
  EXPECT_EQ(f.load.accesses, 1u);
  EXPECT_EQ(f.load.bytes, 8u);
}

TEST_P(FiguresOf, BarriersDotsAndMatrices) {
  const std::string barrier =
      rig_.gfx12() ? "s_barrier_signal -1\ns_barrier_wait -1\n" : "s_barrier\n";
  const std::string wmma = rig_.gfx12()
                               ? "v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[16:19], v[8:15]\n"
                               : "v_wmma_f32_16x16x16_f16 v[8:15], v[16:23], v[16:23], v[8:15]\n";
  // gfx12 has no dual form of dot2.
  const std::string dual = rig_.gfx12()
                               ? "v_dot2_f32_f16 v3, v2, v1, v3\n"
                               : "v_dual_mov_b32 v4, v1 :: v_dual_dot2acc_f32_f16 v3, v2, v1\n";
  const Figures f =
      of(barrier + barrier + wmma + "v_dot2_f32_f16 v2, v1, v1, v2\n" + dual + "s_endpgm\n",
         config(3, 64));
  EXPECT_EQ(f.workgroups, 3u);
  EXPECT_EQ(f.waves, 6u);
  EXPECT_EQ(f.barriers, 12u);
  EXPECT_EQ(f.wmma, 6u);
  EXPECT_EQ(f.dot2, 12u);
}

TEST_P(FiguresOf, ConfirmingRunsAreNotCounted) {
  LaunchConfig c = config(1, 32);
  c.confirm = true;
  const Figures f = of("ds_load_b32 v5, v1\ns_endpgm\n", c);
  EXPECT_EQ(f.launches, 0u);
  EXPECT_EQ(f.lds.accesses, 0u);
}

W4_HAND_TESTS(FiguresOf);

}  // namespace
}  // namespace w4::rdna
