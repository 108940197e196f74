#include "core/contract.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <set>

#include "core/case.h"

namespace w4 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Those of decode: a kernel with a manifest may forbid what decode takes.
std::vector<std::string> every_name() {
  std::vector<std::string> names;
  for (const Clause& c : all_clauses()) {
    if (of_decode(c)) names.emplace_back(c.name);
  }
  return names;
}

Case parsed(const std::string& line) {
  auto c = parse_case(line);
  EXPECT_TRUE(c) << line << ": " << c.error().text;
  return c.value_or(Case{});
}

std::vector<std::string> broken_by(const std::string& line) {
  const Case c = parsed(line);
  return broken_clauses(every_name(), c.problem, resolve_reported(c.problem, *find_gpu(c.device)));
}

struct Line {
  std::string clause, line, value;  // the message shows `value`
};
// k.step is missing: where G is legal, K % G == 0 implies it (contract.md 9).
const std::vector<Line> kLines{
    {"experts.none", "decode experts=4", "4"},
    {"experts.none", "decode topk=2", "2"},
    {"experts.none", "decode silu=1", "silu = 1"},
    {"weight.stride", "decode wpad=2", "130"},
    {"weight.stride", "decode wpad=-4", "124"},
    {"weight.stride", "decode wpad=2147483520", "2147483648"},
    {"act.rank", "decode m=4 lead=2", "2"},
    {"act.rank", "decode lead=1", "1"},
    {"act.dtype", "decode act=f32", "f32"},
    {"act.dtype", "decode act=i8 bias=n", "i8"},
    {"scale.dtype", "decode sdt=f32", "f32"},
    {"scale.dtype", "decode act=bf16 sdt=f16", "f16"},
    {"group.size", "decode g=256", "256"},
    {"group.size", "decode g=16", "16"},
    {"group.size", "decode g=0", "0"},
    {"group.size", "decode g=-128", "-128"},
    {"k.group", "decode k=320", "320"},
    {"k.group", "decode k=96 g=64", "96"},
    {"scale.stride", "decode spad=-1", "1"},
    {"zp.dtype", "decode zp=packed zdt=i8", "i8"},
    {"zp.dtype", "decode zp=packed zdt=f16", "f16"},
    {"zp.dtype", "decode zp=unpacked zdt=i32", "i32"},
    {"zp.dtype", "decode zp=unpacked act=bf16 zdt=f16", "f16"},
    {"zp.octet", "decode zp=packed n=60", "60"},
    {"act.contiguous", "decode m=3 lda=264", "264"},
    {"act.contiguous", "decode m=1 lda=512", "512"},
    {"lds.limit", "decode k=39424", "39424"},
    {"lds.limit", "decode m=5 k=7872 g=32", "39360"},
    {"m.range", "decode m=0", "0"},
    {"m.range", "decode m=6", "6"},
    {"m.range", "decode m=-1 bias=mxn", "-1"},
    {"n.positive", "decode n=0", "0"},
    {"n.positive", "decode n=-8 zp=packed bias=n", "-8"},
    {"k.positive", "decode k=0", "0"},
    {"k.positive", "decode k=-256", "-256"},
    {"bias.shape", "decode bias=7", "[7]"},
    {"bias.shape", "decode bias=m", "[1]"},
    {"bias.shape", "decode m=3 bias=2x9", "[2,9]"},
    {"bias.shape", "decode m=3 bias=nx1", "[64,1]"},
    {"bias.dtype", "decode bias=n bdt=f32", "f32"},
    {"bias.contiguous", "decode bias=n ldb=2", "2"},
    {"bias.contiguous", "decode m=3 bias=mxn ldb=65", "65"},
    {"out.contiguous", "decode ldy=65", "65"},
    {"cus.positive", "decode cus=0", "0"},
    {"cus.positive", "decode cus=-3", "-3"},
    {"cus.positive", "decode cus=2147483648", "2147483648"},
    {"lds.device", "decode lds=65535", "65535"},
    {"index.width", "decode n=2147483648", "2147483648"},
    {"index.width", "decode m=5 n=1073741824", "5368709120"},
    {"index.width", "decode n=536870912 k=4096", "17179869184"},
    {"index.width", "decode n=64 spad=33554432", "2147483776"},
    {"align.act", "decode aoff=8", "8"},
    {"align.act", "decode aoff=-8", "-8"},
    {"align.weight", "decode woff=2", "2"},
    {"align.scale", "decode soff=1", "1"},
    {"align.zp", "decode zp=packed zoff=2", "2"},
    {"align.zp", "decode zp=unpacked zoff=3", "3"},
    {"align.bias", "decode bias=n boff=1", "1"},
    {"align.out", "decode yoff=1", "1"},
    {"tile.legal", "decode tile=y3u1a16w16", "y3u1a16w16"},
    {"tile.legal", "decode m=2 tile=y1u4a16w16", "y1u4a16w16"},
    {"tile.legal", "decode m=2 tile=y2u4a16w16", "y2u4a16w16"},
    {"tile.legal", "decode m=1 tile=y2u2a16w16", "y2u2a16w16"},
    {"tile.legal", "decode tile=y2u8a16w16", "y2u8a16w16"},
    {"tile.legal", "decode tile=y2u4a8w16", "y2u4a8w16"},
    {"tile.legal", "decode tile=y2u4a16w12", "y2u4a16w12"},
    {"source.octet", "decode src=awq n=60", "60"},
    {"source.octet", "decode src=gptq1 zp=unpacked n=60", "60"},
    {"source.gidx", "decode src=ct gidx=sequential", "ct"},
    {"act.order", "decode src=gptq2 gidx=act", "act-order"},
    {"act.order", "decode src=gptq1 gidx=act k=128 k0=128", "act-order"},
    {"shard.range", "decode n0=-8", "-8"},
    {"shard.range", "decode k0=-128", "-128"},
    {"shard.group", "decode k0=64", "64"},
    {"shard.octet", "decode src=awq n0=4", "4"},
    {"shard.octet", "decode src=gptq2 zp=unpacked n0=12", "12"},
    {"shard.octet", "decode zp=packed n0=1", "1"},
};

