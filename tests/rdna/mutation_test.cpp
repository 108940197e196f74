// Every operator of mutation on a few assembled instructions: what it makes of them, that it
// changes that instruction alone, that the program is as before afterwards; and whole launches,
// where the checks see what a mutant does.
#include "rdna/mutation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rdna/code_object.h"
#include "rdna/coverage.h"
#include "rdna/executed.h"
#include "rdna/mutant.h"
#include "rdna/rows/machine_rows.h"
#include "rdna/workgroup.h"
#include "tests/rdna/assemble.h"
#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr uint64_t kAt = 0x1000;
constexpr int kVgprs = 32;

// Assembled text as a program, and one wave that runs it.
class Text {
 public:
  explicit Text(const std::string& text, const std::string& arch = "gfx1151") {
    bytes_ = assemble(arch, text + "\ns_endpgm\n");
    code_.arch = arch;
    code_.major = arch.starts_with("gfx12") ? 12 : 11;
    auto mc = Mc::create(arch);
    if (!mc) {
      ADD_FAILURE() << mc.error().text;
      return;
    }
    code_.mc = std::move(*mc);
    code_.segments.push_back({kAt, bytes_.size(), bytes_, false, true});
    program_.emplace(code_, kVgprs, true);
  }
  Program& program() { return *program_; }
  // Address of instruction n.
  uint64_t pc(int n) {
    uint64_t at = kAt;
    for (; n > 0; --n) at += program().resolve(program().index(at)).size;
    return at;
  }
  std::set<std::string> variants_at(int n) {
    std::set<std::string> out;
    for (const Variant& v : variants(program(), pc(n))) {
      out.insert(std::string(name_of(v.kind)) + (v.name.empty() ? "" : ":") + v.name);
    }
    return out;
  }
  Mutation mutation(int n, const std::string& what) {
    const auto m = parse_mutation(fmt::format("k+{:#x}:{}", pc(n), what));
    EXPECT_TRUE(m) << m.error().text;
    return *m;
  }
  // The wave after it ran, with lane l of register r holding 16 r + l and s20… 20….
  Wave& run(const Mutation* m = nullptr) {
    Launch launch;
    launch.program = &program();
    launch.config = &config_;
    launch.kernel = &kernel_;
    report_ = {};
    launch.report = &report_;
    std::optional<Mutant> mutant;
    if (m) {
      EXPECT_EQ(mutant.emplace().put_into(program(), *m), "");
      launch.mutant = &*mutant;
    }
    group_ = Workgroup();
    group_.launch = &launch;
    group_.waves.resize(1);
    group_.live = 1;
    Wave& w = group_.waves[0];
    w.group = &group_;
    v_.assign(kVgprs + 1, Lanes());
    masks_.assign(2 * (kVgprs + 1), ~0u);
    for (int r = 0; r < kVgprs; ++r) {
      for (int l = 0; l < kLanes; ++l)
        v_[static_cast<size_t>(r)].v[l] = static_cast<uint32_t>(16 * r + l);
    }
    w.v = v_.data();
    w.dlo = masks_.data();
    w.dhi = masks_.data() + kVgprs + 1;
    w.vgprs = kVgprs;
    for (int s = 0; s < kSgprs; ++s) w.s[s] = static_cast<uint32_t>(s), w.sdef[s] = ~0u;
    w.s[kExec] = ~0u;
    w.scc_def = true;
    w.pc = program().index(kAt);
    for (int steps = 0; w.state == WaveState::ready && steps < 1000; ++steps) {
      const Op& op = program().resolve(w.pc);
      w.pc = op.next;
      op.run[0](w, op);
    }
    if (mutant) ran_ = mutant->runs();
    return w;
  }
  uint64_t ran() const { return ran_; }

 private:
  std::vector<std::byte> bytes_;
  CodeObject::Impl code_;
  std::optional<Program> program_;
  LaunchConfig config_;
  KernelInfo kernel_;
  LaunchReport report_;
  Workgroup group_;
  std::vector<Lanes> v_;
  std::vector<uint32_t> masks_;
  uint64_t ran_ = 0;
};

