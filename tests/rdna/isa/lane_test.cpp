// Instructions that move values between lanes, SGPRs and registers chosen by M0.
#include <random>

#include "rdna/isa/dpp.h"
#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

TEST(VOP1, ReadFirstLane) {
  Bench b;
  for (u32 l = 0; l < kLanes; ++l) b.v[0].v[l] = 1000 + l;
  b.lo[0] = ~0x10u;
  for (u32 e : {0xfffffff0u, 0x80000000u, ~0u, 0u}) {
    b.w.s[kExec] = e;
    b.run("v_readfirstlane_b32", {Bench::sgpr(5)}, {Bench::vgpr(0)});
    const u32 first = e ? static_cast<u32>(__builtin_ctz(e)) : 0;  // of none: lane 0
    EXPECT_TRUE(result_is("v_readfirstlane_b32", b.w.s[5], 1000 + first));
    EXPECT_EQ(b.w.sdef[5], first == 4 ? 0xffff0000u : ~0u);
  }
}

TEST(VOP3, ReadAndWriteLanes) {
  Bench b;
  for (u32 l = 0; l < kLanes; ++l) b.v[0].v[l] = 1000 + l;
  b.w.s[kExec] = 0xfffffff0;  // ignored
  for (u32 lane = 0; lane < 70; ++lane) {
    b.w.s[6] = lane;  // lane numbers wrap
    b.run("v_readlane_b32", {Bench::sgpr(5)}, {Bench::vgpr(0), Bench::sgpr(6)});
    EXPECT_TRUE(result_is("v_readlane_b32", b.w.s[5], 1000 + lane % 32));
    EXPECT_EQ(b.w.sdef[5], ~0u);
    Lanes want = b.v[4];
    want.v[lane % 32] = b.w.s[7] = 77 * lane;
    b.lo[4] = b.hi[4] = 0;
    b.run("v_writelane_b32", {Bench::vgpr(4)}, {Bench::sgpr(7), Bench::sgpr(6)});
    for (int l = 0; l < kLanes; ++l)
      EXPECT_TRUE(result_is("v_writelane_b32", b.v[4].v[l], want.v[l]));
    EXPECT_EQ(b.lo[4], 1u << lane % 32);
  }
}

struct Permlane {
  const char* mnemonic;
  bool other_row, per_lane;
};
const Permlane kPermlanes[] = {{"v_permlane16_b32", false, false},
                               {"v_permlanex16_b32", true, false},
                               {"v_permlane16_var_b32", false, true},
                               {"v_permlanex16_var_b32", true, true}};

// D[l] = S0[row(l) + selector(l)]; an inactive source lane is read with fi, gives 0 with
// bound_ctrl, and leaves the destination else.
TEST(VOP3, PermlanesEqualTheirReference) {
  std::mt19937_64 rng(23);
  for (const Permlane& p : kPermlanes) {
    for (int round = 0; round < 200; ++round) {
      Bench b;
      for (int r = 0; r < 5; ++r) {
        for (u32& x : b.v[r].v) x = static_cast<u32>(rng());
      }
      const u64 selectors = rng();
      b.w.s[2] = static_cast<u32>(selectors);
      b.w.s[3] = static_cast<u32>(selectors >> 32);
      const u32 e = b.w.s[kExec] = round % 2 ? ~0u : static_cast<u32>(rng());
      const bool fi = rng() & 1, bound = rng() & 1;
      const Lanes old = b.v[4];
      Op op;
      op.ndst = 1;
      op.dst[0] = Bench::vgpr(4);
      op.nsrc = p.per_lane ? 2 : 3;
      op.src[0] = Bench::vgpr(0, fi ? kOpSel0 : 0);
      op.src[1] = p.per_lane ? Bench::vgpr(1) : Bench::sgpr(2);
      op.src[1].mods = bound ? kOpSel0 : 0;
      op.src[2] = Bench::sgpr(3);
      b.run(p.mnemonic, op);
      for (int l = 0; l < kLanes; ++l) {
        const u64 in_row = p.per_lane ? b.v[1].v[l] % 16 : selectors >> (4 * (l % 16)) & 15;
        const int row = p.other_row ? 1 - l / 16 : l / 16;
        const int from = 16 * row + static_cast<int>(in_row);
        u32 want = old.v[l];
        if (e >> l & 1) want = fi || (e >> from & 1) ? b.v[0].v[from] : bound ? 0 : want;
        ASSERT_TRUE(result_is(p.mnemonic, b.v[4].v[l], want)) << "lane " << l;
      }
    }
  }
}

TEST(VOP3, PermlaneDefinedness) {
  for (const Permlane& p : kPermlanes) {
    Bench b;
    for (u32 l = 0; l < kLanes; ++l) b.v[1].v[l] = l % 16;
    b.w.s[2] = 0x76543210;
    b.w.s[3] = 0xfedcba98;
    b.lo[0] = ~(1u << 19);
    Op op;
    op.ndst = 1;
    op.dst[0] = Bench::vgpr(4);
    op.nsrc = p.per_lane ? 2 : 3;
    op.src[0] = Bench::vgpr(0);
    op.src[1] = p.per_lane ? Bench::vgpr(1) : Bench::sgpr(2);
    op.src[2] = Bench::sgpr(3);
    b.run(p.mnemonic, op);
    EXPECT_EQ(b.lo[4], ~(p.other_row ? 8u : 1u << 19)) << p.mnemonic;
    EXPECT_EQ(b.hi[4], ~0u);
  }
}

