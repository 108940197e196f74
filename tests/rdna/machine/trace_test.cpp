// What a launch says of the wave when it is asked to: its last instructions and its registers.
#include "rdna/trace.h"

#include <fmt/ranges.h>

#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class Traces : public Hand {
 protected:
  LaunchReport traced(const std::string& text, LaunchConfig c, bool confirm = true,
                      bool trace = true) {
    c.trace = trace;
    c.confirm = confirm;
    return run(kBegin + text, c, {rig_.buffer("out", 4096)});
  }
  static std::string found(const LaunchReport& r) {
    EXPECT_EQ(r.findings.size(), 1u) << what(r);
    return r.findings.empty() ? "" : trace_text(r.findings[0].trace);
  }
};

// v9 and s20 are never written.
constexpr const char* kUndefinedHalf = "v_mov_b32 v5, 0x12345678\nv_bfi_b32 v2, 0xffff, v5, v9\n";

TEST_P(Traces, UndefinedBitsAreQuestionMarks) {
  const LaunchConfig c = config(1, 32);
  for (bool confirm : {true, false}) {
    const std::string t = found(traced(std::string(kUndefinedHalf) + kStore, c, confirm));
    EXPECT_THAT(t, HasSubstr("\n    v1     0x00000000  0x00000004  0x00000008  0x0000000c"));
    EXPECT_THAT(t, HasSubstr("  exec 0xffffffff  vcc 0x????????  scc ?  m0 0x????????  mode 0x" +
                             std::string(rig_.gfx12() ? "1c0" : "3c0")));
    // Halves are all the fast run knows; here they are exact.
    EXPECT_THAT(t, HasSubstr("\n    v2     0x????5678  0x????5678  0x????5678  0x????5678"));
  }
  const std::string t = found(traced("v_and_b32 v2, 0xff0, v9\n" + kStore, c));
  EXPECT_THAT(t, HasSubstr("\n    v2     0x00000??0  0x00000??0"));
}

TEST_P(Traces, NothingUnlessAskedFor) {
  const LaunchReport r = traced(std::string(kUndefinedHalf) + kStore, config(1, 32), true, false);
  EXPECT_EQ(found(r), "");
  EXPECT_THAT(what(r), Not(HasSubstr("registers at")));
  EXPECT_TRUE(traced("v_mov_b32 v2, v1\n" + kStore, config(1, 32)).trace.empty());
}

TEST_P(Traces, LanesOfTheFinding) {
  // Lanes 5 and 6 store an undefined value; lane 5 comes first, and lane 0 is of no interest.
  const std::string t = found(
      traced("v_mov_b32 v2, 0\ns_mov_b32 exec_lo, 0x60\nv_mov_b32 v2, v9\ns_mov_b32 exec_lo, -1\n" +
                 kStore,
             config(1, 32)));
  EXPECT_THAT(t, HasSubstr(" lane 5      lane 6 "));
  EXPECT_THAT(t, HasSubstr("\n    v2     0x????????  0x????????"));
  EXPECT_THAT(t, Not(HasSubstr("lane 0")));
}

TEST_P(Traces, LastInstructionsOldestFirst) {
  std::string many;
  for (int i = 0; i < 100; ++i) many += fmt::format("v_mov_b32 v3, {}\n", i % 60);
  const LaunchReport r = traced(many + kUndefinedHalf + kStore, config(1, 32));
  ASSERT_EQ(r.findings.size(), 1u) << what(r);
  const std::vector<std::string>& t = r.findings[0].trace;
  EXPECT_THAT(t[0], MatchesRegex("trace of workgroup 0 wave 0: the last 32 of 10[0-9] .*"));
  EXPECT_THAT(t[1], HasSubstr("v_mov_b32_e32 v3, "));
  EXPECT_THAT(t[Trace::kKept - 1], HasSubstr("v_bfi_b32"));
  EXPECT_THAT(t[Trace::kKept], HasSubstr("`global_store_b32 "));
  EXPECT_THAT(t[Trace::kKept + 1], HasSubstr("registers at "));
}

TEST_P(Traces, BarriersSayWhereEachWaveIs) {
  const std::string barrier =
      rig_.gfx12() ? "s_barrier_signal -1\ns_barrier_wait -1\n" : "s_barrier\n";
  const std::string t =
      found(traced("v_readfirstlane_b32 s6, v0\ns_bfe_u32 s6, s6, 0x50005\n"
                   "s_cmp_eq_u32 s6, 0\ns_cbranch_scc0 other\n" +
                       barrier + "s_endpgm\nother:\n" + barrier + "s_endpgm\n",
                   config(1, 64)));
  EXPECT_THAT(t, HasSubstr("\n  waves of workgroup 0\n    wave 0 waits at 0x"));
  EXPECT_THAT(t, HasSubstr("\n    wave 1 waits at 0x"));
}

TEST_P(Traces, StepLimitAndUnsupported) {
  LaunchConfig c = config(1, 32);
  c.step_limit = 50;
  for (bool confirm : {true, false}) {
    const LaunchReport limit = traced("again:\ns_add_u32 s20, s4, 1\ns_branch again\n", c, confirm);
    EXPECT_EQ(limit.end, LaunchReport::End::step_limit);
    const std::string t = trace_text(limit.trace);
    EXPECT_THAT(t, HasSubstr("the last 32 of 50 instructions"));
    EXPECT_THAT(t, HasSubstr("`s_branch "));
    EXPECT_THAT(t, HasSubstr("registers at " + fmt::format("{:#x}", limit.where.pc)));
  }
  c.step_limit = 1000;
  const LaunchReport unknown = traced("s_getreg_b32 s8, hwreg(2)\ns_endpgm\n", c);
  EXPECT_EQ(unknown.end, LaunchReport::End::unsupported) << what(unknown);
  EXPECT_THAT(trace_text(unknown.trace), HasSubstr("registers at "));
  EXPECT_THAT(trace_text(unknown.trace), HasSubstr("  s8 0x????????"));
}

W4_HAND_TESTS(Traces);

}  // namespace
}  // namespace w4::rdna