// What lane 3 of v1 is at the end, and s8.
struct Ends {
  uint32_t clean, mutated;
  bool operator==(const Ends&) const = default;
};
Ends v1(const std::string& text, const std::string& what, int n = 0) {
  Text t(text);
  const Mutation m = t.mutation(n, what);
  const uint32_t clean = t.run().v[1].v[3], mutated = t.run(&m).v[1].v[3];
  EXPECT_GT(t.ran(), 0u);
  EXPECT_EQ(t.run().v[1].v[3], clean) << "the program is not as before";
  return {clean, mutated};
}
Ends s8(const std::string& text, const std::string& what, int n = 0) {
  Text t(text);
  const Mutation m = t.mutation(n, what);
  const uint32_t clean = t.run().s[8], mutated = t.run(&m).s[8];
  EXPECT_EQ(t.run().s[8], clean) << "the program is not as before";
  return {clean, mutated};
}

TEST(Mutation, DropsSumsComparesAndMasks) {
  EXPECT_EQ(v1("v_mov_b32 v1, 1.0\nv_fmac_f32 v1, 2.0, 2.0", "drop_sum", 1),
            (Ends{0x40a00000, 0x3f800000}));
  EXPECT_EQ(v1("v_mov_b32 v1, 1.0\nv_add_f32 v1, 2.0, v1", "drop_sum", 1),
            (Ends{0x40400000, 0x3f800000}));
  EXPECT_EQ(s8("s_mov_b32 s8, 0\ns_cmp_eq_u32 s20, 20\ns_cselect_b32 s8, 5, 6", "drop_compare", 1),
            (Ends{5, 6}));
  EXPECT_EQ(v1("v_mov_b32 v1, 1\ns_mov_b32 exec_lo, 1\nv_mov_b32 v1, 2", "drop_mask", 1),
            (Ends{1, 2}));
  EXPECT_EQ(v1("v_mov_b32 v1, 1\ns_and_saveexec_b32 s8, 1\nv_mov_b32 v1, 2", "drop_mask", 1),
            (Ends{1, 2}));
  // A sum that does not go on is none.
  EXPECT_THAT(Text("v_add_f32 v1, v2, v3").variants_at(0), Not(Contains("drop_sum")));
}

TEST(Mutation, InvertsComparesAndBranches) {
  const std::string then = "\ns_cselect_b32 s8, 5, 6";
  EXPECT_EQ(s8("s_cmp_lt_u32 s20, s21" + then, "invert_compare"), (Ends{5, 6}));
  EXPECT_EQ(s8("s_cmp_lt_u32 s20, s20" + then, "strict_compare"), (Ends{6, 5}));
  EXPECT_EQ(s8("s_bitcmp1_b32 s20, 2" + then, "invert_compare"), (Ends{5, 6}));
  EXPECT_EQ(v1("v_cmp_gt_u32 vcc_lo, 40, v2\nv_cndmask_b32 v1, 7, v0, vcc_lo", "invert_compare"),
            (Ends{3, 7}));
  EXPECT_EQ(v1("v_mov_b32 v1, 1\nv_cmpx_lt_u32 40, v2\nv_mov_b32 v1, 2", "invert_compare", 1),
            (Ends{1, 2}));
  EXPECT_EQ(v1("v_mov_b32 v1, 1.0\nv_cmp_lt_f32 vcc_lo, v1, v1\nv_cndmask_b32 v1, 7, v0, vcc_lo",
               "strict_compare", 1),
            (Ends{7, 3}));
  EXPECT_EQ(s8("s_cmp_eq_u32 0, 0\ns_mov_b32 s8, 1\ns_cbranch_scc1 skip\ns_mov_b32 s8, 2\nskip:",
               "invert_branch", 2),
            (Ends{1, 2}));
}

TEST(Mutation, LeavesAndRepeatsLoopsOnceAWave) {
  const std::string loop =
      "s_mov_b32 s8, 0\nloop:\ns_add_u32 s8, s8, 1\ns_cmp_lt_u32 s8, 5\ns_cbranch_scc1 loop";
  EXPECT_EQ(s8(loop, "leave_loop", 3), (Ends{5, 1}));
  EXPECT_EQ(s8(loop, "repeat_loop", 3), (Ends{5, 6}));
  EXPECT_EQ(s8(loop, "strict_compare", 2), (Ends{5, 6}));
  EXPECT_THAT(Text(loop).variants_at(3), Not(Contains("invert_branch")));
}

