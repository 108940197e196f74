// The hybrid's rule, and clauses that are bound to one side of it.
#include <gmock/gmock.h>

#include <limits>

#include "core/case.h"
#include "core/contract.h"

namespace w4 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> broken(const std::string& line, std::vector<std::string> declared) {
  const auto c = parse_case(line);
  EXPECT_TRUE(c) << line << ": " << (c ? "" : c.error().text);
  return broken_clauses(declared, c->problem, {20, 65536});
}

// contract.md 15: the last K that fits the array, and the next.
TEST(Route, EdgesOfMAndOfTheArray) {
  struct Row {
    int64_t g, m, last, first;
  };
  for (const Row& r : {Row{32, 1, 32768, 32800}, Row{32, 2, 16384, 16416}, Row{32, 3, 10912, 10944},
                       Row{32, 4, 8192, 8224}, Row{32, 5, 6528, 6560}, Row{64, 3, 10880, 10944},
                       Row{64, 5, 6528, 6592}, Row{128, 4, 8192, 8320}, Row{128, 5, 6528, 6656}}) {
    EXPECT_TRUE(routes_to_decode(r.m, r.last));
    EXPECT_FALSE(routes_to_decode(r.m, r.first));
  }
  EXPECT_TRUE(routes_to_decode(0, 1 << 20));
  EXPECT_FALSE(routes_to_decode(6, 32));
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  EXPECT_FALSE(routes_to_decode(5, kMax));
  EXPECT_FALSE(routes_to_decode(kMin, kMin));
}

TEST(Route, ABoundClauseIsNoneOnTheOtherSide) {
  const std::vector<std::string> both{"zp.encoding@decode", "align.act@prefill"};
  EXPECT_THAT(broken("hybrid m=5 zp=unpacked aoff=2", both), ElementsAre("zp.encoding"));
  EXPECT_THAT(broken("hybrid m=6 zp=unpacked aoff=2", both), ElementsAre("align.act"));
  EXPECT_THAT(broken("hybrid m=2 k=16512 zp=unpacked aoff=2", both), ElementsAre("align.act"));
  EXPECT_NE(find_clause("zp.encoding@decode"), nullptr);
  EXPECT_EQ(find_clause("zp.encoding@sideways"), nullptr);
  EXPECT_EQ(find_clause("nonsense@decode"), nullptr);
}

TEST(Route, AnEmptyCallIsCheckedAsOneOfOneRow) {
  EXPECT_THAT(broken("hybrid m=0 tile=y1u4a16w16", {"tile.chunked@decode"}), IsEmpty());
  EXPECT_THAT(broken("hybrid m=0 tile=y3u4a16w16", {"tile.chunked@decode"}),
              ElementsAre("tile.chunked"));
  EXPECT_THAT(broken("hybrid m=0", {"m.natural"}), IsEmpty());
  EXPECT_THAT(broken("hybrid m=-1", {"m.natural"}), ElementsAre("m.natural"));
}

TEST(Route, LeadingDimensionsThatCollapse) {
  for (const char* line :
       {"hybrid m=4 lead=2", "hybrid m=4 lead=2 ldl=512", "hybrid m=4 lead=1 ldl=7",
        "hybrid m=4 lead=4 ldl=99", "hybrid m=4 lead=2 lda=264 ldl=528", "hybrid m=0 lead=3",
        "hybrid m=4 ldl=9"}) {
    EXPECT_THAT(broken(line, {"act.leading"}), IsEmpty()) << line;
  }
  for (const char* line : {"hybrid m=4 lead=2 ldl=520", "hybrid m=4 lead=2 lda=264 ldl=512",
                           "hybrid m=4 lead=2 ldl=-512"}) {
    EXPECT_THAT(broken(line, {"act.leading"}), ElementsAre("act.leading")) << line;
  }
  // One row each: the leading stride is the rows'.
  EXPECT_THAT(broken("hybrid m=4 lead=4 ldl=99", {"act.stride"}), ElementsAre("act.stride"));
  EXPECT_THAT(broken("hybrid m=4 lead=4 ldl=512 lda=99", {"act.stride"}), IsEmpty());
  const auto c = parse_case("hybrid m=4 lead=2 ldl=520");
  EXPECT_THAT(*find_clause("act.leading")->broken(c->problem, {}), HasSubstr("equally far apart"));
}

TEST(Route, LeadingDimensionsThatDoNotDivide) {
  for (const char* line : {"hybrid m=4 lead=2", "hybrid m=0 lead=0", "hybrid m=0 lead=7",
                           "hybrid m=-8 lead=2", "hybrid m=4"}) {
    EXPECT_THAT(broken(line, {"out.leading"}), IsEmpty()) << line;
  }
  for (const char* line : {"hybrid m=5 lead=2", "hybrid m=4 lead=0", "hybrid m=4 lead=8",
                           "hybrid m=4 lead=9223372036854775807"}) {
    EXPECT_THAT(broken(line, {"out.leading"}), ElementsAre("out.leading")) << line;
  }
  for (const char* line : {"hybrid m=4 lead=-1", "hybrid m=0 lead=-9223372036854775808"}) {
    EXPECT_THAT(broken(line, {"m.natural"}), ElementsAre("m.natural")) << line;
  }
}

// An empty tensor has no address that could be off.
TEST(Route, NothingEmptyIsMisaligned) {
  const std::vector<std::string> all{"align.act", "align.bias", "align.out"};
  EXPECT_THAT(broken("hybrid m=0 aoff=4 yoff=3 bias=mxn boff=1", all), IsEmpty());
  EXPECT_THAT(broken("hybrid m=0 bias=n boff=1", all), ElementsAre("align.bias"));
}

}  // namespace
}  // namespace w4
