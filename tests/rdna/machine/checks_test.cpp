// The checks on hand-written kernels: registers of which only some bits are defined.
#include "tests/rdna/machine/checked.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

class Checks : public Checked {};

// v9 is never written; the masks of v_and say which of its bits are undefined.
TEST_P(Checks, BitsThatAStoreTakes) {
  const LaunchConfig c = config(1, 32);
  const auto with = [](const char* defined, const std::string& rest) {
    return "v_and_b32 v5, " + std::string(defined) + ", v9\n" + rest + "s_endpgm\n";
  };
  // Zeros of the mask are known. Of a word, the byte or half that is stored must be.
  expect_clean(with("0xff00ffff", "global_store_d16_hi_b8 v1, v5, s[4:5]\n"), c, false);
  expect_clean(with("0xffffff00", "global_store_b8 v1, v5, s[4:5]\n"), c, false);
  expect_clean(with("0x0000ffff", "global_store_d16_hi_b16 v1, v5, s[4:5]\n"), c);
  expect_clean(with("0xffff0000", "global_store_b16 v1, v5, s[4:5]\n"), c);
  for (const char* store : {"global_store_d16_hi_b8", "global_store_d16_hi_b16"})
    expect(FindingKind::undefined_store,
           with("0xffff0000", std::string(store) + " v1, v5, s[4:5]\n"), c);
  for (const char* store : {"global_store_b8", "global_store_b16", "global_store_b32"})
    expect(FindingKind::undefined_store,
           with("0x0000ffff", std::string(store) + " v1, v5, s[4:5]\n"), c);
  // Through LDS, byte by byte.
  const std::string back = "%wait%\nds_load_u8 v2, v1 offset:1\n%wait%\n" + kStore;
  expect_clean(with("0xffff00ff", "ds_store_b32 v1, v5\n" + back), c, false);
  expect(FindingKind::undefined_store, with("0x0000ff00", "ds_store_b32 v1, v5\n" + back), c);
}

TEST_P(Checks, HalvesThroughLds) {
  const LaunchConfig c = config(1, 32);
  const std::string low = "v_and_b32 v5, 0xffff0000, v9\n", high = "v_and_b32 v5, 0xffff, v9\n";
  const std::string move = "ds_store_b32 v1, v5\n%wait%\n";
  const std::string load_low = "ds_load_u16 v2, v1\n%wait%\n",
                    load_high = "ds_load_u16 v2, v1 offset:2\n%wait%\n";
  expect_clean(low + move + load_low + kStore, c);
  expect_clean(high + move + load_high + kStore, c);
  expect(FindingKind::undefined_store, high + move + load_low + kStore, c);
  expect(FindingKind::undefined_store, low + move + load_high + kStore, c);
  expect_clean(high + "ds_store_b16_d16_hi v1, v5\n%wait%\n" + load_low + kStore, c);
  expect(FindingKind::undefined_store,
         low + "ds_store_b16_d16_hi v1, v5\n%wait%\n" + load_low + kStore, c);
  // A load into one half leaves the other as it was.
  expect(
      FindingKind::undefined_store,
      "v_mov_b32 v3, 0\nds_store_b32 v1, v3\n%wait%\nds_load_u16_d16_hi v2, v1\n%wait%\n" + kStore,
      c);
  expect_clean(
      "v_mov_b32 v3, 0\nds_store_b32 v1, v3\nv_mov_b32 v2, 0\n%wait%\n"
      "ds_load_u16_d16_hi v2, v1\n%wait%\n" +
          kStore,
      c);
}

