// Check `waits` on assembled sequences: for each counter a use that comes too early and its clean
// twin, on gfx11 and gfx12. Nothing is executed: the check follows the instructions alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rdna/checks/wait_counters.h"
#include "rdna/workgroup.h"
#include "tests/rdna/assemble.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

// The finding of a straight line of instructions; kind, detail and both parties are what is tested.
std::optional<Finding> finding_of(const std::string& arch, const std::string& text,
                                  uint32_t exec = ~0u) {
  CodeObject::Impl code;
  code.arch = arch;
  code.major = arch.starts_with("gfx12") ? 12 : 11;
  const std::vector<std::byte> bytes = assemble(arch, text);
  auto mc = Mc::create(arch);
  if (!mc) {
    ADD_FAILURE() << mc.error().text;
    return std::nullopt;
  }
  code.mc = std::move(*mc);
  code.segments.push_back({0x1000, bytes.size(), bytes, false, true});
  Program program(code, 64, true);
  const LaunchConfig config;
  const KernelInfo kernel;
  LaunchReport report;
  Launch launch;
  launch.config = &config;
  launch.kernel = &kernel;
  launch.program = &program;
  launch.report = &report;
  Workgroup group;
  group.launch = &launch;
  group.waves.resize(1);
  Wave& w = group.waves[0];
  w.group = &group;
  w.s[kExec] = exec;
  WaitCounters waits;
  waits.start_launch(program);
  waits.start_workgroup(1);
  for (uint64_t pc = 0x1000; pc < 0x1000 + bytes.size();) {
    const uint32_t index = program.index(pc);
    const Op& op = program.resolve(index);
    EXPECT_NE(program.row_of(op), nullptr) << arch << ": " << code.text_at(pc);
    if (!waits.step(w, index, op)) break;
    pc += op.size;
  }
  if (report.findings.empty()) return std::nullopt;
  EXPECT_EQ(w.state, WaveState::stopped);
  return report.findings[0];
}

void clean(const std::string& arch, const std::string& text, uint32_t exec = ~0u) {
  const auto f = finding_of(arch, text, exec);
  EXPECT_FALSE(f.has_value()) << arch << ": " << text << to_string(*f);
}

// `says`: part of the detail. `load`: part of the other party's text.
void caught(const std::string& arch, const std::string& text, const std::string& says,
            const std::string& load) {
  const auto f = finding_of(arch, text);
  ASSERT_TRUE(f.has_value()) << arch << ": " << text;
  EXPECT_EQ(f->kind, FindingKind::wait_counter);
  EXPECT_THAT(f->detail, HasSubstr(says)) << text;
  ASSERT_TRUE(f->other.has_value());
  EXPECT_THAT(f->other->instruction, HasSubstr(load)) << text;
  EXPECT_NE(f->at.pc, f->other->pc);
}

// The names of one counter on both kinds of arch: wait(vm, 1) is s_waitcnt vmcnt(1) on gfx11.
struct Kind {
  const char* arch;
  bool gfx12() const { return std::string_view(arch).starts_with("gfx12"); }
  std::string vm(int n) const { return line(gfx12() ? "s_wait_loadcnt " : "s_waitcnt vmcnt", n); }
  std::string ds(int n) const { return line(gfx12() ? "s_wait_dscnt " : "s_waitcnt lgkmcnt", n); }
  std::string km(int n) const { return line(gfx12() ? "s_wait_kmcnt " : "s_waitcnt lgkmcnt", n); }
  std::string store(int n) const {
    return gfx12() ? line("s_wait_storecnt ", n)
                   : "s_waitcnt_vscnt null, " + std::to_string(n) + "\n";
  }
  std::string vm_name() const { return gfx12() ? "loadcnt <= " : "vmcnt <= "; }
  std::string ds_name() const { return gfx12() ? "dscnt <= " : "lgkmcnt <= "; }
  std::string km_name() const { return gfx12() ? "kmcnt <= " : "lgkmcnt <= "; }