TEST(Mutation, MovesConstantsShiftsAndMasks) {
  EXPECT_EQ(v1("v_add_nc_u32 v1, 4, v2", "immediate:0+1"), (Ends{39, 40}));
  EXPECT_EQ(v1("v_add_nc_u32 v1, 4, v2", "operation"), (Ends{39, 4u - 35}));
  EXPECT_EQ(v1("v_lshlrev_b32 v1, 4, v0", "shift:0+1"), (Ends{48, 96}));
  EXPECT_EQ(v1("v_lshlrev_b32 v1, 4, v0", "shift:0-1"), (Ends{48, 24}));
  EXPECT_EQ(v1("v_lshlrev_b32 v1, 4, v0", "swap_sources"), (Ends{48, 32}));
  EXPECT_EQ(v1("v_and_b32 v1, 15, v2", "immediate:0^0"), (Ends{3, 2}));
  EXPECT_EQ(v1("v_and_b32 v1, 0x3f, v2", "immediate:0^5"), (Ends{35, 3}));
  EXPECT_EQ(v1("v_and_b32 v1, 0x3f, v2", "operation"), (Ends{35, 63}));
  EXPECT_EQ(v1("v_bfe_u32 v1, v2, 4, 4", "shift:2-1"), (Ends{2, 2}));
  EXPECT_EQ(v1("v_bfe_u32 v1, v2, 1, 4", "shift:1+1"), (Ends{1, 8}));
  EXPECT_EQ(v1("v_sub_nc_u32 v1, v2, v0", "swap_sources"), (Ends{32, ~31u}));
  EXPECT_EQ(v1("v_mov_b32 v1, v2", "wrong_register:0"), (Ends{35, 51}));
  EXPECT_EQ(s8("s_movk_i32 s8, 0x70", "immediate:+1"), (Ends{0x70, 0x71}));
  EXPECT_EQ(v1("v_pk_add_u16 v1, v2, v0", "half:0"), (Ends{38, 3}));
}

TEST(Mutation, MovesLanes) {
  const std::string shift = "v_mov_b32_dpp v1, v2 row_shr:2 row_mask:0xf bank_mask:0xf";
  EXPECT_EQ(v1(shift, "lanes:+1"), (Ends{33, 32}));
  EXPECT_EQ(v1(shift, "lanes:-1"), (Ends{33, 34}));
  EXPECT_THAT(Text("v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf").variants_at(0),
              Not(Contains("lanes:-1")));
  EXPECT_EQ(v1("v_permlane16_b32 v1, v2, 0x3210, 0", "lanes:1^1"), (Ends{35, 35}));
  EXPECT_EQ(s8("v_readlane_b32 s8, v2, 6", "lanes:1^1"), (Ends{38, 39}));
}

TEST(Mutation, CutsConversions) {
  // 1 + 3 * 2^-12 is nearer to 1 + 2^-10.
  EXPECT_EQ(
      v1("v_mov_b32 v1, 0\nv_mov_b32 v2, 0x3f801800\nv_cvt_f16_f32 v1, v2", "round_to_zero", 2),
      (Ends{0x3c01, 0x3c00}));
  EXPECT_EQ(v1("v_add3_u32 v1, v2, 1, 0x7fff", "round_to_zero:2.zero"), (Ends{0x8023, 36}));
}

TEST(Mutation, AHalfOfVopdIsOneInstruction) {
  const std::string both = "v_dual_mov_b32 v1, v2 :: v_dual_add_nc_u32 v4, 4, v1";
  EXPECT_EQ(v1(both, "wrong_register:x.0"), (Ends{35, 51}));
  Text t(both);
  const Mutation m = t.mutation(0, "immediate:y.0+1");
  EXPECT_EQ(t.run().v[4].v[3], 23u);  // of v1 before X wrote it
  EXPECT_EQ(t.run(&m).v[4].v[3], 24u);
  EXPECT_EQ(t.run(&m).v[1].v[3], 35u);
  EXPECT_EQ(v1("v_mov_b32 v1, 1.0\nv_dual_fmac_f32 v1, 2.0, v1 :: v_dual_mov_b32 v4, v1",
               "drop_sum:x", 1),
            (Ends{0x40400000, 0x3f800000}));
}

TEST(Mutation, BarriersWaitsAndStoresDoNotRun) {
  const std::pair<std::string, std::string> rows[] = {
      {"s_barrier", "drop_barrier"},
      {"s_waitcnt vmcnt(0)", "drop_wait"},
      {"global_store_b32 v[2:3], v1, off", "drop_store"},
      {"ds_store_b64 v1, v[2:3]", "drop_store"},
      {"global_atomic_add_f32 v[2:3], v1, off", "drop_store"},
  };
  for (const auto& [text, what] : rows) {
    Text t(text);
    std::vector<Variant> dropped = variants(t.program(), kAt);
    std::erase_if(dropped, [&, w = what](const Variant& v) { return name_of(v.kind) != w; });
    ASSERT_EQ(dropped.size(), 1u) << text;
    EXPECT_EQ(dropped[0].op.run[0], run_nothing) << text;
    EXPECT_EQ(dropped[0].op.nsrc, 0) << text;
  }
  EXPECT_THAT(Text("s_waitcnt_vscnt null, 0").variants_at(0), testing::IsEmpty());
  EXPECT_THAT(Text("s_barrier_signal -1", "gfx1201").variants_at(0), Contains("drop_barrier"));
  EXPECT_THAT(Text("s_wait_loadcnt 0x0", "gfx1201").variants_at(0), Contains("drop_wait"));
}