TEST(VOP3, MbcntCountsTheLanesBelow) {
  std::mt19937_64 rng(24);
  for (int round = 0; round < 100; ++round) {
    Bench b;
    const u32 mask = b.w.s[4] = static_cast<u32>(rng());
    for (u32& x : b.v[1].v) x = static_cast<u32>(rng());
    b.run("v_mbcnt_lo_u32_b32", {Bench::vgpr(4)}, {Bench::sgpr(4), Bench::vgpr(1)});
    b.run("v_mbcnt_hi_u32_b32", {Bench::vgpr(5)}, {Bench::sgpr(4), Bench::vgpr(1)});
    u32 below = 0;
    for (int l = 0; l < kLanes; ++l) {
      ASSERT_TRUE(result_is("v_mbcnt_lo_u32_b32", b.v[4].v[l], b.v[1].v[l] + below));
      // All lanes of wave32 lie below the high half of the mask.
      ASSERT_TRUE(result_is("v_mbcnt_hi_u32_b32", b.v[5].v[l], b.v[1].v[l]));
      below += mask >> l & 1;
    }
  }
  Bench b;
  b.w.sdef[4] = 0xff;  // lanes 0-8 need bits 0-7 only
  b.run("v_mbcnt_lo_u32_b32", {Bench::vgpr(4)}, {Bench::sgpr(4), b.constant(0)});
  EXPECT_EQ(b.lo[4], 0x1ffu);
}

TEST(VOP1, Swap) {
  Bench b;
  for (u32 l = 0; l < kLanes; ++l) {
    b.v[1].v[l] = 10 + l;
    b.v[2].v[l] = 100 + l;
  }
  b.lo[1] = 0;
  b.w.s[kExec] = 0x0f0f;
  b.run("v_swap_b32", {Bench::vgpr(1), Bench::vgpr(2)}, {});
  for (u32 l = 0; l < kLanes; ++l) {
    const bool active = 0x0f0f >> l & 1;
    EXPECT_TRUE(result_is("v_swap_b32", b.v[1].v[l], (active ? 100 : 10) + l));
    EXPECT_TRUE(result_is("v_swap_b32", b.v[2].v[l], (active ? 10 : 100) + l));
  }
  EXPECT_EQ(b.lo[1], 0x0f0fu);
  EXPECT_EQ(b.lo[2], ~0x0f0fu);
}

TEST(VOP1, RelativeMoves) {
  for (u32 m0 = 0; m0 < 4; ++m0) {
    Bench b;
    for (u32 r = 0; r < 12; ++r) {
      for (u32 l = 0; l < kLanes; ++l) b.v[r].v[l] = 100 * r + l;
    }
    b.w.s[kM0] = m0;
    b.w.s[kExec] = 0xffff;
    b.run("v_movrels_b32", {Bench::vgpr(11)}, {Bench::vgpr(1)});
    b.run("v_movreld_b32", {Bench::vgpr(6)}, {Bench::vgpr(0)});
    for (u32 l = 0; l < kLanes; ++l) {
      const bool active = l < 16;
      EXPECT_TRUE(result_is("v_movrels_b32", b.v[11].v[l], (active ? 100 * (1 + m0) : 1100) + l));
      EXPECT_TRUE(result_is("v_movreld_b32", b.v[6 + m0].v[l], (active ? 0 : 100 * (6 + m0)) + l));
    }
  }
  Bench b;
  b.w.s[kM0] = kRegs;  // outside the allocation: never a wild access
  b.run("v_movrels_b32", {Bench::vgpr(5)}, {Bench::vgpr(1)});
  EXPECT_EQ(reports().unsupported.size(), 1u);
}

TEST(Dpp, Sources) {
  EXPECT_EQ(dpp_source(0xb1, 0), 1);  // quad_perm:[1,0,3,2]
  EXPECT_EQ(dpp_source(0xb1, 31), 30);
  EXPECT_EQ(dpp_source(0x101, 0), 1);  // row_shl:1
  EXPECT_EQ(dpp_source(0x101, 15), -1);
  EXPECT_EQ(dpp_source(0x118, 24), 16);  // row_shr:8
  EXPECT_EQ(dpp_source(0x118, 23), -1);
  EXPECT_EQ(dpp_source(0x121, 16), 31);  // row_ror:1
  EXPECT_EQ(dpp_source(0x140, 17), 30);  // row_mirror
  EXPECT_EQ(dpp_source(0x141, 17), 22);  // row_half_mirror
  EXPECT_EQ(dpp_source(0x15f, 3), 15);   // row_share:15
  EXPECT_EQ(dpp_source(0x161, 4), 5);    // row_xmask:1
  EXPECT_EQ(dpp_source(0x130, 4), -2);   // wave_shl: gone since gfx10
  EXPECT_EQ(dpp8_source(0x00fac688u, 9), 8 + 1);
}

}  // namespace
}  // namespace w4::rdna::test