TEST(Contract, EachLineBreaksExactlyItsClause) {
  for (const Line& l : kLines) {
    EXPECT_THAT(broken_by(l.line), ElementsAre(l.clause)) << l.line;
    const Case c = parsed(l.line);
    const Clause* clause = find_clause(l.clause);
    ASSERT_NE(clause, nullptr) << l.clause;
    const auto message =
        clause->broken(c.problem, resolve_reported(c.problem, *find_gpu(c.device)));
    ASSERT_TRUE(message) << l.line;
    EXPECT_THAT(*message, HasSubstr(l.value)) << l.line;
    EXPECT_THAT(*message, HasSubstr("legal")) << l.line;
  }
}

TEST(Contract, EveryClauseHasALine) {
  std::set<std::string> covered{"k.step"};
  for (const Line& l : kLines) covered.insert(l.clause);
  const std::vector<std::string> names = every_name();
  EXPECT_EQ(covered, std::set<std::string>(names.begin(), names.end()));
}

// Clauses of manifests: the line that breaks it, what its message shows, and one that does not.
struct Narrow {
  std::string clause, breaks, value, keeps;
};
const std::vector<Narrow> kNarrow{
    {"m.positive", "w m=0", "0", "w m=1"},
    {"act.f16", "w act=bf16", "bf16", "w"},
    {"group.positive", "w g=0", "0", "w g=1"},
    {"group.step32", "w g=48", "48", "w g=96"},
    {"group.step32", "w g=-32", "-32", "w g=32"},
    {"k.step32", "w k=48", "48", "w k=96"},
    {"zp.none", "w zp=packed", "packed", "w"},
    {"zp.packed", "w zp=unpacked", "unpacked", "w zp=packed"},
    {"zp.packed", "w", "none", "w zp=packed"},
    {"zp.unpacked", "w zp=packed", "packed", "w zp=unpacked"},
    {"bias.none", "w bias=mxn", "2", "w"},
    {"weight.contiguous", "w wpad=4", "4", "w wpad=0"},
    {"scale.contiguous", "w spad=1", "1", "w spad=0"},
    {"zp.numbers", "w zp=packed", "packed", "w zp=unpacked"},
    {"zp.int32", "w zp=packed zdt=u32", "u32", "w zp=packed zdt=i32"},
    {"zp.present", "w", "none", "w zp=unpacked"},
    {"bias.vector", "w m=2 n=8 bias=mxn", "[2,8]", "w m=2 n=8 bias=1xn"},
    {"bias.vector", "w m=2 n=8 bias=mx1", "[2,1]", "w m=2 n=8 bias=n"},
    {"bias.present", "w", "none", "w bias=n"},
    {"act.apart", "w k=256 lda=255", "255", "w k=256 lda=257"},
    {"out.apart", "w n=64 ldy=63", "63", "w n=64 ldy=65"},
    {"bias.apart", "w m=2 n=8 bias=mxn ldb=7", "7", "w m=2 n=8 bias=mxn ldb=9"},
    {"bias.apart", "w n=8 bias=n ldb=0", "0", "w n=8 bias=n ldb=3"},
    {"k.octet", "w k=12", "12", "w k=24"},
    {"n.octet", "w n=12", "12", "w n=24"},
    {"tile.auto", "w tile=y1u4a16w16", "y1u4a16w16", "w"},
};