TEST(Mutation, OffsetsMoveByOneElement) {
  const auto offset = [](const std::string& text, const std::string& name, int at = 0) {
    Text t(text);
    for (const Variant& v : variants(t.program(), kAt)) {
      if (v.kind == MutationKind::offset && v.name == name) return v.op.imm[at];
    }
    ADD_FAILURE() << text << " has no offset:" << name;
    return int64_t{-999};
  };
  EXPECT_EQ(offset("global_load_b128 v[4:7], v[2:3], off offset:16", "+4"), 20);
  EXPECT_EQ(offset("global_load_b128 v[4:7], v[2:3], off", "-4"), -4);
  EXPECT_EQ(offset("global_load_u16 v4, v[2:3], off", "+2"), 2);
  EXPECT_EQ(offset("ds_load_b32 v4, v2 offset:8", "-4"), 4);
  EXPECT_EQ(offset("ds_load_2addr_b32 v[4:5], v2 offset0:3 offset1:5", "1+1", 1), 6);
  EXPECT_EQ(offset("s_load_b64 s[8:9], s[0:1], 0x8", "+4"), 12);
  EXPECT_THAT(Text("ds_load_b32 v4, v2").variants_at(0), Not(Contains("offset:-4")));
}

TEST(Mutation, EveryVariantPutsBackWhatItFoundAndIsNamedOnce) {
  const std::vector<std::string> lines{"v_add_nc_u32 v1, 4, v2",
                                       "v_dual_mov_b32 v1, v2 :: v_dual_add_nc_u32 v4, 4, v1",
                                       "v_mov_b32_dpp v1, v2 row_shr:2 row_mask:0xf bank_mask:0xf",
                                       "v_cmp_lt_u32 vcc_lo, 3, v1",
                                       "v_perm_b32 v1, v2, v3, 0x7060302",
                                       "v_add3_u32 v1, v2, 1, 0x7fff",
                                       "v_cvt_f16_f32 v1, v2",
                                       "v_permlanex16_b32 v1, v2, s4, 0xfedcba98",
                                       "v_pk_fma_f16 v1, v2, 0x2c00, v3",
                                       "global_load_b32 v1, v[2:3], off"};
  std::string text;
  for (const std::string& l : lines) text += l + "\n";
  Text t(text);
  const auto count = static_cast<int>(lines.size());
  t.pc(count);  // all are decoded, so that the table has them
  for (int n = 0; n < count; ++n) {
    const std::vector<uint64_t> at{t.pc(n)};
    const auto all = enumerate_mutations(t.program(), "k", at);
    EXPECT_FALSE(all.empty()) << n;
    std::set<std::string> texts;
    for (const Mutation& m : all) {
      EXPECT_TRUE(texts.insert(to_string(m)).second) << to_string(m);
      EXPECT_EQ(*parse_mutation(to_string(m)), m);
      std::vector<const Op*> before(t.program().table(), t.program().table() + count);
      const uint32_t index = t.program().index(t.pc(n));
      {
        Mutant mutant;
        ASSERT_EQ(mutant.put_into(t.program(), m), "");
        for (uint32_t i = 0; i < before.size(); ++i)
          EXPECT_EQ(t.program().table()[i] != before[i], i == index) << to_string(m);
      }
      for (uint32_t i = 0; i < before.size(); ++i) EXPECT_EQ(t.program().table()[i], before[i]);
    }
  }
}

TEST(Mutation, WhatIsNotThereIsSaid) {
  Text t("v_add_nc_u32 v1, 4, v2");
  const auto says = [&](const std::string& text) {
    return Mutant().put_into(t.program(), *parse_mutation(text));
  };
  EXPECT_THAT(says("k+0x1000:drop_store"),
              HasSubstr("'v_add_nc_u32_e32 v1, 4, v2' at 0x1000 has no drop_store; it has: "));
  EXPECT_THAT(says("k+0x1000:drop_store"), HasSubstr("immediate:0+1"));
  EXPECT_THAT(says("k+0x8:drop_store"), HasSubstr("there is no code at 0x8 of k"));
  EXPECT_THAT(says("k+0x1001:drop_store"), HasSubstr("there is no code at 0x1001"));
  EXPECT_EQ(says("k+0x1000:immediate:0+1"), "");
}

