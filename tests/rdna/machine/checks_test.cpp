// The checks on hand-written kernels: registers of which only some bits are defined, accesses in an
// order that compilers do not give, and the epochs of the LDS shadow.
#include "rdna/workgroup.h"
#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

class Checks : public Hand {
 protected:
  std::string group() const { return rig_.gfx12() ? "ttmp9" : "s2"; }
  static constexpr const char* kWave =
      "v_readfirstlane_b32 s6, v0\ns_bfe_u32 s6, s6, 0x50005\n";  // s6: number of the wave

  // What the fast run (or the confirming one) finds in a kernel with 1 KiB of LDS.
  LaunchReport checked(const std::string& text, bool confirm, const LaunchConfig& config) {
    HandKernel k;
    k.info.static_lds = 1024;
    k.text = kBegin + kWave + text;
    LaunchConfig c = config;
    c.confirm = confirm;
    return rig_.launch(k, c, {rig_.buffer("out", 4096)});
  }
  void expect_clean(const std::string& text, const LaunchConfig& c, bool fast_too = true) {
    for (bool confirm : {true, false}) {
      if (!confirm && !fast_too) continue;
      const LaunchReport r = checked(text, confirm, c);
      EXPECT_EQ(r.end, LaunchReport::End::completed) << text << what(r);
    }
  }
  Finding expect(FindingKind kind, const std::string& text, const LaunchConfig& c) {
    Finding last;
    for (bool confirm : {false, true}) {
      const LaunchReport r = checked(text, confirm, c);
      EXPECT_EQ(r.findings.size(), 1u) << text << what(r);
      if (r.findings.empty()) return last;
      last = r.findings[0];
      EXPECT_EQ(last.kind, kind) << text << to_string(last);
    }
    return last;
  }
};

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

// Waves run one after another here, highest first: what one did is seen by the next.
TEST_P(Checks, ReadersOfLds) {
  LaunchConfig c = config(1, 96);
  c.schedule.order = Order::reversed;
  const auto by_wave = [](const std::string& two, const std::string& one, const std::string& zero) {
    return "v_mov_b32 v8, 0\ns_mov_b32 exec_lo, 1\ns_cmp_eq_u32 s6, 2\ns_cbranch_scc0 one\n" + two +
           "s_endpgm\none:\ns_cmp_eq_u32 s6, 1\ns_cbranch_scc0 zero\n" + one + "s_endpgm\nzero:\n" +
           zero + "s_endpgm\n";
  };
  for (const char* load :
       {"ds_load_b32 v4, v8\n", "ds_load_b128 v[4:7], v8\n", "ds_load_u8 v4, v8\n"}) {
    for (const char* store : {"ds_store_b32 v8, v8\n", "ds_store_b8 v8, v8\n"}) {
      // Nobody wrote before: a write after another wave's read.
      Finding f = expect(FindingKind::lds_race, by_wave(load, "", store), c);
      ASSERT_TRUE(f.other.has_value());
      EXPECT_EQ(f.other->wave, 2) << load;
      expect_clean(by_wave("", "", std::string(load) + store), c);
      // The reader that comes last is the one that writes: the other one counts.
      f = expect(FindingKind::lds_race, by_wave("", load, std::string(load) + load + store), c);
      EXPECT_EQ(f.other->wave, 1) << load;
      EXPECT_THAT(f.other->instruction, HasSubstr("ds_load")) << load;
      expect(FindingKind::lds_race, by_wave(load, load, store), c);
    }
  }
  // One reader is named, of several none by the fast run.
  const char* quad = "ds_load_b128 v[4:7], v8\n";
  const char* store = "ds_store_b32 v8, v8\n";
  EXPECT_THAT(checked(by_wave("", quad, store), false, c).findings.at(0).detail,
              HasSubstr("wave 1"));
  EXPECT_THAT(checked(by_wave(quad, quad, store), false, c).findings.at(0).detail,
              HasSubstr("several waves"));
  // What a wave wrote itself it may read, also where it is undefined.
  expect_clean(by_wave("ds_store_b128 v8, v[12:15]\n%wait%\nds_load_b128 v[4:7], v8\n%wait%\n"
                       "ds_load_b32 v4, v8\n",
                       "", ""),
               c);
}

TEST_P(Checks, LdsOfAnEarlierWorkgroupIsUndefined) {
  const std::string text = "v_mov_b32 v3, 1\ns_cmp_eq_u32 " + group() +
                           ", 0\ns_cbranch_scc0 read\nds_store_b32 v1, v3\n%wait%\nread:\n"
                           "ds_load_b32 v2, v1\n%wait%\ns_lshl_b32 s7, " +
                           group() + ", 7\nv_add_nc_u32 v1, s7, v1\n" + kStore;
  const Finding f = expect(FindingKind::undefined_store, text, config(2, 32));
  EXPECT_EQ(f.at.workgroup, 1);
}

