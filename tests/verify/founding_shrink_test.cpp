// The founding defects, shrunk from lines with a lot of accident in them: the kind stays, and what
// is left is not much more than the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "verify/run_case.h"
#include "verify/shrink/shrink.h"

namespace w4 {
namespace {

std::string module_path(std::string_view id) {
  std::ifstream in(W4_MODULES_LIST);
  for (std::string name, path; in >> name >> path;) {
    if (name == id) return path;
  }
  return "";
}

struct Founding {
  const char* id;
  const char* noisy;
  int64_t n, k, m;  // at most
  size_t keys;      // at most, module= included
};

void PrintTo(const Founding& f, std::ostream* out) { *out << f.id; }

class ShrinkFounding : public testing::TestWithParam<Founding> {};

TEST_P(ShrinkFounding, LeavesLittleMoreThanTheReason) {
  const Founding& f = GetParam();
  Case c = parse_case(f.noisy).value();
  c.module = module_path(f.id);
  ASSERT_FALSE(c.module.empty());
  Context context;
  const RunCase run = [&](const Case& one) { return run_case(one, context); };
  const Verdict first = run(c);
  ASSERT_FALSE(first.green() || first.kind() == VerdictKind::skipped) << to_string(first);
  const Shrunk s = shrink(c, run, {.cases = 600, .seconds = 0});
  const std::string text = to_string(s.smallest);
  std::cout << "  " << text << "\n  " << s.cases << " cases, " << s.seconds << " s, "
            << name_of(s.end) << "\n";
  EXPECT_EQ(failure_of(s.verdict), failure_of(first));
  EXPECT_TRUE(shows(run(s.smallest), failure_of(first)));
  const Problem& p = s.smallest.problem;
  EXPECT_LE(p.n, f.n) << text;
  EXPECT_LE(p.k, f.k) << text;
  EXPECT_LE(p.m, f.m) << text;
  EXPECT_LE(static_cast<size_t>(std::ranges::count(text, '=')), f.keys) << text;
  // Green without the defect: what is left is its doing alone.
  Case clean = s.smallest;
  clean.module.clear();
  const Verdict right = run(clean);
  EXPECT_TRUE(right.green() || right.kind() == VerdictKind::mistrusted) << to_string(right);
}

INSTANTIATE_TEST_SUITE_P(
    Defects, ShrinkFounding,
    testing::Values(
        Founding{"bias_row_stride_n",
                 "decode m=5 n=1544 k=2048 g=64 act=bf16 zp=packed bias=mx1 src=ct wpad=64 spad=3 "
                 "aoff=32 woff=8 soff=4 boff=6 yoff=2 cus=7 fill=normal seed=91 sched=random:17 ",
                 2, 32, 2, 7},
        Founding{"g64_runs_128",
                 "decode m=4 n=1032 k=4096 g=64 act=bf16 zp=unpacked bias=n src=gptq2 wpad=128 "
                 "spad=5 aoff=16 yoff=8 cus=48 fill=normal seed=7 sched=rev:1",
                 1, 128, 1, 7},
        Founding{"lds_gate_asks_device",
                 "decode m=4 n=520 k=9728 g=64 act=bf16 zp=packed bias=1xn wpad=4 aoff=48 yoff=4 "
                 "lds=163840 cus=7 fill=integer seed=3 sched=prio:9",
                 2, 8224, 4, 7},
        Founding{"zp_half_read_as_packed",
                 "decode m=3 n=776 k=1536 g=64 act=bf16 zp=unpacked bias=mxn woff=4 soff=2 "
                 "cus=20 fill=normal seed=12 sched=random:5",
                 2, 32, 1, 7}),
    [](const auto& p) { return std::string(p.param.id); });

}  // namespace
}  // namespace w4