TEST(Contract, ClausesOfManifestsBreakWhereTheySay) {
  std::set<std::string_view> covered;
  for (const Narrow& l : kNarrow) {
    const Clause* clause = find_clause(l.clause);
    ASSERT_NE(clause, nullptr) << l.clause;
    EXPECT_EQ(clause->versions, kManifest);
    const auto message = clause->broken(parsed(l.breaks).problem, {});
    ASSERT_TRUE(message) << l.breaks;
    EXPECT_THAT(*message, HasSubstr(l.value));
    EXPECT_THAT(*message, HasSubstr("legal"));
    EXPECT_FALSE(clause->broken(parsed(l.keeps).problem, {})) << l.keeps;
    covered.insert(l.clause);
  }
  for (const Clause& c : all_clauses()) {
    EXPECT_EQ(covered.contains(c.name), c.versions == kManifest) << c.name;
  }
}

TEST(Contract, KStepIsBrokenAloneAmongClausesWithoutTheGroupSize) {
  const Case c = parsed("decode k=24 g=24");
  const std::vector<std::string> declared{"k.group", "k.step", "k.positive", "lds.limit"};
  EXPECT_THAT(broken_clauses(declared, c.problem, Reported{20, 65536}), ElementsAre("k.step"));
  EXPECT_THAT(*find_clause("k.step")->broken(c.problem, {}), HasSubstr("24"));
  EXPECT_THAT(broken_by("decode k=24 g=24"), ElementsAre("group.size", "k.step"));
}

TEST(Contract, LegalLinesBreakNothing) {
  for (const char* line : {"decode",
                           "decode m=5 n=4096 k=6528 g=32 zp=packed bias=mxn",
                           "decode k=39296 g=32",
                           "decode n=1 k=32 g=32 bias=1",
                           "decode m=2 n=9 bias=2x9",
                           "decode m=3 bias=1x1",
                           "decode m=3 bias=mx1",
                           "decode m=3 bias=1xn ldb=64",
                           "decode bias=n ldb=1",
                           "decode lda=256 ldy=64 wpad=128 spad=3",
                           "decode n=60 zp=unpacked",
                           "decode zp=unpacked zoff=2",
                           "decode zp=packed zdt=u32",
                           "decode act=bf16 sdt=bf16 bdt=bf16 zp=unpacked zdt=bf16 bias=n",
                           "decode cus=1",
                           "decode cus=2147483647 lds=163840",
                           "decode n=2147483647 k=128",
                           "decode tile=y4u2a16w16",
                           "decode aoff=16 woff=4 soff=2 zoff=1 boff=1 yoff=2",
                           "decode zp=none zdt=i8 bdt=f64 ldb=9",
                           "decode src=awq zp=packed",
                           "decode src=ct n=60",
                           "decode src=ct n=60 n0=3 k0=128",
                           "decode src=gptq1 gidx=sequential",
                           "decode src=gptq1 gidx=act k=128",
                           "decode zp=unpacked n0=3",
                           "decode pad=f2 k=4096 qzeros=1"}) {
    EXPECT_THAT(broken_by(line), IsEmpty()) << line;
  }
}

