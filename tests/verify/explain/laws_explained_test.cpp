// explain and shrink of lines with law=: what the law points at, which elements differ, what a call
// does wrong by itself; and a smaller line that still breaks that law.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/table.h"
#include "tests/verify/fake_device.h"
#include "tests/verify/law_breakers.h"
#include "verify/explain/explain.h"
#include "verify/explain/law_points_at.h"
#include "verify/run_case.h"
#include "verify/shrink/shrink.h"

namespace w4::test {
namespace {

using explain::Certainty;
using explain::Explanation;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class LawExplained : public testing::Test {
 protected:
  LawExplained() {
    context_.put_device("gfx1151", std::make_unique<FakeDevice>());
    context_.put_module("fake", &law_breakers());
  }
  Context context_;
};

TEST(LawPointsAt, EveryLawAtSomethingOfItsOwn) {
  std::vector<std::string_view> said;
  for (const Law l : all_laws()) {
    if (l == Law::reference) continue;
    said.push_back(explain::law_points_at(l));
    EXPECT_GT(said.back().size(), 20u) << name_of(l);
  }
  std::ranges::sort(said);
  EXPECT_EQ(std::ranges::adjacent_find(said), said.end());
}

// All elements of the further call are one ulp off, on any data.
TEST_F(LawExplained, NamesTheLawItsElementsAndWhatTheFurtherCallDoesWrong) {
  const Case c =
      *parse_case("cu_count m=2 n=16 k=64 g=32 cus=20 fill=integer law=cu_count module=fake");
  const Explanation e = explain::explain(c, context_);
  ASSERT_EQ(e.verdict.kind(), VerdictKind::law_broken) << to_string(e.verdict);
  EXPECT_THAT(e.says, HasSubstr("the relation cu_count does not hold between 'cu_count m=2"));
  EXPECT_THAT(e.says, HasSubstr("32 of 32 elements (every row, every column)"));
  EXPECT_THAT(e.says, HasSubstr("so the output depends on the number of compute units"));
  EXPECT_THAT(e.says, HasSubstr("in the further call, none of the hypotheses"));
  EXPECT_THAT(e.says, Not(HasSubstr("by itself lies in its intervals")));
  EXPECT_FALSE(e.pattern.empty());
}

TEST_F(LawExplained, SaysWhichColumnsAreNotThoseOfTheOtherCall) {
  const Case c = *parse_case("permute_n m=2 n=16 k=64 g=64 fill=integer law=permute_n module=fake");
  const Explanation e = explain::explain(c, context_);
  ASSERT_EQ(e.verdict.kind(), VerdictKind::law_broken) << to_string(e.verdict);
  EXPECT_THAT(e.says, HasSubstr("so an output depends on which column it is"));
  EXPECT_THAT(e.says, HasSubstr("every row, 2 of 16 columns: 0, "));
}

const w4_kernel& built_in(std::string_view name) {
  const w4_module& m = builtin_module();
  for (int32_t i = 0; i < m.kernel_count; ++i) {
    if (name == m.kernels[i].name) return m.kernels[i];
  }
  ADD_FAILURE() << name;
  return m.kernels[0];
}

// A tile that follows the number of compute units: another order of sums, right by itself.
TEST(LawExplainedOfRealCode, SaysWhereOnlyTheRelationShowsIt) {
  w4_kernel kernel = built_in("chunked");
  kernel.run = [](const w4_kernel*, const w4_call* call, const w4_device* device) {
    w4_call other = *call;
    other.tile = call->cu_count % 2 == 0 ? "y1u4a32w16" : "y1u4a16w16";
    const w4_kernel& inner = built_in("chunked");
    return inner.run(&inner, &other, device);
  };
  const w4_module module{W4_MODULE_VERSION, sizeof(w4_kernel), "changed", &kernel, 1};
  Context context;
  context.put_module("changed", &module);
  Case c = *parse_case("chunked n=64 k=4096 g=64 act=bf16 cus=5 fill=cancel law=cu_count");
  c.module = "changed";
  for (c.seed = 0; c.seed < 8 && run_case(c, context).green();) ++c.seed;
  const Explanation e = explain::explain(c, context);
  ASSERT_EQ(e.verdict.kind(), VerdictKind::law_broken) << to_string(e.verdict);
  EXPECT_EQ(e.certainty, Certainty::stated);
  EXPECT_THAT(e.says, HasSubstr("or the tile chosen for it. Each call by itself lies in its "));
  EXPECT_TRUE(e.named.empty());
}

// The call of the line is wrong by itself as well: its hypothesis leads, the law follows.
TEST(LawExplainedOfRealCode, NamesTheHypothesisOfTheReferenceCallToo) {
  w4_kernel kernel = built_in("decode");
  kernel.run = [](const w4_kernel*, const w4_call* call, const w4_device* device) {
    w4_call other = *call;
    other.zp = nullptr;
    const w4_kernel& inner = built_in("decode");
    return inner.run(&inner, &other, device);
  };
  const w4_module module{W4_MODULE_VERSION, sizeof(w4_kernel), "changed", &kernel, 1};
  Context context;
  context.put_module("changed", &module);
  const Explanation e = explain::explain(
      *parse_case("decode m=2 n=16 k=128 g=64 zp=packed law=zero_shift module=changed"), context);
  ASSERT_EQ(e.verdict.kind(), VerdictKind::law_broken) << to_string(e.verdict);
  EXPECT_THAT(e.says, HasSubstr("so codes and zero points are not simply subtracted"));
  ASSERT_EQ(e.named.size(), 1u) << to_string(e);
  EXPECT_THAT(e.named[0].says, HasSubstr("zero point"));
  EXPECT_THAT(e.says, StartsWith(e.named[0].says + "; seen as a broken law: the relation "));
}

TEST_F(LawExplained, ShrinkingKeepsTheLaw) {
  const Case c = *parse_case(
      "schedule m=5 n=136 k=512 g=128 zp=packed bias=n aoff=32 yoff=2 seed=9 cus=7 law=schedule "
      "module=fake");
  const auto run = [&](const Case& one) { return run_case(one, context_); };
  const Shrunk s = shrink(c, run);
  EXPECT_EQ(s.end, Shrunk::End::minimal);
  EXPECT_EQ(s.smallest.law, Law::schedule);
  EXPECT_EQ(failure_of(s.verdict), (Failure{VerdictKind::law_broken, "schedule", ""}));
  const Problem& p = s.smallest.problem;
  EXPECT_EQ(p.m * p.n, 1) << to_string(s.smallest);
  EXPECT_EQ(p.k, 32) << to_string(s.smallest);
  EXPECT_EQ(p.bias.rank, 0);
  EXPECT_FALSE(run(s.smallest).green());
}

}  // namespace
}  // namespace w4::test
