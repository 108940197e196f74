#include "verify/elements.h"

#include <gtest/gtest.h>

namespace w4 {
namespace {

Problem problem() {
  Problem p;
  p.m = 5, p.n = 16, p.k = 64, p.g = 32;
  return p;
}

TEST(Elements, EveryOperandNamesItsIndices) {
  Problem p = problem();
  p.zp = ZpMode::packed;
  p.bias.rank = 1;
  const Operands ops = plan_operands(p, {}, nullptr);
  EXPECT_EQ(element_at(ops, "act", (3 * 64 + 17) * 2), "act[m=3, k=17]");
  EXPECT_EQ(element_at(ops, "act", (3 * 64 + 17) * 2 + 1), "act[m=3, k=17]");
  EXPECT_EQ(element_at(ops, "wei", 2 * 32 + 5), "wei[n=2, k=8..15]");
  EXPECT_EQ(element_at(ops, "scale", (2 * 2 + 1) * 2), "scale[n=2, group=1]");
  EXPECT_EQ(element_at(ops, "zp", (1 * 2 + 1) * 4 + 3), "zp[n=8..15, group=1]");
  EXPECT_EQ(element_at(ops, "bias", 9 * 2), "bias[n=9]");
  EXPECT_EQ(element_at(ops, "out", (4 * 16 + 7) * 2), "out[m=4, n=7]");
  EXPECT_EQ(element_at(ops, "out", 5 * 16 * 2), "");
  EXPECT_EQ(element_at(ops, "act", -2), "");
  EXPECT_EQ(element_at(ops, "LDS", 0), "");
}

TEST(Elements, PadsAndStridesAreToldApart) {
  Problem p = problem();
  p.lda = 72;
  p.zp = ZpMode::unpacked;
  const Operands ops = plan_operands(p, {}, nullptr);
  EXPECT_EQ(element_at(ops, "act", (2 * 72 + 63) * 2), "act[m=2, k=63]");
  EXPECT_EQ(element_at(ops, "act", (2 * 72 + 64) * 2), "the pad behind row 2 of act");
  EXPECT_EQ(element_at(ops, "zp", (3 * 2 + 1) * 2), "zp[n=3, group=1]");
}

TEST(Elements, AFindingTellsItsElement) {
  const Operands ops = plan_operands(problem(), {}, nullptr);
  Finding f;
  f.buffer = "out";
  f.offset = 2;
  f.detail = "written twice";
  name_element(ops, f);
  EXPECT_EQ(f.detail, "written twice; out[m=0, n=1]");
}

}  // namespace
}  // namespace w4
