// What a depiction shows of planted faults is exactly where they were planted: elements, columns of
// K, edges of the instantiation that ran.
#include "verify/depict/depict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "tests/verify/explain/plant.h"
#include "verify/run_case.h"

namespace w4::depict {
namespace {

using test::Plant;
using test::Tensors;

Case parsed(const std::string& line) {
  const auto c = parse_case(line);
  EXPECT_TRUE(c.has_value()) << line << ": " << c.error().text;
  return *c;
}

Depiction depicted(const Plant& plant, const std::string& line, const Limits& limits = {}) {
  Context context;
  context.put_module("planted", &test::planted_module(plant));
  Case c = parsed(line);
  c.module = "planted";
  const Verdict v = run_case(c, context);
  return depict(c, v, context, limits);
}

// One weight is wrong: row 5, column 77.
const Plant& wrong_code() {
  static const Plant plant{
      .name = "wrong_code", .hypothesis = "", .lines = {}, .prepare = [](Tensors& t) {
        t.set_code(5, 77, 15 - t.code(5, 77));
      }};
  return plant;
}

TEST(Depict, NamesTheColumnOfKAtWhichAnElementDeparts) {
  const Depiction d = depicted(wrong_code(), "decode m=2 n=64 k=256 g=64");
  ASSERT_EQ(d.wrong, 2);
  EXPECT_EQ(d.along_k.n, 5);
  ASSERT_TRUE(d.along_k.departs.has_value());
  EXPECT_EQ(*d.along_k.departs, 77);
  EXPECT_EQ(d.along_k.any_departs, 77);
  EXPECT_LE(d.along_k.points.size(), 48U);
  for (const Prefix& p : d.along_k.points)
    EXPECT_EQ(p.element.what != What::right, p.end > 77) << "act[0.." << p.end;
}

TEST(Depict, ShowsTheErrorWhereItIsAndNowhereElse) {
  const Depiction d = depicted(wrong_code(), "decode m=2 n=64 k=256 g=64");
  ASSERT_EQ(d.picture.rows, (std::vector<int64_t>{0, 1, 2}));
  ASSERT_EQ(d.picture.columns.size(), 65U);
  for (size_t i = 0; i < d.picture.cells.size(); ++i) {
    const Cell& c = d.picture.cells[i];
    EXPECT_EQ(c.what == What::wrong, i % 64 == 5) << "column " << i % 64;
    EXPECT_EQ(c.wrong, i % 64 == 5 ? 1 : 0);
    EXPECT_EQ(std::abs(c.error) > 1, i % 64 == 5) << c.error;
  }
  ASSERT_EQ(d.worst.size(), 2U);
  const Element& e = d.worst.front();
  EXPECT_EQ(e.n, 5);
  EXPECT_TRUE(e.got < e.low || e.got > e.high);
  EXPECT_EQ(e.error < 0, e.got < e.low);
  EXPECT_GE(std::abs(e.error), std::abs(d.worst.back().error));
}

TEST(Depict, CellsOfSeveralElementsShowTheWorstOfThem) {
  Limits limits;
  limits.side = 16;
  const Depiction d = depicted(wrong_code(), "decode m=2 n=64 k=256 g=64", limits);
  ASSERT_EQ(d.picture.columns, (std::vector<int64_t>{0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44,
                                                     48, 52, 56, 60, 64}));
  for (size_t i = 0; i < d.picture.cells.size(); ++i)
    EXPECT_EQ(d.picture.cells[i].what == What::wrong, i % 16 == 1) << i;
}

TEST(Depict, AnErrorWithoutActivationsDepartsNowhereAlongK) {
  const Plant plant{.name = "wrong_bias",
                    .hypothesis = "",
                    .lines = {},
                    .run = [](const w4_call& call, const test::RunInner& inner) {
                      w4_call c = call;
                      w4_tensor bias = *call.bias;
                      bias.device += 2;
                      bias.dim[bias.rank - 1] = call.wei->dim[0];
                      c.bias = &bias;
                      return inner(c);
                    }};
  const Depiction d = depicted(plant, "decode m=1 n=64 k=256 g=64 bias=n boff=0");
  if (!d.why_no_output.empty()) GTEST_FAIL() << d.why_no_output;
  ASSERT_GT(d.wrong, 0);
  EXPECT_EQ(d.along_k.departs, -1) << d.along_k.why_not;
}

// The bias is read one element on: the last column's lies outside.
const Plant& bias_shifted() {
  static const Plant plant{.name = "bias_shifted",
                           .hypothesis = "",
                           .lines = {},
                           .run = [](const w4_call& call, const test::RunInner& inner) {
                             w4_call c = call;
                             w4_tensor bias = *call.bias;
                             bias.device += 2;
                             c.bias = &bias;
                             return inner(c);
                           }};
  return plant;
}

TEST(Depict, WhatACheckKeptFromBeingWrittenIsSeenWithoutIt) {
  const Depiction d = depicted(bias_shifted(), "decode m=2 n=64 k=256 g=64 bias=n");
  ASSERT_EQ(d.findings.size(), 1U);
  EXPECT_EQ(d.findings[0].finding.kind, FindingKind::oob_read);
  EXPECT_TRUE(d.unchecked);
  EXPECT_EQ(d.why_checked, "");
  const auto line = parse_case(d.line);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->checks.mask, 0U) << d.line;
  EXPECT_EQ(d.wrong, 128);
  for (const Cell& c : d.picture.cells) EXPECT_EQ(c.what, What::wrong);
  for (const Element& e : d.worst) EXPECT_EQ(e.what, What::wrong);
  EXPECT_EQ(d.along_k.departs, -1) << d.along_k.why_not;
}

TEST(Depict, WithChecksOffFromTheStartNothingIsSaidOfThem) {
  const Depiction d = depicted(bias_shifted(), "decode m=2 n=64 k=256 g=64 bias=n checks=none");
  EXPECT_TRUE(d.findings.empty());
  EXPECT_FALSE(d.unchecked);
  EXPECT_EQ(d.wrong, 128);
  EXPECT_FALSE(depicted(wrong_code(), "decode m=2 n=64 k=256 g=64").unchecked);
}

TEST(Depict, EdgesAreThoseOfWhatRan) {
  // y2: a wave makes two columns; w16 is compiled, as many waves work as the text says.
  const Depiction walk = depicted(wrong_code(), "decode m=3 n=64 k=256 g=64 tile=y2u2a16w16 cus=4");
  ASSERT_TRUE(walk.geometry.has_value()) << walk.instantiation;
  EXPECT_EQ(walk.geometry->n.wave, 2);
  // Of it 8 waves.
  EXPECT_EQ(walk.geometry->n.tile, 16) << walk.instantiation;
  EXPECT_EQ(walk.geometry->m.tile, 3);
  EXPECT_EQ(walk.geometry->step, 512);
  EXPECT_EQ(walk.geometry->unrolled, 1024);
  const Depiction matrix =
      depicted(wrong_code(), "prefill m=70 n=64 k=256 g=64 tile=bm64bn32bk64w4");
  ASSERT_TRUE(matrix.geometry.has_value()) << matrix.instantiation;
  EXPECT_EQ(matrix.geometry->m, (Edges{.tile = 64, .wave = 32, .matrix = 16}));
  EXPECT_EQ(matrix.geometry->n, (Edges{.tile = 32, .wave = 16, .matrix = 16}));
  EXPECT_EQ(matrix.wrong, 70);
}

TEST(Depict, RowsOfExpertsAreInTheOrderOfTheirBlocks) {
  const Depiction d =
      depicted(wrong_code(), "moe m=8 n=64 k=256 g=64 experts=4 topk=2 blockm=2 route=uniform");
  if (!d.why_no_output.empty()) GTEST_FAIL() << d.why_no_output;
  ASSERT_EQ(d.order.size(), 16U);
  ASSERT_EQ(d.experts.size(), 16U);
  EXPECT_TRUE(d.geometry && d.geometry->blocks);
  EXPECT_TRUE(std::ranges::is_sorted(d.experts));
  // The wrong weight is the first expert's.
  for (size_t i = 0; i < d.picture.cells.size(); ++i) {
    const bool wrong = i % 64 == 5 && d.experts[i / 64] == 0;
    EXPECT_EQ(d.picture.cells[i].what == What::wrong, wrong) << i;
  }
}

TEST(Depict, CleanLineIsRightEverywhere) {
  const Plant clean{.name = "clean", .hypothesis = "", .lines = {}};
  const Depiction d = depicted(clean, "decode m=2 n=64 k=256 g=64 bias=n");
  EXPECT_EQ(d.wrong, 0);
  EXPECT_TRUE(d.worst.empty());
  EXPECT_TRUE(d.along_k.points.empty());
  EXPECT_FALSE(d.along_k.why_not.empty());
  for (const Cell& c : d.picture.cells) {
    EXPECT_EQ(c.what, What::right);
    EXPECT_LE(std::abs(c.error), 1);
  }
}

TEST(Depict, ARefusalHasNoOutputAndSaysSo) {
  const Plant clean{.name = "clean", .hypothesis = "", .lines = {}};
  const Depiction d = depicted(clean, "decode m=9 n=64 k=256 g=64");
  EXPECT_NE(d.why_no_output.find("m."), std::string::npos) << d.why_no_output;
}

TEST(Excerpt, HasTheLineAndItsNeighbours) {
  const std::string path = testing::TempDir() + "/w4_excerpt.hip";
  std::ofstream f(path);
  for (int i = 1; i <= 20; ++i) f << "line " << i << "\n";
  f.close();
  const Excerpt e = excerpt_of(path + ":12");
  EXPECT_EQ(e.place, "w4_excerpt.hip:12");
  EXPECT_EQ(e.first, 8);
  ASSERT_EQ(e.text.size(), 9U);
  EXPECT_EQ(e.text[4], "line 12");
  EXPECT_EQ(excerpt_of(path + ":2").first, 1);
  EXPECT_EQ(excerpt_of(path + ":20").text.size(), 5U);
  EXPECT_TRUE(excerpt_of(path + ":25").text.empty());
  EXPECT_NE(excerpt_of(path + ":25").why_not.find("changed"), std::string::npos);
  EXPECT_NE(excerpt_of("/nowhere/a.hip:3").why_not.find("not on this machine"), std::string::npos);
}

}  // namespace
}  // namespace w4::depict
