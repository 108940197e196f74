// Detector triads: a tiny kernel with one fault, the exact finding, and the clean twin where any
// finding fails. Fast run and confirming run must agree; the confirming one names the birth.
#include <algorithm>

#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

using testing::HasSubstr;

class Faults : public testing::TestWithParam<std::string> {
 protected:
  static constexpr uint32_t kN = 128;
  Faults() : rig_(GetParam()) {
    std::vector<uint32_t> zeros(kN, 0);
    in_ = rig_.input("in", zeros);
    out_ = rig_.output("out", kN * 4);
  }

  template <class... A>
  LaunchReport run(std::string_view symbol, bool confirm, A... args) {
    LaunchConfig c = config(1, kN);
    c.confirm = confirm;
    return rig_.launch(symbol, c, args...);
  }
  template <class... A>
  void expect_clean(std::string_view symbol, A... args) {
    for (bool confirm : {false, true}) {
      const LaunchReport r = run(symbol, confirm, args...);
      EXPECT_EQ(r.end, LaunchReport::End::completed) << symbol << ": " << what(r);
    }
  }
  // Both runs have a finding of this kind; returns the confirming one.
  template <class... A>
  Finding expect_finding(FindingKind kind, std::string_view symbol, A... args) {
    Finding last;
    for (bool confirm : {false, true}) {
      const LaunchReport r = run(symbol, confirm, args...);
      EXPECT_EQ(r.end, LaunchReport::End::findings) << symbol << ": " << what(r);
      // One fault may show in two ways (a race also reads what is not written yet): look for ours.
      const auto f = std::ranges::find(r.findings, kind, &Finding::kind);
      EXPECT_NE(f, r.findings.end()) << what(r);
      if (f == r.findings.end()) return last;
      last = *f;
      EXPECT_EQ(last.at.workgroup, 0);
      EXPECT_GE(last.at.wave, 0);
      if (has_source_) {
        EXPECT_THAT(last.at.source, testing::StartsWith("faults.hip:")) << to_string(last);
      }
      EXPECT_FALSE(last.at.instruction.empty());
    }
    return last;
  }

  Rig rig_;
  Address in_ = 0, out_ = 0;
  bool has_source_ = true;  // the compiler gives merged code no line
};

TEST_P(Faults, LdsRace) {
  const Finding f = expect_finding(FindingKind::lds_race, "fault_race", in_, out_);
  ASSERT_TRUE(f.other.has_value());
  EXPECT_NE(f.other->wave, f.at.wave);
  EXPECT_NE(f.other->pc, 0u);
  EXPECT_THAT(f.other->instruction, HasSubstr("ds_"));
  expect_clean("clean_race", in_, out_);
}

TEST_P(Faults, LdsRaceOfAPlainReadWithAtomics) {
  expect_finding(FindingKind::lds_race, "fault_atomic_race", in_, out_);
  expect_clean("clean_atomic_race", in_, out_);
}

TEST_P(Faults, LdsRaceOfALateReader) {
  const Finding f = expect_finding(FindingKind::lds_race, "fault_race_read", in_, out_);
  ASSERT_TRUE(f.other.has_value());
  EXPECT_EQ(f.at.wave - f.other->wave, 2);
  EXPECT_THAT(f.at.instruction, HasSubstr("ds_load"));
  EXPECT_THAT(f.other->instruction, HasSubstr("ds_store"));
  expect_clean("clean_race_read", in_, out_);
}

TEST_P(Faults, WideLdsAccesses) {
  const Finding race = expect_finding(FindingKind::lds_race, "fault_quads_race", in_, out_);
  EXPECT_THAT(race.at.instruction, HasSubstr("ds_load"));
  const Finding f = expect_finding(FindingKind::undefined_store, "fault_quads_uninit", in_, out_);
  EXPECT_EQ((f.at.wave * 32 + f.at.lane) & 95, 77);  // threads 77 and 109 read that row
  EXPECT_THAT(f.born, HasSubstr("LDS byte 1240 was never written"));
  expect_clean("clean_quads", in_, out_);
}

