// run_case over a fake device and module: each verdict for its reason and no other.
#include "verify/run_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/verify/fake_device.h"
#include "tests/verify/fake_module.h"

namespace w4::test {
namespace {

using testing::HasSubstr;

class RunCase : public testing::Test {
 protected:
  RunCase() {
    auto device = std::make_unique<FakeDevice>();
    device_ = device.get();
    context_.put_device("gfx1151", std::move(device));
    context_.put_module("fake", &fake_module());
  }

  Verdict run(const std::string& text) {
    auto c = parse_case(text + " module=fake");
    EXPECT_TRUE(c.has_value()) << (c ? "" : c.error().text);
    Verdict v = run_case(*c, context_);
    EXPECT_EQ(parse_case(v.line), *c);
    return v;
  }
  template <class T>
  T expect(const std::string& text, VerdictKind kind, bool green) {
    const Verdict v = run(text);
    EXPECT_EQ(v.kind(), kind) << to_string(v);
    EXPECT_EQ(v.green(), green) << to_string(v);
    const T* got = std::get_if<T>(&v.primary());
    return got ? *got : T{};
  }

  Context context_;
  FakeDevice* device_;
};

TEST_F(RunCase, PassesTheRightKernel) {
  for (const char* line :
       {"right m=1 n=8 k=64 g=32", "right m=5 n=16 k=256 g=128 act=bf16 zp=packed bias=n",
        "right m=2 n=9 k=128 g=64 zp=unpacked bias=mxn fill=normal",
        "right m=3 n=8 k=64 g=32 bias=mx1 fill=integer", "right m=2 n=8 k=64 g=64 fill=special",
        "right m=2 n=16 k=64 g=64 fill=lane zp=packed", "right m=2 n=8 k=64 g=32 bias=1x1"}) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    EXPECT_TRUE(v.green());
    EXPECT_EQ(v.ran.fp, default_fp("gfx1151"));
  }
}

TEST_F(RunCase, InlineAssemblyHasItsWaitsCheckedToo) {
  const auto checks = [this](const std::string& line) {
    run(line + " m=1 n=8 k=64 g=32");
    return device_->checks;
  };
  EXPECT_EQ(checks("right"), kAllChecks);
  EXPECT_EQ(checks("right checks=all+waits"), kAllChecks | kWaits);
  EXPECT_EQ(checks("by_hand"), kAllChecks | kWaits);
  EXPECT_EQ(checks("by_hand checks=bounds+uninit"), kBounds | kUninit);
  EXPECT_EQ(checks("by_hand checks=none"), 0u);
}

TEST_F(RunCase, PadsOffsetsAndGapsHoldNothing) {
  // The fake device throws where a kernel reads what is undefined or a gap.
  const Verdict v =
      run("strided m=3 n=16 k=64 g=32 zp=packed lda=80 ldy=24 wpad=8 spad=3 aoff=16 woff=4 soff=2 "
          "yoff=6");
  EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  const auto* out = device_->find("out");
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(out->bytes.size(), 2u * (2 * 24 + 16));
  EXPECT_EQ(std::count(out->gap.begin(), out->gap.end(), true), 2 * 2 * 8);
  EXPECT_EQ(out->request.offset, 6u);
  const auto* wei = device_->find("wei");
  ASSERT_NE(wei, nullptr);
  EXPECT_EQ(wei->bytes.size(), 16u * (32 + 8));
  EXPECT_EQ(std::count(wei->defined.begin(), wei->defined.end(), true), 16 * 32);
  EXPECT_FALSE(wei->request.writable);
}

TEST_F(RunCase, ShowsTheWorstElementOfAMismatch) {
  const auto v = expect<Mismatch>("wrong_value m=2 n=16 k=64 g=32", VerdictKind::mismatch, false);
  EXPECT_EQ(v.count, 1);
  EXPECT_EQ(v.total, 32);
  EXPECT_EQ(v.worst.m, 0);
  EXPECT_EQ(v.worst.n, 3);
  EXPECT_GT(std::abs(v.worst.ratio), 1);
  EXPECT_THAT(v.pattern, HasSubstr("rows m=0 of 2"));
}

TEST_F(RunCase, FindsWhatWasNotWritten) {
  const auto v = expect<Found>("unwritten m=2 n=8 k=64 g=32", VerdictKind::finding, false);
  ASSERT_EQ(v.findings.size(), 1u);
  EXPECT_EQ(v.findings[0].kind, FindingKind::unwritten_output);
  EXPECT_EQ(v.findings[0].offset, 2);
}

TEST_F(RunCase, RefusedByTheBrokenClauseIsGreen) {
  const auto v = expect<Refused>("right m=1 n=64 k=100 g=64", VerdictKind::refused, true);
  EXPECT_EQ(v.clause, "k.group");
  EXPECT_TRUE(v.untouched);
  EXPECT_EQ(expect<Refused>("right m=6 n=8 k=64 g=32", VerdictKind::refused, true).clause,
            "m.range");
  EXPECT_EQ(expect<Refused>("right m=0 n=8 k=64 g=48", VerdictKind::refused, true).clause,
            "group.size");
  EXPECT_EQ(device_->launches, 0);
}

TEST_F(RunCase, RefusingALegalCallIsNotGreen) {
  const auto v = expect<Refused>("refuses_legal m=1 n=8 k=64 g=32", VerdictKind::refused, false);
  EXPECT_FALSE(v.expected);
  // … nor is the refusal of a broken call by a clause that it does not break.
  EXPECT_FALSE(
      expect<Refused>("refuses_legal m=1 n=8 k=64 g=48", VerdictKind::refused, false).expected);
}

TEST_F(RunCase, ARefusalAfterALaunchIsAccepted) {
  expect<Accepted>("touches m=6 n=8 k=64 g=32", VerdictKind::accepted, false);
}

TEST_F(RunCase, AcceptedWhereTheBrokenCallRan) {
  const auto v = expect<Accepted>("unchecked m=6 n=8 k=64 g=32", VerdictKind::accepted, false);
  EXPECT_EQ(v.clause, "m.range");
}

TEST_F(RunCase, OnlyConfirmedFindingsCount) {
  EXPECT_EQ(run("false_alarm m=1 n=8 k=64 g=32").kind(), VerdictKind::pass);
  EXPECT_EQ(device_->launches, 2);
  EXPECT_EQ(run("true_alarm m=1 n=8 k=64 g=32").kind(), VerdictKind::finding);
  EXPECT_EQ(run("lost_race m=1 n=8 k=64 g=32").kind(), VerdictKind::harness_error);
}

TEST_F(RunCase, TracesOnlyWhereAskedTo) {
  for (bool trace : {false, true}) {
    const auto text = [&](const std::string& kernel) {
      const auto c = parse_case(kernel + " m=1 n=8 k=64 g=32 module=fake");
      return to_string(run_case(*c, context_, trace));
    };
    EXPECT_EQ(text("unsupported").contains("a trace"), trace);
    EXPECT_EQ(text("step_limit").contains("a trace"), trace);
    EXPECT_EQ(text("true_alarm").contains("a confirmed trace"), trace);
    EXPECT_FALSE(text("right").contains("trace"));
  }
}

TEST_F(RunCase, EndsOfALaunch) {
  EXPECT_EQ(expect<Unsupported>("unsupported m=1 n=8 k=64 g=32", VerdictKind::unsupported, false)
                .instruction,
            "v_fancy_f32 v0, v1");
  EXPECT_EQ(run("step_limit m=1 n=8 k=64 g=32").kind(), VerdictKind::timeout);
  EXPECT_EQ(run("idle m=1 n=8 k=64 g=32").kind(), VerdictKind::harness_error);
}

TEST_F(RunCase, TrustsOnlyTheWantedInstantiation) {
  const auto v =
      expect<Mistrusted>("other_group m=1 n=8 k=64 g=32", VerdictKind::mistrusted, false);
  EXPECT_THAT(v.why, HasSubstr("g32"));
  EXPECT_EQ(run("other_group m=1 n=8 k=128 g=128").kind(), VerdictKind::pass);
}

TEST_F(RunCase, SaysWhyItSkips) {
  EXPECT_EQ(
      expect<Skipped>("right m=1 n=1000000 k=1048576 g=32", VerdictKind::skipped, false).reason,
      SkipReason::too_large);
  EXPECT_EQ(
      expect<Skipped>("right m=1 n=8 k=64 g=32 device=hip", VerdictKind::skipped, false).reason,
      SkipReason::no_device);
  // Two factors, three factors: no product overflows.
  for (const char* line :
       {"right m=9223372036854775807 n=9223372036854775807 k=9223372036854775807 g=32",
        "right bias=9223372036854775807x9223372036854775807 ldb=9223372036854775807",
        "right bias=9223372036854775807 ldb=9223372036854775807"}) {
    EXPECT_EQ(run(line).kind(), VerdictKind::skipped) << line;
  }
  // A bias of N numbers is no reason, however large N.
  EXPECT_EQ(run("right m=1 n=20000 k=32 g=32 bias=n").kind(), VerdictKind::pass);
  // K = 36 = 9 half-words: no clause of the fake kernel is broken when G divides it.
  EXPECT_EQ(run("no_such_kernel m=1").kind(), VerdictKind::harness_error);
}

TEST_F(RunCase, SurvivesEveryExtremeSize) {
  constexpr const char* kBig = "9223372036854775807";
  for (const char* key : {"m", "n", "k", "g", "lda", "ldy", "wpad", "spad", "ldb", "aoff", "woff",
                          "soff", "zoff", "boff", "yoff", "cus", "lds"}) {
    for (const char* value : {"-9223372036854775808", "-1", "0", "7", kBig}) {
      const std::string base = std::string(key) + "=" + value;
      for (const char* rest : {" zp=packed bias=n", " zp=unpacked bias=mxn act=bf16", " bias=3x5",
                               " src=awq zp=packed", " src=gptq1", " sdt=f64 zp=packed zdt=i8"}) {
        const auto c = parse_case("right " + base + rest + " module=fake");
        if (!c) continue;
        const Verdict v = run_case(*c, context_);
        EXPECT_NE(v.kind(), VerdictKind::crash) << v.line;
      }
    }
  }
}

}  // namespace
}  // namespace w4::test
