// Shrinking with a run function whose defects are predicates: what comes out is as small as the
// predicate allows, fails alike, is legal where the first case was, and the limits hold.
#include "verify/shrink/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/contract.h"

namespace w4 {
namespace {

using Predicate = std::function<bool(const Case&)>;

// Clauses as decode has them, in short.
std::string broken_clause(const Problem& p) {
  if (p.m < 1 || p.m > 5) return "m.range";
  if (p.n < 1) return "n.range";
  if (p.g != 32 && p.g != 64 && p.g != 128) return "g.value";
  if (p.k < p.g || p.k % p.g != 0) return "k.group";
  if (p.zp == ZpMode::packed && p.n % 8 != 0) return "zp.octets";
  if (p.lda.value_or(p.k) < p.k) return "act.stride";
  return "";
}

Outcome mismatch() { return Mismatch{{}, 1, 1, ""}; }
Outcome finding(FindingKind kind) {
  Finding f;
  f.kind = kind;
  return Found{{f}};
}

// Refuses what is illegal, shows `failure` where `fails`, passes otherwise; counts its runs.
struct Fake {
  Predicate fails;
  Outcome failure = mismatch();
  int64_t runs = 0;

  Verdict operator()(const Case& c) {
    ++runs;
    const auto verdict = [&](Outcome o) { return make_verdict(to_string(c), {std::move(o)}, {}); };
    if (const std::string clause = broken_clause(c.problem); !clause.empty()) {
      return verdict(Refused{clause, "", true, true});
    }
    return verdict(fails(c) ? failure : Outcome(Pass{}));
  }
};

Case line(const std::string& text) { return parse_case(text).value(); }

// Everything that can be odd about a legal line.
constexpr const char* kNoisy =
    "decode m=5 n=4104 k=13056 g=128 act=bf16 zp=packed bias=mxn src=awq lda=13088 wpad=128 spad=5 "
    "ldy=4120 aoff=48 woff=12 soff=6 zoff=8 boff=2 yoff=10 tile=y2u2a16w16 cus=7 lds=163840 "
    "pad=f2 device=gfx1201 checks=bounds fill=normal seed=77 sched=prio:9:7 fp=gfx1201";

Shrunk shrunk(const Predicate& fails, const std::string& from = kNoisy,
              const ShrinkLimits& limits = {}) {
  Fake fake{fails};
  return shrink(line(from), std::ref(fake), limits);
}

TEST(Shrink, LeavesThePlainestCaseOfAFailureThatIsEverywhere) {
  const Shrunk s = shrunk([](const Case&) { return true; });
  EXPECT_EQ(to_string(s.smallest), "decode n=1 k=32 g=32 fill=constant only=k0..0");
  EXPECT_EQ(s.end, Shrunk::End::minimal);
  EXPECT_EQ(s.verdict.line, to_string(s.smallest));
  EXPECT_LT(s.cases, 60);
}

TEST(Shrink, FindsTheLeastSizes) {
  const Shrunk s =
      shrunk([](const Case& c) { return c.problem.k > 1024 && c.problem.zp == ZpMode::packed; });
  EXPECT_EQ(s.smallest.problem.k, 1056);
  EXPECT_EQ(s.smallest.problem.g, 32);
  EXPECT_EQ(s.smallest.problem.n, 8);  // packed zero points want octets
  EXPECT_EQ(s.smallest.problem.m, 1);
  EXPECT_EQ(s.smallest.problem.lda, std::nullopt);
  EXPECT_EQ(s.smallest.problem.zp, ZpMode::packed);

  const Shrunk rows = shrunk([](const Case& c) { return c.problem.m >= 3 && c.problem.n > 100; });
  EXPECT_EQ(rows.smallest.problem.m, 3);
  EXPECT_EQ(rows.smallest.problem.n, 101);
}

// One reason each, in every field that the noisy line sets: it stays, everything else goes.
TEST(Shrink, KeepsTheOneFieldThatMatters) {
  const Case noisy = line(kNoisy);
  const Shrunk plain = shrunk([](const Case&) { return true; });
  struct Reason {
    Predicate fails;
    std::string left;
  };
  const Reason reasons[]{
      {[](const Case& c) { return c.problem.act == DType::bf16; }, "act=bf16"},
      {[](const Case& c) { return c.problem.bias.rank == 2; }, "bias=1x1"},
      {[](const Case& c) { return c.problem.src == Source::awq; }, "src=awq"},
      {[](const Case& c) { return resolved_lda(c.problem) > c.problem.k; }, "lda=48"},
      {[](const Case& c) { return c.problem.wpad.value_or(0) > 0; }, "wpad=16"},
      {[](const Case& c) { return c.problem.aoff % 32 != 0; }, "aoff=16"},
      {[](const Case& c) { return c.problem.yoff != 0; }, "yoff=2"},
      {[](const Case& c) { return c.problem.tile.has_value(); }, "tile=y2u2a16w16"},
      {[](const Case& c) { return c.problem.lds.value_or(0) > 70000; }, "lds=70016"},
      {[](const Case& c) { return c.problem.pad != Padding::none; }, "pad=f1"},
      {[](const Case& c) { return c.device == "gfx1201"; }, "device=gfx1201"},
      {[](const Case& c) { return c.checks.mask == kBounds; }, "checks=bounds"},
      {[](const Case& c) { return c.sched.order == Order::priority; }, "sched=prio:0:0"},
      {[](const Case& c) { return c.fp == "gfx1201"; }, "fp=gfx1201"},
  };
  for (const Reason& r : reasons) {
    const Shrunk s = shrunk(r.fails);
    EXPECT_TRUE(r.fails(s.smallest)) << to_string(s.smallest);
    const std::string text = to_string(s.smallest);
    EXPECT_NE(text.find(r.left), text.npos) << r.left << " is not in " << text;
    EXPECT_LE(text.size(), to_string(plain.smallest).size() + r.left.size() + 20) << text;
  }
}

TEST(Shrink, GivesUpDataLast) {
  const auto has = [](const std::optional<Span>& r, int64_t v) { return !r || r->has(v); };
  const Shrunk s = shrunk([&](const Case& c) {
    const Problem& p = c.problem;
    return p.n > 70 && p.k > 700 && p.m > 2 && has(c.only.m, 2) && has(c.only.n, 70) &&
           has(c.only.k, 130) && has(c.only.k, 700) && c.fill != Fill::constant;
  });
  EXPECT_EQ(to_string(s.smallest.only), "m2..2+n70..70+k130..700");
  EXPECT_EQ(s.smallest.fill, Fill::onehot);
  EXPECT_EQ(s.smallest.seed, 1u);
  EXPECT_EQ(s.smallest.problem.k, 704);
}

TEST(Shrink, OfAFindingLeavesTheDataWhole) {
  Fake fake{[](const Case&) { return true; }, finding(FindingKind::lds_race)};
  const Shrunk s = shrink(line(kNoisy), std::ref(fake));
  EXPECT_EQ(to_string(s.smallest), "decode n=1 k=32 g=32 fill=constant");
}

// Every step may end in another failure, or in an illegal case: none of these comes out.
TEST(Shrink, KeepsTheKindAndTheFinding) {
  const RunCase run = [](const Case& c) {
    const Problem& p = c.problem;
    std::vector<Outcome> out;
    if (p.n < 100) {
      out.push_back(finding(FindingKind::lds_oob));
    } else if (p.k < 512) {
      out.push_back(mismatch());
    } else {
      out.push_back(finding(FindingKind::oob_read));
    }
    // An illegal call that runs all the same: the finding is attached to the broken clause.
    if (!broken_clause(p).empty()) out.push_back(Accepted{broken_clause(p), ""});
    return make_verdict(to_string(c), std::move(out), {});
  };
  const Shrunk s = shrink(line(kNoisy), run);
  EXPECT_EQ(failure_of(s.verdict), (Failure{VerdictKind::finding, "oob_read", ""}));
  EXPECT_EQ(broken_clause(s.smallest.problem), "") << to_string(s.smallest);
  EXPECT_EQ(s.smallest.problem.n, 100);
  EXPECT_EQ(s.smallest.problem.k, 512);
}

TEST(Shrink, KeepsTheClauseAndTheLaw) {
  const RunCase accepts = [](const Case& c) {
    const std::string clause = broken_clause(c.problem);
    return make_verdict(to_string(c),
                        {clause.empty() ? Outcome(Pass{}) : Outcome(Accepted{clause, ""})}, {});
  };
  const Shrunk s = shrink(line("decode m=5 n=4000 k=12345 g=128 lda=99999 seed=8"), accepts);
  EXPECT_EQ(failure_of(s.verdict).name, "k.group");
  EXPECT_EQ(broken_clause(s.smallest.problem), "k.group");
  EXPECT_EQ(s.smallest.problem.k, 1);

  const RunCase law = [](const Case& c) {
    const std::string broken = c.problem.m > 2 ? "permute_n" : "no_bias";
    return make_verdict(to_string(c), {LawBroken{broken, "", "", 0, 0, ""}}, {});
  };
  const Shrunk l = shrink(line("decode m=5 n=4000 k=512 g=64 law=permute_n"), law);
  EXPECT_EQ(l.smallest.problem.m, 3);
  EXPECT_EQ(l.smallest.law, Law::permute_n);
}

TEST(Shrink, HasNothingToDoWhereTheCaseIsGreen) {
  Fake fake{[](const Case&) { return false; }};
  const Case c = line("decode m=3 n=64 k=256 g=64");
  const Shrunk s = shrink(c, std::ref(fake));
  EXPECT_EQ(s.end, Shrunk::End::green);
  EXPECT_EQ(s.smallest, c);
  EXPECT_EQ(fake.runs, 1);
  EXPECT_EQ(shrink(line("decode m=9"), std::ref(fake)).end, Shrunk::End::green);  // refused
}

TEST(Shrink, StaysWithinItsCasesAndAlwaysReturnsAFailingCase) {
  const Predicate fails = [](const Case& c) {
    return c.problem.k * c.problem.m > 3000 && c.problem.n % 24 == 0;
  };
  const Case start = line("decode m=4 n=2400 k=8192 g=64 zp=packed lda=8200 seed=9 sched=rev");
  int64_t last = 1 << 30;
  for (const int64_t cases : {1, 2, 5, 20, 100, 100000}) {
    Fake fake{fails};
    const Shrunk s = shrink(start, std::ref(fake), {.cases = cases, .seconds = 0});
    EXPECT_LE(fake.runs, cases);
    EXPECT_EQ(s.cases, fake.runs);
    EXPECT_TRUE(fails(s.smallest));
    EXPECT_EQ(s.end, cases <= 20 ? Shrunk::End::out_of_cases : s.end);
    const Problem& p = s.smallest.problem;
    EXPECT_LE(p.m * p.n * p.k, last);
    last = p.m * p.n * p.k;
    // The same again.
    Fake again{fails};
    EXPECT_EQ(shrink(start, std::ref(again), {.cases = cases, .seconds = 0}).smallest, s.smallest);
  }
  EXPECT_LT(last, 24 * 3100);
}

TEST(Shrink, RunsNoCaseTwice) {
  std::set<std::string> seen;
  const RunCase run = [&](const Case& c) {
    EXPECT_TRUE(seen.insert(to_string(c)).second) << to_string(c);
    return make_verdict(to_string(c), {c.problem.n > 77 ? mismatch() : Outcome(Pass{})}, {});
  };
  EXPECT_EQ(shrink(line(kNoisy), run).smallest.problem.n, 78);
}

TEST(Shrink, StopsWhenTheWatcherSaysSo) {
  Fake fake{[](const Case& c) { return c.problem.n > 50; }};
  const Case start = line(kNoisy);
  std::vector<int64_t> seen;
  const Shrunk s = shrink(start, std::ref(fake), {}, [&](const ShrinkState& state) {
    seen.push_back(state.cases);
    EXPECT_GT(state.smallest.problem.n, 50);
    return state.cases < 7;
  });
  EXPECT_EQ(s.end, Shrunk::End::stopped);
  EXPECT_EQ(fake.runs, 7);
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_GT(s.smallest.problem.n, 50);
}

TEST(Shrink, StartsNoCaseAfterItsTime) {
  Fake fake{[](const Case&) { return true; }};
  const RunCase slow = [&](const Case& c) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    while (std::chrono::steady_clock::now() < until) {
    }
    return fake(c);
  };
  const Shrunk s = shrink(line(kNoisy), slow, {.cases = 1000, .seconds = 0.01});
  EXPECT_EQ(s.end, Shrunk::End::out_of_time);
  EXPECT_EQ(fake.runs, 1);
}

TEST(Shrink, OfExpertsKeepsALayerOfExperts) {
  const RunCase run = [](const Case& c) {
    const Problem& p = c.problem;
    const bool legal = p.experts > 0 && p.topk <= p.experts && p.topk > 0 &&
                       (p.blockm == 16 || p.blockm == 32 || p.blockm == 64) && p.k % p.g == 0;
    return make_verdict(to_string(c),
                        {!legal          ? Outcome(Refused{"moe", "", true, true})
                         : p.experts > 2 ? mismatch()
                                         : Outcome(Pass{})},
                        {});
  };
  const Shrunk s =
      shrink(line("moe_prefill m=64 n=768 k=2048 g=64 experts=16 topk=8 blockm=64 route=skewed "
                  "rows=contiguous seed=5"),
             run);
  EXPECT_EQ(to_string(s.smallest),
            "moe_prefill n=1 k=32 g=32 experts=3 blockm=16 fill=constant only=k0..0");
}

}  // namespace
}  // namespace w4
