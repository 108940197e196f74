#include "zoo/expect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zoo/finding_family.h"

namespace w4 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kGood =
    "# a comment\ncovers B40 K3\nverdict finding mismatch  # both\nfinding oob_read\n"
    "explain bias.stride_n\nrows decode hybrid\ngroups 64\nacts bf16\n";

std::string error_of(const std::string& text) {
  const auto e = parse_expect(text);
  return e ? "none" : e.error().text;
}

TEST(Expect, ReadsEveryKey) {
  const auto e = parse_expect(kGood);
  ASSERT_TRUE(e.has_value()) << e.error().text;
  EXPECT_THAT(e->covers, ElementsAre("B40", "K3"));
  EXPECT_THAT(e->verdicts, ElementsAre(VerdictKind::finding, VerdictKind::mismatch));
  EXPECT_THAT(e->findings, ElementsAre(FindingKind::oob_read));
  EXPECT_THAT(e->explain, ElementsAre("bias.stride_n"));
  EXPECT_THAT(e->rows, ElementsAre("decode", "hybrid"));
  EXPECT_THAT(e->groups, ElementsAre(64));
  EXPECT_THAT(e->acts, ElementsAre("bf16"));
  EXPECT_FALSE(e->audit);
}

TEST(Expect, AnAuditIsAVerdictOfItsOwn) {
  const auto e = parse_expect("covers B94\nverdict audit\nrows hybrid\n");
  ASSERT_TRUE(e.has_value()) << e.error().text;
  EXPECT_TRUE(e->audit);
  EXPECT_TRUE(e->verdicts.empty());
}

TEST(Expect, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(error_of("covers B1\nverdict mismatch\n"), HasSubstr("no line 'rows'"));
  EXPECT_THAT(error_of("covers B1\ncolour red\n"), HasSubstr("line 2: 'colour'; legal: covers"));
  EXPECT_THAT(error_of("covers B1\ncovers B2\n"), HasSubstr("line 2: 'covers' a second time"));
  EXPECT_THAT(error_of("verdict\n"), HasSubstr("line 1: 'verdict' without a word"));
  EXPECT_THAT(error_of("verdict pass\n"), HasSubstr("verdict 'pass'; legal: mismatch"));
  EXPECT_THAT(error_of("verdict harness_error\n"), HasSubstr("verdict 'harness_error'"));
  EXPECT_THAT(error_of("finding oob\n"), HasSubstr("finding 'oob'"));
  EXPECT_THAT(error_of("groups 48\n"), HasSubstr("groups '48'; legal: 32, 64, 128"));
  EXPECT_THAT(error_of("acts f32\n"), HasSubstr("acts 'f32'"));
}

TEST(Expect, KindsOfFindingAndClausesBelongToTheirVerdicts) {
  EXPECT_THAT(error_of("covers B1\nverdict finding\nrows moe\n"), HasSubstr("belong together"));
  EXPECT_THAT(error_of("covers B1\nverdict mismatch\nfinding oob_read\nrows moe\n"),
              HasSubstr("belong together"));
  EXPECT_THAT(error_of("covers B1\nverdict accepted\nrows moe\n"), HasSubstr("belong together"));
  EXPECT_THAT(error_of("covers B1\nverdict mismatch\nclause k.group\nrows moe\n"),
              HasSubstr("belong together"));
}

TEST(FindingFamily, TellsAccessesFromValuesFromOrder) {
  EXPECT_EQ(family_of(FindingKind::lds_oob), family_of(FindingKind::oob_read));
  EXPECT_NE(family_of(FindingKind::lds_oob), family_of(FindingKind::lds_race));
  EXPECT_EQ(family_of(FindingKind::unwritten_output), family_of(FindingKind::undefined_store));
  EXPECT_EQ(name_of(family_of(FindingKind::barrier_divergence)), "order");
}

}  // namespace
}  // namespace w4