// Beside an undefined word, what was written before the barrier is defined.
TEST_P(Checks, QuadsWithOneUndefinedWord) {
  const std::string barrier =
      rig_.gfx12() ? "s_barrier_signal -1\ns_barrier_wait -1\n" : "s_barrier\n";
  const std::string text =
      "v_lshlrev_b32 v8, 2, v1\nv_mov_b32 v4, 1\nv_mov_b32 v5, 1\nv_mov_b32 v6, v9\n"
      "v_mov_b32 v7, 1\nds_store_b128 v8, v[4:7]\n%wait%\n" +
      barrier +
      "ds_load_b128 v[12:15], v8\n%wait%\nv_add_nc_u32 v2, v12, v13\n"
      "v_add_nc_u32 v2, v2, v15\n";
  expect_clean(text + kStore, config(1, 32));
  expect(FindingKind::undefined_store, text + "v_mov_b32 v2, v14\n" + kStore, config(1, 32));
}

TEST_P(Checks, GlobalRacesOfOrder) {
  const auto race = [&](const std::string& text, LaunchConfig c, bool is) {
    if (is) {
      const Finding f = expect(FindingKind::global_race, text, c);
      EXPECT_TRUE(f.other.has_value());
    } else {
      expect_clean(text, c);
    }
  };
  // Wave 1 reads first; wave 0 reads twice and writes.
  LaunchConfig c = config(1, 64);
  c.schedule.order = Order::reversed;
  const std::string load = "global_load_b32 v3, v8, s[4:5]\n%wait%\n";
  const std::string begin =
      "v_mov_b32 v8, 0\nv_mov_b32 v2, 1\ns_mov_b32 exec_lo, 1\ns_cmp_eq_u32 s6, 1\n"
      "s_cbranch_scc0 zero\n";
  const std::string end = "global_store_b32 v8, v2, s[4:5]\ns_endpgm\n";
  race(begin + load + "s_endpgm\nzero:\n" + load + load + end, c, true);
  race(begin + "s_endpgm\nzero:\n" + load + load + end, c, false);
  // A word of one workgroup and a byte of the next, at each place in the word and beside it.
  const std::string split =
      "v_mov_b32 v8, 0\nv_mov_b32 v2, 1\ns_mov_b32 exec_lo, 1\ns_cmp_eq_u32 " + group() +
      ", 0\ns_cbranch_scc0 one\n";
  for (int at = 0; at < 6; ++at) {
    const std::string byte =
        "global_store_b8 v8, v2, s[4:5] offset:" + std::to_string(at) + "\ns_endpgm\n";
    race(split + "global_store_b32 v8, v2, s[4:5]\ns_endpgm\none:\n" + byte, config(2, 32), at < 4);
    race(split + "global_store_b8 v8, v2, s[4:5] offset:3\ns_endpgm\none:\n" + byte, config(2, 32),
         at == 3);
  }
  if (!rig_.gfx12()) return;
  for (const auto& [scope, is] : {std::pair("", true), std::pair(" scope:SCOPE_SE", true),
                                  std::pair(" scope:SCOPE_DEV", false)}) {
    race(split + end + "one:\nglobal_load_b32 v3, v8, s[4:5]" + scope + "\ns_endpgm\n",
         config(2, 32), is);
  }
}

// Every lane's address counts, and no inactive lane's.
TEST_P(Checks, LanesThatAreLookedAt) {
  LaunchConfig c = config(1, 32);
  const std::string odd =
      "v_mov_b32 v2, 1\nv_mov_b32 v3, 0x80\ns_mov_b32 s8, exec_lo\ns_mov_b32 exec_lo, 0x100\n"
      "v_mov_b32 v3, 0x82\n";
  for (const char* atomic : {"global_atomic_add_u32 v3, v2, s[4:5]\n", "ds_add_u32 v3, v2\n"}) {
    const std::string last = std::string(atomic) + "s_endpgm\n";
    const std::string zero = "v_mov_b32 v10, 0\nds_store_b32 v1, v10 offset:128\n%wait%\n";
    const Finding f =
        expect(FindingKind::misaligned, zero + odd + "s_mov_b32 exec_lo, s8\n" + last, c);
    EXPECT_EQ(f.at.lane, 8);
    expect_clean(zero + odd + "s_andn2_b32 exec_lo, s8, exec_lo\n" + last, c);
  }
  // 64-bit atomics need eight bytes.
  const std::string wide =
      "v_mov_b32 v4, 1\nv_mov_b32 v5, 0\nv_mov_b32 v3, 4\ns_mov_b32 exec_lo, 1\n"
      "global_atomic_add_u64 v3, v[4:5], s[4:5]\ns_endpgm\n";
  expect(FindingKind::misaligned, wide, c);
  // Undefined addresses of inactive lanes.
  const std::string some = "v_mov_b32 v2, 1\ns_mov_b32 exec_lo, 0xff\nv_mov_b32 v3, v1\n";
  for (const char* access : {"global_store_b32 v3, v2, s[4:5]\n", "ds_store_b32 v3, v2\n"}) {
    expect_clean(some + access + "s_endpgm\n", c);
    expect(FindingKind::undefined_address,
           some + "s_mov_b32 exec_lo, 0x1ff\n" + access + "s_endpgm\n", c);
  }
}