TEST_P(Checks, ScratchKeepsWordsApart) {
  HandKernel k;
  k.info.scratch_bytes = 32;
  const auto run = [&](const char* undefined, const char* loaded) {
    k.text = kBegin +
             "v_mov_b32 v4, 0\nv_mov_b32 v5, 0\nv_mov_b32 v6, 0\nv_mov_b32 v7, 0\nv_mov_b32 " +
             undefined +
             ", v9\nv_mov_b32 v10, 4\ns_mov_b32 s8, 4\n"
             "scratch_store_b128 v10, v[4:7], s8\n%wait%\n"
             "scratch_load_b128 v[12:15], off, s8 offset:4\n%wait%\nv_mov_b32 v2, " +
             loaded + "\n" + kStore;
    return rig_.launch(k, config(1, 32), {rig_.buffer("out", 128)});
  };
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const LaunchReport r =
          run(("v" + std::to_string(4 + i)).c_str(), ("v" + std::to_string(12 + j)).c_str());
      EXPECT_EQ(r.findings.size(), i == j ? 1u : 0u) << i << " " << j << what(r);
    }
  }
}

// Flow that only the confirming run knows, and flow that both must not forget.
TEST_P(Checks, UndefinedBitsOfArithmetic) {
  const LaunchConfig c = config(1, 32);
  const std::string low = "v_lshlrev_b32 v5, 8, v9\n";  // bits 0-7 are known zeros
  const std::string byte = "global_store_b8 v1, v2, s[4:5]\ns_endpgm\n";
  expect_clean(low + "v_add_nc_u32_e64 v2, v5, v1\n" + byte, c, false);
  expect(FindingKind::undefined_store, low + "v_add_nc_u32_e64 v2, v5, v1 clamp\n" + byte, c);
  expect(FindingKind::undefined_store, "v_fmac_f32 v9, v1, v1\nv_mov_b32 v2, v9\n" + kStore, c);
  // Where both choices of a bit are the same, the mask does not matter.
  expect_clean("v_bfi_b32 v2, v9, v1, v1\n" + kStore, c);
  expect(FindingKind::undefined_store, "v_bfi_b32 v2, v9, v1, v0\n" + kStore, c);
  // Bits of the half that a 16-bit result leaves alone.
  expect_clean(
      "v_and_b32 v5, 0xff00ffff, v9\nv_fma_mixlo_f16 v5, v1, v1, v1 op_sel_hi:[1,0,0]\n"
      "global_store_d16_hi_b8 v1, v5, s[4:5]\ns_endpgm\n",
      c, false);
  // The working row of DPP is no register of the kernel.
  expect_clean(
      "v_mov_b32_dpp v3, v9 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
      "v_mov_b32 v2, v0\n" +
          kStore,
      c);
}