TEST_P(Faults, BytesOfLdsAreToldApart) {
  const Finding f = expect_finding(FindingKind::lds_race, "fault_bytes", in_, out_);
  EXPECT_EQ(f.offset, 0);
  expect_clean("clean_bytes", in_, out_);
}

TEST_P(Faults, LdsOutOfBounds) {
  const Finding f = expect_finding(FindingKind::lds_oob, "fault_lds_oob", in_, out_);
  EXPECT_EQ(f.offset, 512);
  EXPECT_EQ(f.bytes, 4);
  EXPECT_EQ(f.at.wave, 3);
  EXPECT_EQ(f.at.lane, 31);
  expect_clean("clean_lds_oob", in_, out_);
}

TEST_P(Faults, UninitialisedLdsReachesAStore) {
  const Finding f = expect_finding(FindingKind::undefined_store, "fault_uninit_lds", in_, out_);
  EXPECT_EQ(f.at.wave * 32 + f.at.lane, 127 - 77);
  EXPECT_THAT(f.born, HasSubstr("LDS byte 308 was never written"));
  expect_clean("clean_uninit_lds", in_, out_);
  expect_clean("clean_uninit_unused", in_, out_);
}

TEST_P(Faults, GlobalReadOutOfBoundsByOneElement) {
  Finding f = expect_finding(FindingKind::oob_read, "copy_shifted", in_, out_, 1, 0);
  EXPECT_EQ(f.buffer, "in");
  EXPECT_EQ(f.offset, 512);
  f = expect_finding(FindingKind::oob_read, "copy_shifted", in_, out_, -1, 0);
  EXPECT_EQ(f.offset, -4);
  expect_clean("copy_shifted", in_, out_, 0, 0);
}

TEST_P(Faults, GlobalWriteOutOfBoundsByOneElement) {
  Finding f = expect_finding(FindingKind::oob_write, "copy_shifted", in_, out_, 0, 1);
  EXPECT_EQ(f.buffer, "out");
  EXPECT_EQ(f.offset, 512);
  EXPECT_EQ(f.at.wave, 3);
  EXPECT_EQ(f.at.lane, 31);
  f = expect_finding(FindingKind::oob_write, "copy_shifted", in_, out_, 0, -1);
  EXPECT_EQ(f.offset, -4);
}

TEST_P(Faults, AccessToAGapBetweenRows) {
  ASSERT_TRUE(rig_.emulator().memory().mark_gap(in_ + 400, 4));
  const Finding f = expect_finding(FindingKind::oob_read, "copy_shifted", in_, out_, 0, 0);
  EXPECT_EQ(f.offset, 400);
  EXPECT_THAT(f.detail, HasSubstr("gap"));
}

TEST_P(Faults, NullPointer) {
  const Finding f = expect_finding(FindingKind::oob_read, "copy_shifted", Address{0}, out_, 0, 0);
  EXPECT_THAT(f.detail, HasSubstr("null page"));
}

TEST_P(Faults, ReadOnlyWrite) {
  const Finding f = expect_finding(FindingKind::read_only_write, "write_input", in_, out_, 1);
  EXPECT_EQ(f.buffer, "in");
  expect_clean("write_input", in_, out_, 0);
}

TEST_P(Faults, TwoOwnersOfOneElement) {
  const Finding f = expect_finding(FindingKind::double_write, "two_owners", out_, 1);
  ASSERT_TRUE(f.other.has_value());
  EXPECT_EQ(f.offset, 0);
  EXPECT_EQ(f.other->lane, 0);
  EXPECT_EQ(f.at.lane, 1);
  expect_clean("two_owners", out_, 0);
}

TEST_P(Faults, UnwrittenElementsAreListed) {
  expect_clean("copy_shifted", in_, out_, 0, 0);
  EXPECT_TRUE(rig_.emulator().memory().unwritten(out_, 10).empty());
  const Address half = rig_.output("half", kN * 8);
  expect_clean("copy_shifted", in_, half, 0, 0);
  EXPECT_EQ(rig_.emulator().memory().unwritten(half, 3), (std::vector<uint64_t>{512, 514, 516}));
}