 private:
  std::string line(const std::string& wait, int n) const {
    const std::string v = std::to_string(n);
    return wait + (gfx12() ? v : "(" + v + ")") + "\n";
  }
};

class Waits : public testing::TestWithParam<const char*> {
 protected:
  const Kind k{GetParam()};
  void clean(const std::string& text, uint32_t exec = ~0u) { rdna::clean(k.arch, text, exec); }
  void caught(const std::string& text, const std::string& says, const std::string& load) {
    rdna::caught(k.arch, text, says, load);
  }
  const std::string use = "v_add_f32 v9, v1, v8\n", load1 = "global_load_b32 v1, v[2:3], off\n",
                    load4 = "global_load_b32 v4, v[2:3], off\n", lds1 = "ds_load_b32 v1, v2\n",
                    lds4 = "ds_load_b32 v4, v2\n", store = "global_store_b32 v[2:3], v6, off\n",
                    scalar4 = "s_load_b64 s[4:5], s[0:1], 0x0\n",
                    use_scalar = "s_add_u32 s6, s5, s7\n";
};

TEST_P(Waits, VectorLoads) {
  for (const char* load :
       {"global_load_b32 v1, v[2:3], off\n", "scratch_load_b32 v1, off, off\n",
        "global_load_d16_b16 v1, v[2:3], off\n", "global_load_b128 v[0:3], v[4:5], off\n",
        "global_atomic_add_u32 v1, v[2:3], v4, off "}) {
    std::string text = load;
    if (text.ends_with(' ')) text += k.gfx12() ? "th:TH_ATOMIC_RETURN\n" : "glc\n";
    const std::string name = text.substr(0, text.find(' '));
    caught(text + use, "v1 is read before its load is complete: a wait for " + k.vm_name() + "0 ",
           name);
    caught(text + "v_mov_b32 v1, 0\n", "v1 is overwritten", name);
    caught(text + k.ds(0) + use, k.vm_name(), name);
    caught(text + k.store(0) + use, k.vm_name(), name);
    clean(text + k.vm(0) + use);
    clean(text + "v_add_f32 v9, v7, v8\n");
    clean(text + use, 0);
  }
  // Address, data and scalar base of another memory instruction are reads too.
  caught(load1 + "global_store_b32 v[2:3], v1, off\n", "v1 is read", "global_load");
  caught(load1 + "global_load_b32 v9, v1, s[0:1]\n", "v1 is read", "global_load");
  caught(load1 + "ds_store_b32 v1, v9\n", "v1 is read", "global_load");
  // A store needs no wait before its data are overwritten, an atomic that returns nothing none.
  clean(store + "v_mov_b32 v6, 0\n");
  clean("global_atomic_add_u32 v[2:3], v4, off\nv_mov_b32 v4, 0\n");
}

TEST_P(Waits, LoadsComeBackInOrder) {
  clean(load1 + load4 + k.vm(1) + use);
  caught(load1 + load4 + k.vm(2) + use, k.vm_name() + "1 ", "v1");
  caught(load4 + load1 + k.vm(1) + use, k.vm_name() + "0 ", "v1");
  clean(load1 + load4 + k.vm(1) + use + k.vm(0) + "v_add_f32 v9, v4, v8\n");
  caught(load1 + load4 + k.vm(1) + use + "v_add_f32 v9, v4, v8\n", "v4", "v4");
  // Stores are counted elsewhere, loads without an active lane here.
  caught(load1 + store + k.vm(1) + use, k.vm_name() + "0 ", "global_load");
  clean(load1 + load4 + load4 + k.vm(2) + use);
  // The last of two loads into one register wins without a wait, halves of it too.
  clean(load1 + load1 + k.vm(0) + use);
  clean("global_load_d16_b16 v1, v[2:3], off\nglobal_load_d16_hi_b16 v1, v[2:3], off\n" + k.vm(0) +
        use);
  caught(load1 + load1 + k.vm(1) + use, k.vm_name() + "0 ", "global_load");
}