// Each word of a buffer resource, the scalar offset and each VGPR of the address.
TEST_P(Checks, AddressesOfBuffers) {
  const LaunchConfig c = config(1, 32);
  const std::string begin =
      "s_mov_b64 s[12:13], s[4:5]\ns_movk_i32 s14, 0x80\ns_brev_b32 s15, 0xc\ns_mov_b32 s16, 0\n"
      "v_mov_b32 v10, 0\nv_mov_b32 v11, v1\n";
  const std::string load = "buffer_load_b32 v2, v[10:11], s[12:15], s16 idxen offen\n";
  expect_clean(begin + "buffer_load_b32 v2, v11, s[12:15], s16 offen\ns_endpgm\n", c);
  for (const char* undefined :
       {"s_mov_b32 s12, s9\n", "s_mov_b32 s13, s9\n", "s_mov_b32 s14, s9\n", "s_mov_b32 s15, s9\n",
        "s_mov_b32 s16, s9\n", "v_mov_b32 v11, v9\n"})
    expect(FindingKind::undefined_address,
           begin + undefined + "buffer_load_b32 v2, v11, s[12:15], s16 offen\ns_endpgm\n", c);
  expect(FindingKind::undefined_address, begin + "v_mov_b32 v10, v9\n" + load + "s_endpgm\n", c);
}

// An atomic reads all of its bytes.
TEST_P(Checks, AtomicsOnWhatIsPartlyWritten) {
  const std::string one = "v_mov_b32 v8, 0\nv_mov_b32 v2, 1\ns_mov_b32 exec_lo, 1\n";
  for (size_t written = 0; written <= 4; ++written) {
    const Address out = rig_.buffer("out", 8, false);
    const std::vector<std::byte> bytes(written);
    ASSERT_TRUE(rig_.emulator().memory().write(out, bytes));
    const LaunchReport r = run(kBegin + one + "global_atomic_add_u32 v8, v2, s[4:5]\ns_endpgm\n",
                               config(1, 32), {out});
    if (written == 4) {
      EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
    } else {
      ASSERT_EQ(r.findings.size(), 1u) << written;
      EXPECT_EQ(r.findings[0].kind, FindingKind::undefined_store);
    }
  }
  const LaunchConfig c = config(1, 32);
  for (const char* store :
       {"", "ds_store_b16 v8, v2\n", "ds_store_b16 v8, v2 offset:2\n", "ds_store_b32 v8, v9\n"})
    expect(FindingKind::undefined_store, one + store + "%wait%\nds_add_u32 v8, v2\ns_endpgm\n", c);
  expect_clean(one + "ds_store_b32 v8, v2\n%wait%\nds_add_u32 v8, v2\ns_endpgm\n", c);
  // Data and comparand.
  for (const char* data : {"v[9:10]", "v[10:11]"})
    expect(FindingKind::undefined_store,
           one + "v_mov_b32 v10, 1\nglobal_atomic_cmpswap_b32 v8, " + data + ", s[4:5]\ns_endpgm\n",
           c);
}

