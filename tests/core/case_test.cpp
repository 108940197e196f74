#include "core/case.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace w4 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Random {
 public:
  explicit Random(uint64_t seed) : rng_(seed) {}
  bool coin() { return rng_() % 2 != 0; }
  size_t below(size_t n) { return rng_() % n; }
  int64_t integer() {
    switch (below(5)) {
      case 0:
        return std::numeric_limits<int64_t>::min();
      case 1:
        return std::numeric_limits<int64_t>::max();
      case 2:
        return static_cast<int64_t>(rng_());
      default:
        return static_cast<int64_t>(below(300)) - 20;
    }
  }
  uint64_t bits() { return rng_(); }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[below(all.size())];
  }

  void set(int64_t& v) { v = integer(); }
  void set(DType& v) { v = static_cast<DType>(below(9)); }
  void set(ZpMode& v) { v = static_cast<ZpMode>(below(3)); }
  void set(Source& v) { v = static_cast<Source>(below(5)); }
  void set(BiasShape& v) {
    v = {.rank = static_cast<int>(below(3)), .dim = {}};
    for (int d = 0; d < v.rank; ++d) {
      const auto of = static_cast<Extent::Of>(below(3));
      v.dim[static_cast<size_t>(d)] = {of, of == Extent::Of::literal ? integer() : 0};
    }
  }
  void set(Tile& v) {
    v = {};
    v.gemm = coin();
    (v.gemm ? v.bm : v.y) = static_cast<int>(bits());
    (v.gemm ? v.bn : v.u) = static_cast<int>(below(9));
    (v.gemm ? v.bk : v.a) = static_cast<int>(below(99));
    v.w = -1;
  }
  void set(Padding& v) { v = static_cast<Padding>(below(4)); }
  void set(GroupIndex& v) { v = static_cast<GroupIndex>(below(3)); }
  void set(Routing& v) { v = static_cast<Routing>(below(6)); }
  void set(Rows& v) { v = static_cast<Rows>(below(2)); }
  void set(bool& v) { v = coin(); }
  template <class T>
  void set(std::optional<T>& v) {
    T value{};
    set(value);
    v = value;
  }

 private:
  std::mt19937_64 rng_;
};

Case random_case(Random& r) {
  Case c;
  c.kernel = r.one_of<const char*>({"decode", "prefill", "a", "x_9"});
  for_each_field(c.problem, [&](std::string_view, auto& field) {
    if (r.coin()) r.set(field);
  });
  c.device = r.one_of<const char*>({"gfx1151", "gfx1200", "hip", "cuda", "host"});
  c.checks = *parse_checks(
      r.one_of<const char*>({"all", "none", "writers", "bounds+align+uninit", "all+waits"}));
  c.fill = all_fills()[r.below(all_fills().size())];
  c.seed = r.coin() ? r.bits() : 1;
  c.sched = *parse_schedule(r.one_of<const char*>({"rr", "rev", "random:0", "rr:1", "rev:4096",
                                                   "random:18446744073709551615", "prio:0",
                                                   "prio:18446744073709551615:64", "prio:7:0"}));
  c.fp = r.one_of<const char*>({"auto", "ieee", "gfx1151", "gfx1201"});
  c.law = all_laws()[r.below(all_laws().size())];
  c.only = *parse_only(r.one_of<const char*>({"all", "m0..0", "n8..15", "k0..9223372036854775807",
                                              "m1..3+k64..127", "m0..0+n7..7+k1..2"}));
  c.module = r.one_of<const char*>({"", "build/a.so", "a=b#c'd"});
  c.prep = r.one_of<const char*>({"", "builtin", "build/b.so"});
  c.mutate = *parse_mutation(r.one_of<const char*>(
      {"none", "k+0x0:drop_store", "_Z1fv.kd$@+0xffffffffffffffff:offset:x.0-4"}));
  return c;
}

TEST(CaseLine, ModulesAreNamedByPath) {
  const auto c = parse_case("decode module=a/b.so prep=builtin");
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->module, "a/b.so");
  EXPECT_EQ(c->prep, "builtin");
  EXPECT_EQ(to_string(*c), "decode module=a/b.so prep=builtin");
  EXPECT_FALSE(parse_case("decode prep="));
}