// v5 has one undefined half; each form reads one half, or both.
TEST_P(Checks, HalvesOfSources) {
  const LaunchConfig c = config(1, 32);
  const std::string low = "v_and_b32 v5, 0xffff0000, v9\n", high = "v_and_b32 v5, 0xffff, v9\n";
  const auto clean = [&](const std::string& text) { expect_clean(text + "\n" + kStore, c); };
  const auto fault = [&](const std::string& text) {
    expect(FindingKind::undefined_store, text + "\n" + kStore, c);
  };
  for (const auto& [only, op_sel] :
       {std::pair(low, "op_sel_hi:[0,1,1]"), std::pair(high, "op_sel:[1,0,0]")}) {
    clean(only + "v_dot2_f32_f16 v2, v5, v1, v1 " + op_sel);
    fault(only + "v_dot2_f32_f16 v2, v5, v1, v1");
    fault(only + "v_dot2_f32_f16 v2, v1, v5, v1");
    fault(only + "v_dot2_f32_f16 v2, v1, v1, v5");
    fault(only + "v_fma_mix_f32 v2, v5, v1, v1");
    fault(only + "v_fma_mix_f32 v2, v1, v1, v5");
  }
  clean(low + "v_pk_add_f16 v2, v5, v1 op_sel_hi:[0,1]");
  clean(high + "v_pk_add_f16 v2, v5, v1 op_sel:[1,0]");
  fault(low + "v_pk_add_f16 v2, v5, v1");
  clean(low + "v_fma_mix_f32 v2, v5, v1, v1 op_sel_hi:[1,0,0]");
  fault(low + "v_fma_mix_f32 v2, v5, v1, v1 op_sel:[1,0,0] op_sel_hi:[1,0,0]");
  clean(low + "v_pack_b32_f16 v2, v5, v5");
  fault(low + "v_pack_b32_f16 v2, v5, v5 op_sel:[0,1,0]");
  const std::string bits = "\nv_mov_b32 v2, s10";
  clean(low + "v_cmp_eq_f16 s10, v5, v5" + bits);
  fault(high + "v_cmp_eq_f16 s10, v5, v5" + bits);
  if (GetParam() != std::string_view("gfx1100")) {  // scalar floats came with gfx11.5
    clean("s_and_b32 s8, s9, 0xffff\ns_cvt_hi_f32_f16 s10, s8" + bits);
    fault("s_and_b32 s8, s9, 0xffff0000\ns_cvt_hi_f32_f16 s10, s8" + bits);
    clean("s_and_b32 s8, s9, 0xffff0000\ns_cvt_f32_f16 s10, s8" + bits);
    fault("s_and_b32 s8, s9, 0xffff\ns_cvt_f32_f16 s10, s8" + bits);
  }
  // One half of the result; the other stays what it was.
  expect_clean("v_fma_mixhi_f16 v9, v1, v1, v1\nglobal_store_d16_hi_b16 v1, v9, s[4:5]\ns_endpgm\n",
               c);
  fault("v_fma_mixhi_f16 v9, v1, v1, v1\nv_mov_b32 v2, v9");
  expect_clean("v_fma_mixlo_f16 v9, v1, v1, v1\nglobal_store_b16 v1, v9, s[4:5]\ns_endpgm\n", c);
  clean("v_fma_mixlo_f16 v9, v1, v1, v1\nv_fma_mixhi_f16 v9, v1, v1, v1\nv_mov_b32 v2, v9");
}

TEST_P(Checks, LanesOfMasks) {
  const LaunchConfig c = config(1, 32);
  const auto clean = [&](const std::string& text) { expect_clean(text + "\n" + kStore, c); };
  const auto fault = [&](const std::string& text) {
    return expect(FindingKind::undefined_store, text + "\n" + kStore, c);
  };
  // Lane l counts the bits below l: bits 0-15 are known.
  const std::string mask = "s_and_b32 s9, s9, 0xffff0000\nv_mbcnt_lo_u32_b32 v2, s9, 0\n";
  clean(mask + "s_mov_b32 exec_lo, 0x1ffff");
  EXPECT_EQ(fault(mask).at.lane, 17);
  fault("v_mbcnt_lo_u32_b32 v2, -1, v9");
  clean("v_swap_b32 v9, v1\nv_mov_b32 v2, v9\nv_mov_b32 v1, 0\ns_mov_b32 exec_lo, 1");
  fault("v_mov_b32 v3, 1\nv_swap_b32 v9, v3\nv_mov_b32 v2, v3");
  clean("v_mov_b32 v2, 1\nv_writelane_b32 v2, s4, 3");
  EXPECT_EQ(fault("v_mov_b32 v2, 1\nv_writelane_b32 v2, s9, 3").at.lane, 3);
  // A compare gives known zeros for inactive lanes.
  clean(
      "s_mov_b32 s8, exec_lo\ns_mov_b32 exec_lo, 0xff\nv_cmp_eq_u32 s9, 0, v1\n"
      "s_mov_b32 exec_lo, s8\nv_mov_b32 v2, s9");
  fault("v_mov_b32 v2, 1\nv_cmp_eq_u32 s9, 0, v9\nv_mov_b32 v2, s9");
  expect(FindingKind::undefined_exec, "v_cmpx_eq_u32 0, v9\ns_endpgm\n", c);
  expect(FindingKind::undefined_exec, "s_and_b32 exec_lo, exec_lo, s9\ns_endpgm\n", c);
  // The mask of a select decides by lane.
  const std::string select = "v_mov_b32 v3, 1\nv_cndmask_b32 v2, ";
  clean("s_mov_b32 vcc_lo, 0\n" + select + "v3, v9, vcc_lo");
  clean("s_mov_b32 vcc_lo, -1\n" + select + "v9, v3, vcc_lo");
  fault("s_mov_b32 vcc_lo, 0\n" + select + "v9, v3, vcc_lo");
  fault("s_mov_b32 vcc_lo, s9\n" + select + "v3, v3, vcc_lo");
  EXPECT_EQ(fault("s_mov_b32 vcc_lo, 0x10\n" + select + "v3, v9, vcc_lo").at.lane, 4);
  fault(
      "v_mov_b32 v3, 0\nv_mov_b32 v4, 0\ns_mov_b32 vcc_lo, s9\n"
      "v_div_fmas_f64 v[5:6], v[3:4], v[3:4], v[3:4]\nv_mov_b32 v2, v5");
  fault("s_mov_b32 vcc_lo, s9\nv_div_fmas_f32 v2, v1, v1, v1");
  // Carries.
  fault("s_mov_b32 vcc_lo, s9\nv_add_co_ci_u32 v2, vcc_lo, v1, v1, vcc_lo");
  clean("s_mov_b32 vcc_lo, 0\nv_add_co_ci_u32 v2, vcc_lo, v1, v1, vcc_lo");
}

