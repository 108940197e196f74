// The clauses of layers of experts: the line that breaks each, what its message shows, and a
// neighbour that keeps it.
#include <gmock/gmock.h>

#include <set>

#include "core/case.h"
#include "core/contract.h"

namespace w4 {
namespace {

using testing::HasSubstr;

struct Line {
  std::string clause, breaks, value, keeps;
};
const std::vector<Line> kLines{
    {"experts.none", "blockm=2", "2", ""},
    {"experts.positive", "", "0", "experts=1"},
    {"experts.positive", "experts=-1", "-1", "experts=2147483647"},
    {"topk.range", "experts=4 topk=5", "5", "experts=4 topk=4"},
    {"topk.range", "experts=4 topk=0", "0", "experts=4 topk=1"},
    {"tokens.positive", "experts=4 m=0", "0", "experts=4 m=1"},
    {"blockm.range", "experts=4 blockm=6", "6", "experts=4 blockm=5"},
    {"blockm.range", "experts=4 blockm=0", "0", "experts=4 blockm=1"},
    {"blockm.tile", "experts=4 blockm=24", "24", "experts=4 blockm=16"},
    {"ids.dtype", "experts=4 idt=i64", "i64", "experts=4 idt=i32"},
    {"silu.guard", "experts=4 blockm=2 silu=1", "2", "experts=4 silu=1"},
    {"silu.guard", "experts=4 silu=1 k=8320", "8320", "experts=4 silu=1 k=8192"},
    {"silu.none", "experts=4 silu=1", "silu", "experts=4"},
    {"source.experts", "experts=4 src=awq", "awq", "experts=4 src=ct"},
    {"source.experts", "experts=4 n0=8", "8", "experts=4"},
    {"tile.moe", "experts=4 tile=y2u4a16w16", "y2u4a16w16", "experts=4 tile=y4u4a16w16"},
    {"tile.moe", "experts=4 k=32896 tile=y4u2a32w32", "32896", "experts=4 tile=y4u2a32w32"},
    {"tile.moe", "experts=4 blockm=2 tile=y2u4a16w16", "2", "experts=4 blockm=2 tile=y2u2a16w16"},
    {"tile.moe", "experts=4 blockm=5 tile=y2u8a16w16", "y2u8",
     "experts=4 blockm=5 tile=y2u4a16w16"},
    {"act.contiguous", "experts=4 silu=1 lda=256", "512", "experts=4 silu=1 lda=512"},
};

std::optional<std::string> message(const std::string& clause, const std::string& line) {
  const auto c = parse_case("moe " + line);
  EXPECT_TRUE(c) << line << ": " << c.error().text;
  const Clause* found = find_clause(clause);
  EXPECT_NE(found, nullptr) << clause;
  if (!c || !found) return {};
  return found->broken(c->problem, resolve_reported(c->problem, *find_gpu("gfx1151")));
}

TEST(MoeClauses, BreakWhereTheySayAndNotBesideIt) {
  for (const Line& l : kLines) {
    const auto said = message(l.clause, l.breaks);
    ASSERT_TRUE(said) << l.clause << " " << l.breaks;
    EXPECT_THAT(*said, HasSubstr(l.value));
    EXPECT_THAT(*said, HasSubstr("legal"));
    EXPECT_FALSE(message(l.clause, l.keeps)) << l.clause << " " << l.keeps;
  }
}

TEST(MoeShapes, AreTotal) {
  Problem p;
  p.experts = int64_t{1} << 62, p.topk = int64_t{1} << 62, p.m = int64_t{1} << 62;
  EXPECT_EQ(slots(p), int64_t{1} << 62);
  EXPECT_EQ(weight_rows(p), int64_t{1} << 62);
  p.experts = -3;
  EXPECT_EQ(weight_rows(p), 0);
  p.experts = 3, p.topk = 2, p.m = 5, p.n = 7, p.k = 32, p.silu = true;
  EXPECT_EQ(slots(p), 10);
  EXPECT_EQ(weight_rows(p), 21);
  EXPECT_EQ(act_columns(p), 64);
  p.experts = 0;
  EXPECT_EQ(act_columns(p), 32);
}

}  // namespace
}  // namespace w4