// contract.md 15: last accepted and first refused K at the soft LDS limit.
TEST(Contract, SoftLdsLimitAtItsBoundary) {
  struct Row {
    int64_t g, m, last, first;
  };
  for (const Row& r : {Row{32, 1, 39296, 39328}, Row{32, 2, 19648, 19680}, Row{32, 3, 13088, 13120},
                       Row{32, 4, 9824, 9856}, Row{32, 5, 7840, 7872}, Row{64, 1, 39296, 39360},
                       Row{64, 5, 7808, 7872}, Row{128, 1, 39296, 39424}, Row{128, 4, 9728, 9856},
                       Row{128, 5, 7808, 7936}}) {
    const auto line = [&](int64_t k) { return fmt::format("decode m={} k={} g={}", r.m, k, r.g); };
    EXPECT_THAT(broken_by(line(r.last)), IsEmpty()) << line(r.last);
    EXPECT_THAT(broken_by(line(r.first)), ElementsAre("lds.limit")) << line(r.first);
  }
}

TEST(Contract, NamesComeBackInDeclaredOrder) {
  const Case c = parsed("decode m=9 g=48 act=f32");
  const std::vector<std::string> declared{"m.range", "nonsense", "group.size", "act.dtype"};
  EXPECT_THAT(broken_clauses(declared, c.problem, Reported{20, 65536}),
              ElementsAre("m.range", "group.size", "act.dtype"));
  EXPECT_EQ(find_clause("nonsense"), nullptr);
}

// Run under UBSan this proves the arithmetic; here, that extremes are refused and never missed.
TEST(Contract, AnyInt64IsJudgedWithoutOverflow) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  const std::vector<int64_t> values{kMin, kMin + 1, -4294967296, -128,       -1,         0,
                                    1,    128,      2147483647,  4294967296, kMax - 127, kMax};
  std::mt19937 rng(5);
  const auto pick = [&] { return values[rng() % values.size()]; };
  for (int i = 0; i < 20000; ++i) {
    Problem p{.m = pick(), .n = pick(), .k = pick(), .g = pick()};
    p.zp = static_cast<ZpMode>(rng() % 3);
    p.bias.rank = static_cast<int>(rng() % 3);
    for (Extent& e : p.bias.dim) e = {static_cast<Extent::Of>(rng() % 3), pick()};
    p.lda = pick(), p.wpad = pick(), p.spad = pick(), p.ldy = pick(), p.ldb = pick();
    p.aoff = pick(), p.woff = pick(), p.soff = pick(), p.zoff = pick(), p.boff = pick();
    p.yoff = pick(), p.n0 = pick(), p.k0 = pick();
    if (rng() % 4 == 0) p.lead = pick(), p.ldl = pick();
    p.pad = static_cast<Padding>(rng() % 4);
    p.gidx = static_cast<GroupIndex>(rng() % 3);
    if (rng() % 2 == 0) p.wpad.reset(), p.spad.reset();
    const Reported r{pick(), pick()};
    for (const Clause& c : all_clauses()) {
      if (const auto message = c.broken(p, r)) ASSERT_FALSE(message->empty());
    }
    ASSERT_EQ(find_clause("m.range")->broken(p, r).has_value(), p.m < 1 || p.m > 5);
    ASSERT_EQ(find_clause("n.positive")->broken(p, r).has_value(), p.n < 1);
    ASSERT_EQ(find_clause("out.contiguous")->broken(p, r).has_value(), *p.ldy != p.n);
  }
  EXPECT_THAT(*find_clause("index.width")->broken(Problem{.m = kMax, .n = 1, .k = kMax}, {}),
              HasSubstr("9223372036854775807"));
  EXPECT_THAT(*find_clause("lds.limit")->broken(Problem{.m = kMax, .k = kMax}, {}),
              HasSubstr("85070591730234615847396907784232501249"));  // (2^63-1)^2
}

}  // namespace
}  // namespace w4