// VOPD: the second half reads what was there before, value and definedness.
TEST_P(Checks, DualHalves) {
  const LaunchConfig c = config(1, 32);
  const std::string dual = "v_mov_b32 v3, 1\nv_dual_mov_b32 v4, v3 :: v_dual_mov_b32 v7, v4\n";
  expect_clean("v_mov_b32 v4, 5\n" + dual + "v_mov_b32 v2, v7\n" + kStore, c);
  expect(FindingKind::undefined_store, dual + "v_mov_b32 v2, v7\n" + kStore, c);
  expect_clean(dual + "v_mov_b32 v2, v4\n" + kStore, c);
  const std::string upper = "v_lshrrev_b32 v2, 16, v7\n", lower = "v_and_b32 v2, 0xffff, v7\n";
  expect(FindingKind::undefined_store, "v_and_b32 v4, 0xffff0000, v9\n" + dual + upper + kStore, c);
  expect(FindingKind::undefined_store, "v_and_b32 v4, 0xffff, v9\n" + dual + lower + kStore, c);
  expect_clean("v_and_b32 v4, 0xffff0000, v9\n" + dual + lower + kStore, c);
  const Address out = rig_.buffer("out", 128);
  const LaunchReport r =
      run(kBegin + "v_mov_b32 v4, 5\n" + dual + "v_mov_b32 v2, v7\n" + kStore, c, {out});
  EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_EQ(rig_.words(out, 1)[0], 5u);
}

TEST_P(Checks, BirthOfACondition) {
  const Finding f =
      expect(FindingKind::undefined_branch,
             "s_cmp_eq_u32 s9, 0\ns_cbranch_scc1 end\ns_nop 0\nend:\ns_endpgm\n", config(1, 32));
  EXPECT_THAT(f.born, HasSubstr("s9 was never written"));
  const Finding v = expect(
      FindingKind::undefined_branch,
      "v_cmp_eq_u32 vcc_lo, 1, v9\ns_cbranch_vccnz end\ns_nop 0\nend:\ns_endpgm\n", config(1, 32));
  EXPECT_THAT(v.born, HasSubstr("v9 was never written"));
}

TEST_P(Checks, RelativeRegisters) {
  const LaunchConfig c = config(1, 32);
  const auto source = [](int m0) {
    return "s_mov_b32 m0, " + std::to_string(m0) + "\nv_mov_b32 v31, 5\nv_movrels_b32 v2, v2\n" +
           kStore;
  };
  expect_clean(source(29), c);  // v31, the last of the kernel
  EXPECT_EQ(checked(source(30), false, c).end, LaunchReport::End::unsupported);
  expect(FindingKind::undefined_address, "v_movrels_b32 v2, v1\n" + kStore, c);
}

W4_HAND_TESTS(Checks);

}  // namespace
}  // namespace w4::rdna