TEST_P(Waits, Lds) {
  for (const std::string load :
       {"ds_load_b32 v1, v2\n", "ds_load_2addr_b32 v[0:1], v2 offset0:1 offset1:2\n",
        "ds_bpermute_b32 v1, v2, v3\n", "ds_add_rtn_u32 v1, v2, v3\n"}) {
    const std::string name = load.substr(0, load.find(' '));
    caught(load + use, "v1 is read before its load is complete: a wait for " + k.ds_name() + "0 ",
           name);
    caught(load + k.vm(0) + use, k.ds_name(), name);
    clean(load + k.ds(0) + use);
    // Stores count in order with the loads.
    clean(load + "ds_store_b32 v2, v6\n" + k.ds(1) + use);
    caught("ds_store_b32 v2, v6\n" + load + k.ds(1) + use, k.ds_name() + "0 ", name);
  }
  clean(lds1 + lds4 + k.ds(1) + use);
  caught(lds1 + lds4 + k.ds(2) + use, k.ds_name() + "1 ", "v1");
  // The two ways bring their data in any order.
  caught(lds1 + load1, "v1 is overwritten", "ds_load");
  caught(load1 + lds1, "v1 is overwritten", "global_load");
}

TEST_P(Waits, ScalarLoadsComeBackInAnyOrder) {
  caught(scalar4 + use_scalar,
         "s5 is read before its load is complete: a wait for " + k.km_name() + "0 ", "s_load_b64");
  caught(scalar4 + "s_mov_b32 s4, 0\n", "s4 is overwritten", "s_load");
  caught(scalar4 + "s_load_b32 s4, s[0:1], 0x10\n", "s4 is overwritten", "s_load");
  caught(scalar4 + "s_load_b32 s8, s[0:1], 0x10\n" + k.km(1) + use_scalar, k.km_name() + "0 ",
         "s_load_b64");
  clean(scalar4 + "s_load_b32 s8, s[0:1], 0x10\n" + k.km(0) + use_scalar);
  clean(scalar4 + "s_mov_b32 s6, s7\n");
  caught("s_load_b32 vcc_lo, s[0:1], 0x0\ns_cbranch_vccz 1\n", "vcc_lo is read", "s_load");
  caught("s_load_b32 vcc_lo, s[0:1], 0x0\nv_cndmask_b32 v1, v2, v3, vcc_lo\n", "vcc_lo", "s_load");
  // No lane needs to be active.
  EXPECT_TRUE(finding_of(k.arch, scalar4 + use_scalar, 0).has_value());
}

TEST_P(Waits, FlatLoadsCountTwice) {
  const std::string flat = "flat_load_b32 v1, v[2:3]\n";
  caught(flat + use, k.vm_name() + "0 and " + k.ds_name() + "0 ", "flat_load");
  caught(flat + k.vm(0) + use, "v1 is read", "flat_load");
  caught(flat + k.ds(0) + use, "v1 is read", "flat_load");
  clean(flat + k.vm(0) + k.ds(0) + use);
  clean(flat + load4 + k.vm(1) + k.ds(0) + use);
  caught(flat + flat, "v1 is overwritten", "flat_load");
  // A flat store counts with LDS.
  clean(lds1 + "flat_store_b32 v[2:3], v6\n" + k.ds(1) + use);
}

