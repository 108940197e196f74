// What lanes get from lanes that are inactive: zero, their own old value or the value all the same,
// as each instruction has it.
#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {
namespace {

class InactiveLanes : public Hand {
 protected:
  // v5 is the lane's number + 100, v2 is 7; `move` runs in lanes 0-15 alone. What those then have.
  std::vector<uint32_t> moved(const std::string& move) {
    const std::string text = kBegin +
                             "v_mbcnt_lo_u32_b32 v5, -1, 0\nv_xor_b32 v6, 16, v5\n"
                             "v_lshlrev_b32 v6, 2, v6\nv_add_nc_u32 v5, 0x64, v5\nv_mov_b32 v2, 7\n"
                             "s_mov_b32 s8, 0x76543210\ns_mov_b32 s9, 0xfedcba98\n"
                             "s_mov_b32 exec_lo, 0xffff\n" +
                             move + "\n%wait%\n" + kStore;
    LaunchConfig c = config(1, 32);
    c.checks = 0;
    const Address out = rig_.buffer("out", 128);
    const LaunchReport r = run(text, c, {out});
    EXPECT_EQ(r.end, LaunchReport::End::completed) << move << what(r);
    return rig_.words(out, 16);
  }
  static std::vector<uint32_t> all(uint32_t x) { return std::vector<uint32_t>(16, x); }
  static std::vector<uint32_t> from(uint32_t first) {
    std::vector<uint32_t> v(16);
    for (uint32_t i = 0; i < 16; ++i) v[i] = first + i;
    return v;
  }
};

TEST_P(InactiveLanes, GiveZeroThroughTheLdsCrossbar) {
  EXPECT_EQ(moved("ds_bpermute_b32 v2, v6, v5"), all(0));
  EXPECT_EQ(moved("v_xor_b32 v6, 64, v6\nds_bpermute_b32 v2, v6, v5"), from(100));
  EXPECT_EQ(moved("ds_swizzle_b32 v2, v5 offset:swizzle(SWAP,16)"), all(0));
  EXPECT_EQ(moved("ds_swizzle_b32 v2, v5 offset:swizzle(BROADCAST,32,3)"), all(103));
  // Pushed to lanes that are inactive: nobody sends to these.
  EXPECT_EQ(moved("ds_permute_b32 v2, v6, v5"), all(0));
}

TEST_P(InactiveLanes, LeaveTheOldValueOfAPermlane) {
  EXPECT_EQ(moved("v_permlanex16_b32 v2, v5, s8, s9"), all(7));
  EXPECT_EQ(moved("v_permlanex16_b32 v2, v5, s8, s9 op_sel:[1,0]"), from(116));
  EXPECT_EQ(moved("v_permlanex16_b32 v2, v5, s8, s9 op_sel:[0,1]"), all(0));
  EXPECT_EQ(moved("v_permlane16_b32 v2, v5, s8, s9"), from(100));
}

TEST_P(InactiveLanes, AreOutsideForDpp) {
  EXPECT_EQ(moved("v_mov_b32_dpp v2, v5 row_share:3 row_mask:0xf bank_mask:0xf"), all(103));
  EXPECT_EQ(moved("s_mov_b32 exec_lo, 0xfff7\nv_mov_b32_dpp v2, v5 row_share:3 row_mask:0xf "
                  "bank_mask:0xf\ns_mov_b32 exec_lo, 0xffff"),
            all(7));
  EXPECT_EQ(moved("s_mov_b32 exec_lo, 0xfff7\nv_mov_b32_dpp v2, v5 row_share:3 row_mask:0xf "
                  "bank_mask:0xf fi:1\ns_mov_b32 exec_lo, 0xffff")[5],
            103u);
  const auto zeros = moved(
      "s_mov_b32 exec_lo, 0xfff7\nv_mov_b32_dpp v2, v5 row_share:3 row_mask:0xf "
      "bank_mask:0xf bound_ctrl:1\ns_mov_b32 exec_lo, 0xffff");
  EXPECT_EQ(zeros[5], 0u);
  EXPECT_EQ(zeros[3], 7u);
}

W4_HAND_TESTS(InactiveLanes);

}  // namespace
}  // namespace w4::rdna