TEST(CaseLine, AMutationNamesSymbolPcAndOperator) {
  const auto c = parse_case("decode mutate=w4_decode_m1+0x21e10:immediate:0^4");
  ASSERT_TRUE(c) << c.error().text;
  EXPECT_EQ(c->mutate, (Mutation{"w4_decode_m1", 0x21e10, MutationKind::immediate, "0^4"}));
  EXPECT_EQ(to_string(*c), "decode mutate=w4_decode_m1+0x21e10:immediate:0^4");
  for (int i = 0; i < kMutationKinds; ++i) {
    const Mutation m{"k", 4, static_cast<MutationKind>(i), {}};
    EXPECT_EQ(*parse_mutation(to_string(m)), m);
  }
  const std::pair<std::string, const char*> wrong[] = {
      {"", "is not a mutation"},
      {"drop_store", "is not a mutation"},
      {"k+0x4", "is not a mutation"},
      {"k+4:drop_store", "is not a mutation"},
      {"+0x4:drop_store", "its symbol ''"},
      {"a'b+0x4:drop_store", "its symbol 'a'b'"},
      {"k+0x:drop_store", "its pc ''"},
      {"k+0x04:drop_store", "its pc '04'"},
      {"k+0xA:drop_store", "its pc 'A'"},
      {"k+0x-4:drop_store", "its pc '-4'"},
      {"k+0x10000000000000000:drop_store", "its pc"},
      {"k+0x4:drop", "its operator 'drop' is not legal; legal: drop_barrier drop_wait"},
      {"k+0x4:drop_store:", "its variant ''"},
      {"k+0x4:drop_store:a:b", "its variant 'a:b'"},
      {"k+0x4:drop_store:" + std::string(5000, 'x'), "its variant 'xxx"},
  };
  for (const auto& [text, says] : wrong) {
    const auto parsed = parse_case("decode mutate=" + text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.error().text, HasSubstr("column 8: mutate: '"));
    EXPECT_THAT(parsed.error().text, HasSubstr(says));
    EXPECT_LT(parsed.error().text.size(), 600u);
  }
}

TEST(CaseLine, ParseOfPrintIsTheCase) {
  Random r(11);
  for (int i = 0; i < 20000; ++i) {
    const Case c = random_case(r);
    const std::string line = to_string(c);
    const Result<Case> back = parse_case(line);
    ASSERT_TRUE(back) << line << ": " << back.error().text;
    ASSERT_EQ(*back, c) << line;
    ASSERT_EQ(to_string(*back), line);
  }
}

TEST(CaseLine, DefaultsAreNotPrinted) {
  Case c;
  c.kernel = "decode";
  EXPECT_EQ(to_string(c), "decode");
  c.problem.m = 5;
  c.problem.zp = ZpMode::packed;
  c.problem.tile = Tile{2, 4, 16, 16};
  c.device = "gfx1201";
  c.seed = 7;
  EXPECT_EQ(to_string(c), "decode m=5 zp=packed tile=y2u4a16w16 device=gfx1201 seed=7");
}

// The defaults are a promise: old lines live in stores and corpora (design.md). Do not update.
TEST(CaseLine, DefaultsAreFrozen) {
  const Case c = *parse_case("decode");
  EXPECT_EQ(c, *parse_case("decode m=1 n=64 k=256 g=128 act=f16 zp=none bias=none src=shuffled "
                           "lda=auto wpad=auto spad=auto ldy=auto ldb=auto aoff=0 woff=0 soff=0 "
                           "zoff=0 boff=0 yoff=0 sdt=auto zdt=auto bdt=auto tile=auto cus=auto "
                           "lds=auto device=gfx1151 checks=all fill=flat seed=1 sched=rr fp=auto "
                           "law=reference"));
  EXPECT_EQ(c.problem, Problem{});
  EXPECT_EQ(c.module, "");
  EXPECT_EQ(c.prep, "");
}

TEST(CaseLine, HelpListsEveryKeyInPrintOrderWithItsDefault) {
  Case c;
  size_t at = 0;
  for_each_field(c.problem, [&](std::string_view key, auto&) {
    ASSERT_LT(at, case_keys().size());
    EXPECT_EQ(case_keys()[at++].key, key);
  });
  std::vector<std::string_view> rest;
  for (; at < case_keys().size(); ++at) rest.push_back(case_keys()[at].key);
  EXPECT_THAT(rest, ElementsAre("device", "place", "checks", "fill", "seed", "only", "sched", "fp",
                                "law", "module", "prep", "mutate"));
  for (const KeyHelp& k : case_keys()) {
    if (k.key == "module" || k.key == "prep") continue;
    const std::string line = fmt::format("decode {}={}", k.key, k.fallback);
    const Result<Case> parsed = parse_case(line);
    ASSERT_TRUE(parsed) << parsed.error().text;
    EXPECT_EQ(to_string(*parsed), "decode") << line;
    EXPECT_FALSE(k.meaning.empty());
  }
}

