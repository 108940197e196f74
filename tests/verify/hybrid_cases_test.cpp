// The hybrid from the line to the verdict: both sides of the route, leading dimensions, no rows,
// one refusal for each clause.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/dtypes.h"
#include "verify/materialise.h"
#include "verify/prepared_call.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

using testing::HasSubstr;

Context& context() {
  static Context c;
  return c;
}

Case parsed(const std::string& line) {
  const auto c = parse_case(line);
  EXPECT_TRUE(c) << line << ": " << (c ? "" : c.error().text);
  return c.value_or(Case{});
}

Verdict run(const std::string& line) { return run_case(parsed(line), context()); }

TEST(HybridCases, BothSidesOfEveryEdgePass) {
  for (const char* device : {"gfx1100", "gfx1151", "gfx1201", "host"}) {
    for (const char* shape : {"m=1 n=16", "m=5 n=16", "m=6 n=16", "m=1 n=8 k=32768",
                              "m=1 n=8 k=32896", "m=5 n=8 k=6528 g=32", "m=5 n=8 k=6560 g=32"}) {
      for (const char* more : {"", "act=bf16 zp=packed bias=n fill=integer"}) {
        const Verdict v = run(fmt::format("hybrid {} device={} {}", shape, device, more));
        EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
      }
    }
  }
}

TEST(HybridCases, TheInstantiationSaysTheRoute) {
  EXPECT_THAT(run("hybrid m=5 n=16").ran.instantiation, HasSubstr("resident m5"));
  EXPECT_THAT(run("hybrid m=6 n=16").ran.instantiation, HasSubstr("bm"));
  EXPECT_THAT(run("hybrid m=1 n=8 k=32896").ran.instantiation, HasSubstr("bm"));
}

// The first rows of a call with M = 6 are what M = 5 computes: apart by one rounding of each weight
// (u*S, S = sum |a*w|), of each result, and of the bias, which one route adds to a rounded sum
// (contract.md 7.5). fp32 sums add 2^-24 where u is 2^-11 or 2^-8.
TEST(HybridCases, AcrossTheEdgeTheResultsAreWithinTheRoundingsThatDiffer) {
  const auto bits = [](const std::string& line) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    auto call = PreparedCall::make(parsed(line), context());
    EXPECT_TRUE(call) << line;
    EXPECT_TRUE(call->run());
    return call->output();
  };
  for (const char* more : {"", "act=bf16", "zp=packed bias=n", "act=bf16 zp=packed"}) {
    const std::string line = fmt::format("hybrid m=5 n=24 k=512 g=64 {}", more);
    const std::vector<uint16_t> five = bits(line);
    const std::vector<uint16_t> six = bits(fmt::format("hybrid m=6 n=24 k=512 g=64 {}", more));
    const Case c = parsed(line);
    const Arrays x = make_arrays(c, make_weights(c));
    const DType t = c.problem.act;
    const double u = t == DType::bf16 ? 0x1p-8 : 0x1p-11;
    int differ = 0;
    for (int64_t m = 0; m < 5; ++m) {
      for (int64_t n = 0; n < 24; ++n) {
        double size = 0;
        for (int64_t k = 0; k < 512; ++k) {
          const double w = x.wei->q[static_cast<size_t>(n * 512 + k)] - x.wei->zero(n, k / 64);
          size += std::abs(to_f64(t, x.a[static_cast<size_t>(m * 512 + k)]) * w *
                           x.wei->scale(n, k / 64));
        }
        const auto at = static_cast<size_t>(m * 24 + n);
        const double a = to_f64(t, five[at]), b = to_f64(t, six[at]);
        EXPECT_LE(std::abs(a - b), u * (1.01 * size + 2 * std::abs(a) + 2 * std::abs(b)))
            << more << " m=" << m << " n=" << n;
        differ += a != b ? 1 : 0;
      }
    }
    EXPECT_GT(differ, 0) << "the routes are not two";
  }
}

