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
  // The working row of DPP is no register of the kernel.
  expect_clean(
      "v_mov_b32_dpp v3, v9 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"
      "v_mov_b32 v2, v0\n" +
          kStore,
      c);
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