TEST(CaseLine, AnyOrderAndIllegalProblemsParse) {
  const Case c = *parse_case("\t decode   k=100\tm=0 g=48 cus=0 seed=18446744073709551615 n=-5 ");
  EXPECT_EQ(c.problem.m, 0);
  EXPECT_EQ(c.problem.n, -5);
  EXPECT_EQ(c.problem.k, 100);
  EXPECT_EQ(c.problem.g, 48);
  EXPECT_EQ(c.problem.cus, 0);
  EXPECT_EQ(c.seed, std::numeric_limits<uint64_t>::max());
}

TEST(CaseLine, HelpOfTheKeyLawNamesEveryLaw) {
  const auto key = std::ranges::find(case_keys(), "law", &KeyHelp::key);
  std::string names = "one of";
  for (const Law l : all_laws()) {
    names += " " + std::string(name_of(l));
    EXPECT_EQ(law_from(name_of(l)), l);
    EXPECT_FALSE(says_of(l).empty());
  }
  EXPECT_EQ(key->legal, names);
}

TEST(CaseLine, BiasShapes) {
  const auto shape = [](const char* line) { return parse_case(line)->problem.bias; };
  const Extent m{Extent::Of::m, 0}, n{Extent::Of::n, 0};
  EXPECT_EQ(shape("decode bias=n"), (BiasShape{1, {n, {}}}));
  EXPECT_EQ(shape("decode bias=mxn"), (BiasShape{2, {m, n}}));
  EXPECT_EQ(shape("decode bias=7"), (BiasShape{1, {Extent{Extent::Of::literal, 7}, {}}}));
  EXPECT_EQ(shape("decode bias=2x9"),
            (BiasShape{2, {Extent{Extent::Of::literal, 2}, Extent{Extent::Of::literal, 9}}}));
}

struct Bad {
  const char* line;
  const char* column;
  const char* says;
};

