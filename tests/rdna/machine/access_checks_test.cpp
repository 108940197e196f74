// The checks on hand-written kernels: accesses in an order that compilers do not give, to memory
// that is partly written, and at the ends of buffers.
#include "tests/rdna/machine/checked.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

class AccessChecks : public Checked {};

// Waves run one after another here, highest first: what one did is seen by the next.
TEST_P(AccessChecks, ReadersOfLds) {
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

TEST_P(AccessChecks, LdsOfAnEarlierWorkgroupIsUndefined) {
  const std::string text = "v_mov_b32 v3, 1\ns_cmp_eq_u32 " + group() +
                           ", 0\ns_cbranch_scc0 read\nds_store_b32 v1, v3\n%wait%\nread:\n"
                           "ds_load_b32 v2, v1\n%wait%\ns_lshl_b32 s7, " +
                           group() + ", 7\nv_add_nc_u32 v1, s7, v1\n" + kStore;
  const Finding f = expect(FindingKind::undefined_store, text, config(2, 32));
  EXPECT_EQ(f.at.workgroup, 1);
}

// Beside an undefined word, what was written before the barrier is defined.
TEST_P(AccessChecks, QuadsWithOneUndefinedWord) {
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

TEST_P(AccessChecks, GlobalRacesOfOrder) {
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
TEST_P(AccessChecks, LanesThatAreLookedAt) {
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
TEST_P(AccessChecks, AddressesOfBuffers) {
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
TEST_P(AccessChecks, AtomicsOnWhatIsPartlyWritten) {
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
TEST_P(AccessChecks, AccessesThatEndOutside) {
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

W4_HAND_TESTS(AccessChecks);

}  // namespace
}  // namespace w4::rdna