TEST_P(Faults, UndefinedRegister) {
  has_source_ = false;
  const Finding f =
      expect_finding(FindingKind::undefined_store, "undefined_register", in_, out_, 1);
  EXPECT_THAT(f.born, testing::MatchesRegex("[vs][0-9]+ was never written.*"));
  expect_finding(FindingKind::undefined_address, "undefined_register", in_, out_, 2);
  expect_finding(FindingKind::undefined_branch, "undefined_register", in_, out_, 3);
  expect_clean("undefined_register", in_, out_, 0);
}

// Only the confirming run tells the bytes of a word apart; the fast one may report too much.
TEST_P(Faults, UndefinedBitsThroughLds) {
  has_source_ = false;
  const Finding f =
      expect_finding(FindingKind::undefined_store, "undefined_through_lds", in_, out_, 1);
  EXPECT_THAT(f.born, testing::MatchesRegex("v[0-9]+ was never written.*"));
  const LaunchReport clean = run("undefined_through_lds", true, in_, out_, 0);
  EXPECT_EQ(clean.end, LaunchReport::End::completed) << what(clean);
}

TEST_P(Faults, UninitialisedGlobalMemoryReachesAStore) {
  const Address raw = rig_.allocate({.name = "raw", .bytes = 512, .initialised = false});
  const Finding f = expect_finding(FindingKind::undefined_store, "copy_shifted", raw, out_, 0, 0);
  EXPECT_THAT(f.born, HasSubstr("byte 0 of raw was never written"));
}

TEST_P(Faults, StepLimit) {
  LaunchConfig c = config(1, 32);
  c.step_limit = 10'000;
  const LaunchReport r = rig_.launch("spin", c, out_, -1);
  EXPECT_EQ(r.end, LaunchReport::End::step_limit) << what(r);
  EXPECT_EQ(r.wave_instructions, 10'000u);
  EXPECT_NE(r.where.pc, 0u);
  EXPECT_EQ(rig_.launch("spin", c, out_, 10).end, LaunchReport::End::completed);
}

TEST_P(Faults, MisalignedAtomic) {
  const Address zeroed = rig_.allocate({.name = "zeroed", .bytes = 512, .writable = true});
  expect_finding(FindingKind::misaligned, "misaligned_atomic", zeroed, 2);
  expect_clean("misaligned_atomic", zeroed, 4);
}

TEST_P(Faults, BarrierDivergence) {
  const Finding f = expect_finding(FindingKind::barrier_divergence, "two_barriers_128", out_, 1);
  ASSERT_TRUE(f.other.has_value());
  EXPECT_NE(f.other->pc, f.at.pc);
  expect_clean("two_barriers_128", out_, 0);
}

TEST_P(Faults, ChecksCanBeSwitchedOff) {
  LaunchConfig c = config(1, kN);
  c.checks = 0;
  EXPECT_EQ(rig_.launch("fault_race", c, in_, out_).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.launch("fault_lds_oob", c, in_, out_).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.launch("fault_uninit_lds", c, in_, out_).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.launch("copy_shifted", c, in_, out_, 1, 1).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.launch("write_input", c, in_, out_, 1).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.read<uint32_t>(in_, kN), std::vector<uint32_t>(kN, 0))
      << "a read-only buffer was written";
  // One check at a time finds its own fault only.
  c.checks = kLdsRace;
  const LaunchReport r = rig_.launch("fault_race", c, in_, out_);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].kind, FindingKind::lds_race);
}

TEST_P(Faults, ImpossibleLaunchesAreRefused) {
  LaunchConfig c = config(1, kN);
  EXPECT_EQ(rig_.launch("no_such_kernel", c).end, LaunchReport::End::refused);
  c.dynamic_lds = 65536;
  EXPECT_THAT(rig_.launch("clean_race", c, in_, out_).why, HasSubstr("LDS"));
  c.dynamic_lds = 0;
  c.block.x = 129;
  EXPECT_THAT(rig_.launch("clean_race", c, in_, out_).why, HasSubstr("129"));
  c.block.x = 0;
  EXPECT_THAT(rig_.launch("clean_race", c, in_, out_).why, HasSubstr("zero"));
}

INSTANTIATE_TEST_SUITE_P(Detectors, Faults, testing::ValuesIn(paths(W4_FAULTS)), test_name);

}  // namespace
}  // namespace w4::rdna