// Whole launches of tests/rdna/programs/mutated.hip, which sums pairs through LDS.
class MutatedLaunch : public testing::Test {
 protected:
  static constexpr uint32_t kGroups = 2, kThreads = 64, kN = kGroups * kThreads;
  void SetUp() override {
    ASSERT_TRUE(rig_.ok());
    std::vector<uint32_t> in(kN);
    for (uint32_t i = 0; i < kN; ++i) in[i] = i;
    in_ = rig_.input("in", in);
  }
  LaunchReport run(const Mutation* m = nullptr, uint32_t checks = kAllChecks) {
    LaunchConfig c = config(kGroups, kThreads);
    c.checks = checks;
    c.mutate = m;
    c.threads = 4;
    rig_.emulator().memory().release(out_);
    out_ = rig_.output("out", kN * 4);
    return rig_.launch("mutated", c, in_, out_, 3u);
  }
  std::vector<uint32_t> out() { return rig_.read<uint32_t>(out_, kN); }
  // The mutations of one operator at the instructions that ran.
  std::vector<Mutation> of(MutationKind kind) {
    Coverage coverage;
    {
      const CoverageScope scope(coverage);
      EXPECT_EQ(run().end, LaunchReport::End::completed);
    }
    const KernelCounts& k = *coverage.kernels()[0];
    Executed executed(k.object, k.index);
    std::vector<Mutation> all = executed.mutations(executed.of(k));
    std::erase_if(all, [&](const Mutation& m) { return m.kind != kind; });
    EXPECT_FALSE(all.empty()) << name_of(kind);
    return all;
  }
  Rig rig_{W4_MUTATED};
  Address in_ = 0, out_ = 0;
};

TEST_F(MutatedLaunch, TheChecksSeeWhatIsMissing) {
  EXPECT_EQ(run().end, LaunchReport::End::completed);
  const std::vector<uint32_t> clean = out();
  const auto found = [&](MutationKind kind, uint32_t checks, FindingKind wanted) {
    for (const Mutation& m : of(kind)) {
      const LaunchReport r = run(&m, checks);
      EXPECT_GT(r.mutated, 0u) << to_string(m);
      for (const Finding& f : r.findings) {
        if (f.kind == wanted) return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(found(MutationKind::drop_barrier, kAllChecks, FindingKind::lds_race));
  EXPECT_TRUE(found(MutationKind::drop_wait, kAllChecks | kWaits, FindingKind::wait_counter));
  EXPECT_TRUE(found(MutationKind::offset, kAllChecks, FindingKind::oob_read));
  for (const Mutation& m : of(MutationKind::drop_store)) run(&m);
  EXPECT_EQ(run().end, LaunchReport::End::completed);
  EXPECT_EQ(run().mutated, 0u);
  EXPECT_EQ(out(), clean);
}

TEST_F(MutatedLaunch, OneTripMoreOrNone) {
  run();
  const std::vector<uint32_t> clean = out();
  for (const auto& [kind, trips] :
       {std::pair{MutationKind::leave_loop, 1}, {MutationKind::repeat_loop, 4}}) {
    for (const Mutation& m : of(kind)) {
      const LaunchReport r = run(&m);
      EXPECT_EQ(r.end, LaunchReport::End::completed) << what(r);
      // Each trip adds 1 to both of a pair.
      for (size_t i = 0; i < clean.size(); ++i)
        EXPECT_EQ(static_cast<int>(out()[i]), static_cast<int>(clean[i]) + 2 * (trips - 3));
    }
  }
}

TEST_F(MutatedLaunch, AnotherSymbolChangesNothingAndAWrongPlaceIsRefused) {
  Mutation m = of(MutationKind::drop_barrier)[0];
  m.symbol = "another";
  EXPECT_EQ(run(&m).end, LaunchReport::End::completed);
  m = of(MutationKind::drop_barrier)[0];
  m.kind = MutationKind::half;
  const LaunchReport r = run(&m);
  EXPECT_EQ(r.end, LaunchReport::End::refused);
  EXPECT_THAT(r.why, HasSubstr("has no half; it has: drop_barrier"));
}

}  // namespace
}  // namespace w4::rdna