TEST_P(Waits, FormsWithSeveralParts) {
  caught(load1 + "v_dual_mov_b32 v8, v10 :: v_dual_mov_b32 v7, v1\n", "v1 is read", "global_load");
  caught(load1 + "v_dual_mov_b32 v8, v10 :: v_dual_mov_b32 v1, v7\n", "v1 is overwritten",
         "global_load");
  caught(load1 + "v_add_f32_dpp v8, v1, v9 row_shr:1 row_mask:0xf bank_mask:0xf\n", "v1 is read",
         "global_load");
  caught(load1 + "v_fmac_f32 v1, v7, v8\n", "v1 is read", "global_load");
  caught("global_load_b128 v[8:11], v[2:3], off\nv_readlane_b32 s4, v10, 3\n", "v10 is read",
         "global_load_b128");
}

INSTANTIATE_TEST_SUITE_P(Archs, Waits, testing::Values("gfx1100", "gfx1151", "gfx1201"));

TEST(WaitsGfx11, CountersShareAndCombine) {
  const std::string both = "ds_load_b32 v1, v2\ns_load_b32 s5, s[0:1], 0x0\n",
                    use = "v_add_f32 v9, v1, v8\n";
  // A scalar load may come first or last: of a limit of 1 nothing follows for either.
  caught("gfx1151", both + "s_waitcnt lgkmcnt(1)\n" + use, "lgkmcnt <= 0", "ds_load");
  caught("gfx1151", both + "s_waitcnt lgkmcnt(1)\ns_mov_b32 s6, s5\n", "lgkmcnt <= 0", "s_load");
  clean("gfx1151", both + "s_waitcnt lgkmcnt(0)\ns_mov_b32 s6, s5\n" + use);
  // Two more LDS loads say that the first is there.
  clean("gfx1151", both + "ds_load_b32 v5, v2\n" + "s_waitcnt lgkmcnt(1)\n" + use);
  const std::string load = "global_load_b32 v1, v[2:3], off\n";
  clean("gfx1151", load + "s_waitcnt vmcnt(0) lgkmcnt(5)\n" + use);
  clean("gfx1151", load + "s_waitcnt_vmcnt null, 0x0\n" + use);
  clean("gfx1151", load + load + "s_waitcnt_vmcnt null, 0x0\n" + use);
  clean("gfx1151", both + "s_waitcnt_lgkmcnt null, 0x0\n" + use);
  caught("gfx1151", load + "s_waitcnt expcnt(0)\n" + use, "vmcnt", "global_load");
  caught("gfx1151", load + "s_waitcnt_depctr 0xfff\n" + use, "vmcnt", "global_load");
  caught("gfx1151", load + "buffer_gl0_inv\ns_waitcnt vmcnt(1)\n" + use, "vmcnt <= 0",
         "global_load");
}

TEST(WaitsGfx12, CountersStandAlone) {
  const std::string use = "v_add_f32 v9, v1, v8\n", lds = "ds_load_b32 v1, v2\n",
                    load = "global_load_b32 v1, v[2:3], off\n";
  caught("gfx1201", lds + "s_load_b32 s5, s[0:1], 0x0\ns_wait_kmcnt 0x0\n" + use, "dscnt <= 0",
         "ds_load");
  caught("gfx1201", "s_load_b32 s5, s[0:1], 0x0\ns_wait_dscnt 0x0\ns_mov_b32 s6, s5\n", "kmcnt",
         "s_load");
  clean("gfx1201", lds + "s_wait_loadcnt_dscnt 0x3f00\n" + use);
  caught("gfx1201", load + "s_wait_loadcnt_dscnt 0x3f00\n" + use, "loadcnt", "global_load");
  clean("gfx1201", load + "s_wait_loadcnt_dscnt 0x003f\n" + use);
  clean("gfx1201", lds + "s_wait_storecnt_dscnt 0x3f00\n" + use);
  caught("gfx1201", load + "s_wait_samplecnt 0x0\ns_wait_bvhcnt 0x0\n" + use, "loadcnt",
         "global_load");
  // An invalidation counts as a load.
  clean("gfx1201", load + "global_inv scope:SCOPE_SE\ns_wait_loadcnt 0x1\n" + use);
}

}  // namespace
}  // namespace w4::rdna