TEST(HybridCases, LeadingDimensions) {
  for (const char* line :
       {"hybrid m=4 n=16 lead=2", "hybrid m=12 n=16 lead=3 zp=packed bias=mxn",
        "hybrid m=4 n=16 lead=4 ldl=512", "hybrid m=6 n=16 lead=2 lda=264 ldl=792",
        "hybrid m=5 n=16 lead=1", "hybrid m=5 n=16 lead=5", "hybrid m=3 n=16 lda=512",
        "hybrid m=8 n=16 lead=2 device=host"}) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  }
  const Verdict apart = run("hybrid m=4 n=16 lead=2 ldl=1024");
  EXPECT_TRUE(apart.green()) << to_string(apart);
  EXPECT_EQ(std::get<Refused>(apart.primary()).clause, "act.leading");
  for (const char* line :
       {"m=5 lead=2", "m=4 lead=0", "m=4 lead=7", "m=4 lead=-1", "m=6 lead=4 tile=y4u4a32w32",
        "m=6 lead=8 lds=8 bias=mxn", "m=-8 lead=-2", "m=-8 lead=0", "m=0 lead=-1"}) {
    const Verdict v = run(fmt::format("hybrid n=16 {}", line));
    EXPECT_EQ(v.kind(), VerdictKind::refused) << to_string(v);
    EXPECT_TRUE(v.green()) << to_string(v);
  }
  EXPECT_EQ(std::get<Refused>(run("hybrid m=5 n=16 lead=2").primary()).clause, "out.leading");
}

TEST(HybridCases, NoRowsIsAnEmptyResult) {
  for (const char* line :
       {"hybrid m=0 n=16", "hybrid m=0 n=16 k=40960 zp=packed bias=mxn", "hybrid m=0 n=16 lead=2",
        "hybrid m=0 n=16 lead=0", "hybrid m=0 n=16 aoff=4 yoff=3", "hybrid m=0 n=16 device=host"}) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    EXPECT_EQ(v.ran.wave_instructions, 0u);
  }
  // The decode op's own M is another matter (contract.md 6.2).
  EXPECT_EQ(run("decode m=0 n=16").kind(), VerdictKind::refused);
}

TEST(HybridCases, OneRefusalForEachClause) {
  for (const auto& [clause, line] :
       std::vector<std::pair<const char*, const char*>>{{"act.leading", "m=4 lead=2 ldl=1032"},
                                                        {"m.natural", "m=-2"},
                                                        {"out.leading", "m=5 lead=2"},
                                                        {"experts.none", "experts=2 topk=8"},
                                                        {"experts.none", "experts=2"},
                                                        {"weight.stride", "wpad=2"},
                                                        {"act.dtype", "act=f32"},
                                                        {"scale.dtype", "m=9 sdt=f32"},
                                                        {"group.size", "g=256"},
                                                        {"k.group", "k=96 g=64"},
                                                        {"scale.stride", "spad=-1"},
                                                        {"zp.encoding", "zp=unpacked"},
                                                        {"zp.dtype", "m=9 zp=packed zdt=f16"},
                                                        {"zp.octet", "n=12 zp=packed"},
                                                        {"act.stride", "m=3 lda=260"},
                                                        {"act.stride", "m=9 lda=260"},
                                                        {"n.positive", "n=0"},
                                                        {"k.positive", "k=0"},
                                                        {"bias.shape", "bias=7"},
                                                        {"bias.dtype", "bias=n bdt=f32"},
                                                        {"bias.contiguous", "m=9 bias=mxn ldb=99"},
                                                        {"out.contiguous", "ldy=99"},
                                                        {"out.contiguous", "m=9 ldy=99"},
                                                        {"cus.positive", "cus=0"},
                                                        {"lds.device", "lds=1024"},
                                                        {"lds.prefill", "m=9 lds=1024"},
                                                        {"align.act", "aoff=2"},
                                                        {"align.weight", "m=9 woff=2"},
                                                        {"align.scale", "soff=1"},
                                                        {"align.zp", "zp=packed zoff=2"},
                                                        {"align.bias", "bias=n boff=1"},
                                                        {"align.out", "yoff=1"},
                                                        {"tile.chunked", "tile=y3u1a16w16"},
                                                        {"tile.prefill", "m=9 tile=y2u4a16w16"},
                                                        {"source.octet", "n=12 src=awq"},
                                                        {"act.order", "src=gptq1 gidx=act"},
                                                        {"shard.group", "src=ct k0=8"}}) {
    const Verdict v = run(fmt::format("hybrid {}", line));
    ASSERT_EQ(v.kind(), VerdictKind::refused) << to_string(v);
    EXPECT_TRUE(v.green()) << to_string(v);
    EXPECT_EQ(std::get<Refused>(v.primary()).clause, clause) << line;
  }
  // A clause of the other route is none here.
  EXPECT_EQ(run("hybrid m=9 n=16 zp=unpacked").kind(), VerdictKind::pass);
  EXPECT_EQ(run("hybrid m=9 n=16 cus=0").kind(), VerdictKind::pass);
}

}  // namespace
}  // namespace w4