TEST(CaseLine, ErrorsNameTheColumnAndWhatIsLegal) {
  for (const Bad& b : {
           Bad{"", "column 1:", "empty"},
           Bad{"   ", "column 1:", "empty"},
           Bad{"m=5", "column 1:", "kernel's name"},
           Bad{"  Decode", "column 3:", "[a-z][a-z0-9_]*"},
           Bad{"9decode", "column 1:", "kernel's name"},
           Bad{"decode-2", "column 1:", "kernel's name"},
           Bad{"decode m", "column 8:", "key=value"},
           Bad{"decode m=1  nn=3", "column 13:", "nearest is 'n'"},
           Bad{"decode devise=hip", "column 8:", "nearest is 'device'"},
           Bad{"decode schd=rr", "column 8:", "nearest is 'sched'"},
           Bad{"decode q=64", "column 8:", "unknown key 'q'; legal keys"},
           Bad{"decode =3", "column 8:", "unknown key ''"},
           Bad{"decode M=3", "column 8:", "unknown key 'M'"},
           Bad{"decode m=1 n=2 m=1", "column 16:", "twice"},
           Bad{"decode m=", "column 8:", "64 bits"},
           Bad{"decode m=+1", "column 8:", "64 bits"},
           Bad{"decode m=1.0", "column 8:", "64 bits"},
           Bad{"decode m=0x10", "column 8:", "64 bits"},
           Bad{"decode m=1 =", "column 12:", "unknown key"},
           Bad{"decode m=--1", "column 8:", "64 bits"},
           Bad{"decode m=9223372036854775808", "column 8:", "64 bits"},
           Bad{"decode m=-9223372036854775809", "column 8:", "64 bits"},
           Bad{"decode m=auto", "column 8:", "64 bits"},
           Bad{"decode lda=none", "column 8:", "auto"},
           Bad{"decode seed=-1", "column 8:", "18446744073709551615"},
           Bad{"decode seed=18446744073709551616", "column 8:", "18446744073709551615"},
           Bad{"decode act=fp16", "column 8:", "f16 bf16"},
           Bad{"decode sdt=half", "column 8:", "auto"},
           Bad{"decode zp=yes", "column 8:", "none packed unpacked"},
           Bad{"decode src=gptq", "column 8:", "gptq1 gptq2"},
           Bad{"decode bias=", "column 8:", "none"},
           Bad{"decode bias=nx", "column 8:", "extents"},
           Bad{"decode bias=xn", "column 8:", "extents"},
           Bad{"decode bias=1x2x3", "column 8:", "extents"},
           Bad{"decode bias=k", "column 8:", "extents"},
           Bad{"decode tile=y2u4a16", "column 8:", "y<int>u<int>a<int>w<int>"},
           Bad{"decode tile=y2u4a16w16w", "column 8:", "y<int>"},
           Bad{"decode tile=u4y2a16w16", "column 8:", "y<int>"},
           Bad{"decode tile=y2u4a16w9999999999", "column 8:", "y<int>"},
           Bad{"decode device=gfx942", "column 8:", "gfx1151"},
           Bad{"decode checks=bounds+", "column 8:", "ldsrace"},
           Bad{"decode checks=all+bounds", "column 8:", "joined"},
           Bad{"decode checks=none+waits", "column 8:", "joined"},
           Bad{"decode checks=bounds+align+bounds", "column 8:", "joined"},
           Bad{"decode checks=waits+waits", "column 8:", "waits"},
           Bad{"decode fill=zeros", "column 8:", "flat normal"},
           Bad{"decode sched=random", "column 8:", "random:SEED"},
           Bad{"decode sched=random:-1", "column 8:", "random:SEED"},
           Bad{"decode sched=random:", "column 8:", "random:SEED"},
           Bad{"decode sched=random:1:2", "column 8:", "random:SEED"},
           Bad{"decode sched=rr:0", "column 8:", "TURN from 1"},
           Bad{"decode sched=rr:4097", "column 8:", "to 4096"},
           Bad{"decode sched=rev:1:1", "column 8:", "rev[:TURN]"},
           Bad{"decode sched=rr:", "column 8:", "TURN"},
           Bad{"decode sched=prio", "column 8:", "prio:SEED"},
           Bad{"decode sched=prio:1:65", "column 8:", "CHANGES from 0 to 64"},
           Bad{"decode sched=prio:1:", "column 8:", "CHANGES"},
           Bad{"decode sched=prio:1:2:3", "column 8:", "CHANGES"},
           Bad{"decode fp=exact", "column 8:", "ieee"},
           Bad{"decode law=power_of_two", "column 8:", "reference"},
           Bad{"decode only=", "column 8:", "ranges joined by +"},
           Bad{"decode only=m3..2", "column 8:", "first <= last"},
           Bad{"decode only=k0..1+m0..0", "column 8:", "in the order"},
           Bad{"decode only=m0..0+", "column 8:", "ranges joined by +"},
           Bad{"decode only=m-1..0", "column 8:", "0 <= first"},
           Bad{"decode only=n0..9223372036854775808", "column 8:", "n<first>..<last>"},
           Bad{"decode only=m0..1m2..3", "column 8:", "one of each axis"},
           Bad{"decode module=", "column 8:", "path"},
           Bad{"decode\nm=1", "column 7:", "control character"},
           Bad{"decode m=\x01", "column 10:", "control character"},
       }) {
    const Result<Case> r = parse_case(b.line);
    ASSERT_FALSE(r) << b.line;
    EXPECT_THAT(r.error().text, HasSubstr(b.column)) << b.line;
    EXPECT_THAT(r.error().text, HasSubstr(b.says)) << b.line;
  }
}

TEST(CaseFile, CommentsBlanksAndLineEnds) {
  const auto cases = parse_cases(
      "# head\r\n\n  \t\r\ndecode m=2\r\n  decode module=a#b # tail\ndecode", "x.cases");
  ASSERT_TRUE(cases) << cases.error().text;
  ASSERT_EQ(cases->size(), 3u);
  EXPECT_EQ((*cases)[0].problem.m, 2);
  EXPECT_EQ((*cases)[1].module, "a#b");
  EXPECT_EQ(to_string((*cases)[2]), "decode");
}

TEST(CaseFile, ErrorsNameFileLineAndColumn) {
  using namespace std::string_literals;
  const auto error = [](const std::string& text) {
    const auto cases = parse_cases(text, "x.cases");
    return cases ? "accepted"s : cases.error().text;
  };
  EXPECT_THAT(error("decode\n\n# c\ndecode m=x\n"), HasSubstr("x.cases:4: column 8:"));
  EXPECT_THAT(error(""), HasSubstr("no case"));
  EXPECT_THAT(error("# only\n\n"), HasSubstr("no case"));
  EXPECT_THAT(error("decode m=1\0"s + "2"), HasSubstr("x.cases:1: column 11: NUL"));
  EXPECT_THAT(error("# a\0b\ndecode"s), HasSubstr("x.cases:1: column 4: NUL"));
  EXPECT_THAT(error("decode\n#" + std::string(4096, 'x')), HasSubstr("x.cases:2: column 4097:"));
  EXPECT_EQ(error("decode\n#" + std::string(4095, 'x')), "accepted");
}

}  // namespace
}  // namespace w4