// The first byte inside and the last outside, or in a gap.
TEST_P(Checks, AccessesThatEndOutside) {
  HandKernel k;
  k.info.static_lds = 64;
  k.info.scratch_bytes = 8;
  const Address out = rig_.buffer("out", 32);
  ASSERT_TRUE(rig_.emulator().memory().mark_gap(out + 16, 4));
  const auto run = [&](const std::string& access) {
    k.text = kBegin + "s_mov_b32 exec_lo, 1\nv_mov_b32 v8, 0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\n" +
             access + "s_endpgm\n";
    return rig_.launch(k, config(1, 32), {out});
  };
  using enum FindingKind;
  const std::tuple<const char*, FindingKind, int64_t> bad[] = {
      {"global_load_b64 v[6:7], v8, s[4:5] offset:28\n", oob_read, 28},
      {"global_load_b64 v[6:7], v8, s[4:5] offset:12\n", oob_read, 12},
      {"global_load_b64 v[6:7], v8, s[4:5] offset:-4\n", oob_read, -4},
      {"global_store_b64 v8, v[4:5], s[4:5] offset:28\n", oob_write, 28},
      {"global_store_b16 v8, v4, s[4:5] offset:15\n", oob_write, 15},
      {"global_store_b8 v8, v4, s[4:5] offset:19\n", oob_write, 19},
      {"global_atomic_add_u64 v8, v[4:5], s[4:5] offset:32\n", oob_write, 32},
      {"s_load_b64 s[8:9], s[4:5], 0xc\n", oob_read, 12},
      {"s_load_b64 s[8:9], s[4:5], 0x1c\n", oob_read, 28},
      {"scratch_load_b64 v[6:7], off, off offset:4\n", oob_read, 4},
      {"scratch_store_b64 off, v[4:5], off offset:4\n", oob_write, 4},
      {"ds_load_b64 v[6:7], v8 offset:60\n", lds_oob, 60},
      {"ds_store_b8 v8, v4 offset:64\n", lds_oob, 64},
  };
  for (const auto& [access, kind, offset] : bad) {
    const LaunchReport r = run(access);
    ASSERT_EQ(r.findings.size(), 1u) << access << what(r);
    EXPECT_EQ(r.findings[0].kind, kind) << access;
    EXPECT_EQ(r.findings[0].offset, offset) << access;
  }
  for (const char* access :
       {"global_load_b64 v[6:7], v8, s[4:5] offset:24\n",
        "global_load_b64 v[6:7], v8, s[4:5] offset:8\n",
        "global_store_b16 v8, v4, s[4:5] offset:14\n", "global_store_b8 v8, v4, s[4:5] offset:20\n",
        "global_store_b8 v8, v4, s[4:5] offset:15\n", "s_load_b64 s[8:9], s[4:5], 0x8\n",
        "scratch_store_b64 off, v[4:5], off\n", "ds_store_b64 v8, v[4:5] offset:56\n",
        "ds_store_b8 v8, v4 offset:63\n"}) {
    const LaunchReport r = run(access);
    EXPECT_EQ(r.end, LaunchReport::End::completed) << access << what(r);
  }
}

W4_HAND_TESTS(Checks);

constexpr uint32_t kLast = (1u << 24) - 2;

TEST(LdsEpochs, WrappingKeepsWhatThisWorkgroupWrote) {
  Lds lds;
  lds.start(64);
  lds.epoch = kLast - 4;
  lds.next_workgroup();
  lds.writer[0] = lds.stamp(3);  // of the workgroup before
  lds.next_workgroup();
  lds.writer[1] = lds.stamp(3);
  lds.writer[2] = lds.stamp(3) | 1;
  lds.reader[1] = lds.stamp(4);
  while (lds.epoch > 2) lds.barrier();
  const auto epoch = [](uint32_t entry) { return entry >> 7; };
  EXPECT_LT(epoch(lds.writer[0]), lds.first_epoch);
  for (int i : {1, 2}) {
    EXPECT_GE(epoch(lds.writer[static_cast<size_t>(i)]), lds.first_epoch);
    EXPECT_LT(epoch(lds.writer[static_cast<size_t>(i)]), lds.epoch);  // before the barrier
  }
  EXPECT_EQ(lds.writer[1] & 1, 0u);
  EXPECT_EQ(lds.writer[2] & 1, 1u);
  EXPECT_LT(epoch(lds.reader[1]), lds.epoch);
  lds.next_workgroup();
  EXPECT_LT(epoch(lds.writer[1]), lds.first_epoch);
}

TEST(LdsEpochs, GoingOverToBytesKeepsBoth) {
  Lds lds;
  lds.start(64);
  lds.writer[5] = lds.stamp(1);
  lds.reader[31] = lds.stamp(2);
  lds.to_bytes();
  EXPECT_EQ(lds.writer[9], 0u);
  EXPECT_EQ(lds.writer[10], lds.stamp(1));
  EXPECT_EQ(lds.writer[11], lds.stamp(1));
  EXPECT_EQ(lds.reader[62], lds.stamp(2));
  EXPECT_EQ(lds.reader[63], lds.stamp(2));
}

TEST(LdsEpochs, GoingOverToBytesInEveryLaunchTakesNoMoreRoom) {
  Lds lds;
  for (int launch = 0; launch < 20; ++launch) {
    lds.start(64);
    lds.next_workgroup();
    lds.to_bytes();
  }
  EXPECT_LE(lds.writer.size(), 256u);
  EXPECT_LE(lds.reader.size(), 256u);
}

TEST(LdsEpochs, ABarrierForgetsTheSwaps) {
  Lds lds;
  lds.start(64);
  lds.swapped.insert(8);
  lds.barrier();
  EXPECT_TRUE(lds.swapped.empty());
}

}  // namespace
}  // namespace w4::rdna
