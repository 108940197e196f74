// What sets of verdicts say: equal outputs count once, groups stay apart, quantiles of headroom.
#include <gtest/gtest.h>

#include "core/drifts.h"
#include "core/headrooms.h"

namespace w4 {
namespace {

// `outputs` in columns of one, half of the errors `high`, half `low`.
Drift drift(int64_t outputs, double high, double low) {
  const auto n = static_cast<double>(outputs);
  return {.outputs = outputs,
          .columns = outputs,
          .sum = n * (high + low) / 2,
          .squares = n * (high * high + low * low) / 2,
          .products = n * (high + low) / 2,
          .counts = n,
          .open = n * 0.1};
}

Verdict passed(const Pass& p, const char* fp = "ieee") {
  Provenance ran;
  ran.fp = fp;
  return make_verdict("", {p}, ran);
}

Pass with(const Drift& d) { return {.worst = {}, .headroom = 0, .exposure = 0, .drift = d}; }

Case line(const std::string& text) { return *parse_case(text); }

TEST(Drifts, CountEqualOutputsOnce) {
  Drifts d;
  d.add(line("decode m=2 n=64"), passed(with(drift(128, 0.5, -0.4))));
  d.add(line("decode m=1 n=64"), passed(with(drift(64, 0.5, -0.4))));
  for (const char* same :
       {"sched=rev", "src=ct", "wpad=64", "tile=y1u4a16w16", "aoff=32", "cus=7"}) {
    d.add(line(std::string("decode m=2 n=64 ") + same), passed(with(drift(128, 0.5, -0.4))));
  }
  ASSERT_EQ(d.groups().size(), 1u);
  EXPECT_EQ(d.groups()[0].drift.outputs, 128);
  // A bias of one row is one, however it is written; of several rows it is another.
  d.add(line("decode m=2 n=64 bias=n"), passed(with(drift(128, 0.5, -0.4))));
  d.add(line("decode m=2 n=64 bias=1xn"), passed(with(drift(128, 0.5, -0.4))));
  EXPECT_EQ(d.groups()[0].drift.outputs, 256);
  for (const char* other : {"seed=2", "fill=normal", "k=512", "g=64", "zp=packed", "bias=mxn",
                            "only=k0..7", "k0=128"}) {
    d.add(line(std::string("decode m=2 n=64 ") + other), passed(with(drift(128, 0.5, -0.4))));
  }
  EXPECT_EQ(d.groups()[0].drift.outputs, 256 + 8 * 128);
}

TEST(Drifts, KeepKernelsDevicesArithmeticAndTypesApart) {
  Drifts d;
  const Pass p = with(drift(128, 0.5, -0.4));
  d.add(line("decode"), passed(p));
  d.add(line("chunked"), passed(p));
  d.add(line("decode device=gfx1201"), passed(p));
  d.add(line("decode act=bf16"), passed(p));
  d.add(line("decode module=a.so"), passed(p));
  d.add(line("decode"), passed(p, "gfx1151"));
  EXPECT_EQ(d.groups().size(), 6u);
  d.add(line("decode"), passed(with({})));  // a fill that is not random
  d.add(line("decode seed=9"), make_verdict("", {Mismatch{}}, {}));
  EXPECT_EQ(d.groups().size(), 6u);
}

TEST(Drifts, AllowWhatTheArithmeticLeavesOpenOnly) {
  Drifts d;
  d.add(line("decode"), passed(with(drift(100000, 0.55, -0.45))));
  d.add(line("decode"), passed(with(drift(100000, 0.55, -0.45)), "gfx1151"));
  for (const Drifts::Group& g : d.groups()) {
    EXPECT_EQ(g.beyond(), g.fp == "ieee") << to_string(g);
    EXPECT_NEAR(g.drift.mean(), 0.05, 1e-9);
  }
  Drifts more;
  more.add(line("decode"), passed(with(drift(100000, 0.65, -0.35)), "gfx1151"));
  EXPECT_TRUE(more.groups()[0].beyond());
}

Pass used(double headroom, double exposure) {
  return {.worst = {}, .headroom = headroom, .exposure = exposure, .drift = {}};
}

TEST(Headrooms, HaveQuantilesOfCasesThatCouldShowOne) {
  Headrooms h;
  for (int i = 1; i <= 100; ++i) h.add(line("decode"), passed(used(i / 100.0, 2)));
  for (int i = 0; i < 900; ++i) h.add(line("decode"), passed(used(0, i % 2 * 0.5)));
  h.add(line("moe act=bf16"), passed(used(0.25, 1)));
  EXPECT_EQ(h.lines(), (std::vector<std::string>{
                           "decode f16: p50 0.5, p90 0.9, p99 0.99, max 1 of B in 100 cases",
                           "moe bf16: p50 0.25, p90 0.25, p99 0.25, max 0.25 of B in 1 cases"}));
  EXPECT_TRUE(h.too_loose().empty());
}

TEST(Headrooms, AreTooLooseOnlyWhereUseWouldHaveShown) {
  Headrooms h;
  for (int i = 0; i < 100; ++i) h.add(line("decode"), passed(used(0.04, 1)));
  EXPECT_TRUE(h.too_loose().empty());  // 0.05 of B: in 5 elements
  for (int i = 0; i < 100; ++i) h.add(line("decode"), passed(used(0.04, 1)));
  ASSERT_EQ(h.too_loose().size(), 1u);
  EXPECT_EQ(
      h.too_loose()[0],
      "decode f16 under fp ieee: no more than 0.04 of B, where 0.05 would show in 10 elements");
  h.add(line("decode"), passed(used(0.06, 0.5)));  // one that uses more is enough
  EXPECT_TRUE(h.too_loose().empty());
}

}  // namespace
}  // namespace w4
