// What the suites promise: every boundary row, every value of every field; the layers of models are
// in models_suite_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "campaign/suites/boundary.h"
#include "campaign/suites/refusals.h"
#include "campaign/suites/small.h"
#include "campaign/suites/smoke.h"
#include "campaign/suites/suite.h"
#include "core/contract.h"
#include "kernels/decode_args.h"
#include "kernels/decode_tile.h"
#include "tests/campaign/decode_clauses.h"
#include "verify/cases/row_cases.h"

namespace w4 {
namespace {

TEST(Suites, EveryLineParsesBack) {
  for (const Suite& s : suites()) {
    for (const Case& c : s.cases(3)) {
      const auto back = parse_case(to_string(c));
      ASSERT_TRUE(back) << to_string(c) << ": " << back.error().text;
      EXPECT_EQ(*back, c);
      EXPECT_EQ(c.seed, 3u);
    }
  }
}

TEST(Suites, AreFunctionsOfTheSeed) {
  for (const Suite& s : suites()) EXPECT_EQ(s.cases(7), s.cases(7)) << s.name;
  std::vector<Case> one = smoke_cases(1), two = smoke_cases(2);
  for (Case& c : two) c.seed = 1;
  EXPECT_NE(one, two);
}

// contract.md 15, by hand.
constexpr std::array<BoundaryRow, 15> kTable{{
    {32, 1, 32768, 32800, 39296, 39328},
    {32, 2, 16384, 16416, 19648, 19680},
    {32, 3, 10912, 10944, 13088, 13120},
    {32, 4, 8192, 8224, 9824, 9856},
    {32, 5, 6528, 6560, 7840, 7872},
    {64, 1, 32768, 32832, 39296, 39360},
    {64, 2, 16384, 16448, 19648, 19712},
    {64, 3, 10880, 10944, 13056, 13120},
    {64, 4, 8192, 8256, 9792, 9856},
    {64, 5, 6528, 6592, 7808, 7872},
    {128, 1, 32768, 32896, 39296, 39424},
    {128, 2, 16384, 16512, 19584, 19712},
    {128, 3, 10880, 11008, 13056, 13184},
    {128, 4, 8192, 8320, 9728, 9856},
    {128, 5, 6528, 6656, 7808, 7936},
}};

TEST(Small, EveryShapeOnceAndAllOfThemLegal) {
  std::map<std::tuple<DType, ZpMode, int64_t>, int64_t> count;  // by type, zero points, G
  std::set<Problem, decltype([](const Problem& a, const Problem& b) {
             return std::tie(a.m, a.n, a.k, a.g, a.act) < std::tie(b.m, b.n, b.k, b.g, b.act);
           })>
      seen;
  std::set<std::string> fp;
  for (const Case& c : small_cases(1)) {
    const Problem& p = c.problem;
    EXPECT_TRUE(p.n >= 1 && p.n <= 64 && p.k >= p.g && p.k <= 2048 && p.m >= 1 && p.m <= 5);
    EXPECT_TRUE(seen.insert(p).second) << to_string(c);
    if (p.m == 5) EXPECT_THAT(broken(c), testing::IsEmpty()) << to_string(c);
    ++count[{p.act, p.zp, p.g}];
    fp.insert(c.fp);
  }
  // 5 M x 64 N (8 octets, 32 odd) x K/G of 64, 32, 16.
  const std::map<int64_t, int64_t> steps{{32, 64}, {64, 32}, {128, 16}};
  for (const auto& [g, ks] : steps) {
    EXPECT_EQ((count[{DType::f16, ZpMode::none, g}]), 5 * 64 * ks);
    EXPECT_EQ((count[{DType::bf16, ZpMode::packed, g}]), 5 * 8 * ks);
    EXPECT_EQ((count[{DType::bf16, ZpMode::unpacked, g}]), 5 * 32 * ks);
  }
  EXPECT_EQ(fp, (std::set<std::string>{"auto", "ieee", "gfx1151", "gfx1201"}));
}

TEST(Boundary, RowsAreThoseOfTheContract) {
  for (const BoundaryRow& want : kTable) {
    const BoundaryRow got = boundary_row(want.g, want.m);
    EXPECT_EQ(got.last_fit, want.last_fit) << want.g << ' ' << want.m;
    EXPECT_EQ(got.first_past, want.first_past) << want.g << ' ' << want.m;
    EXPECT_EQ(got.last_accepted, want.last_accepted) << want.g << ' ' << want.m;
    EXPECT_EQ(got.first_refused, want.first_refused) << want.g << ' ' << want.m;
  }
}

TEST(Boundary, EveryColumnOneStepBelowAtAndAboveForBothTypesWholeAndRagged) {
  const std::vector<Case> cases = boundary_decode_cases(1);
  for (const BoundaryRow& row : kTable) {
    for (const int64_t column :
         {row.last_fit, row.first_past, row.last_accepted, row.first_refused}) {
      for (const int64_t k : {column - row.g, column, column + row.g}) {
        for (const DType act : {DType::f16, DType::bf16}) {
          for (const bool ragged : {false, true}) {
            const bool found = std::ranges::any_of(cases, [&](const Case& c) {
              const Problem& p = c.problem;
              return p.g == row.g && p.m == row.m && p.k == k && p.act == act &&
                     (p.n % 4 != 0) == ragged;
            });
            EXPECT_TRUE(found) << row.g << ' ' << row.m << ' ' << k << ' ' << ragged;
          }
        }
      }
    }
  }
}

TEST(Boundary, CountsAndOffsetsOutgrowTheirBits) {
  int64_t most_rows = 0;
  std::set<std::string> far;
  for (const Case& c : boundary_width_cases(1)) {
    const Problem& p = c.problem;
    if (p.tile) most_rows = std::max(most_rows, (p.m + p.tile->bm - 1) / p.tile->bm);
    if ((p.m - 1) * resolved_lda(p) >= int64_t{1} << 32) far.insert(c.kernel);
  }
  EXPECT_GT(most_rows, 65535);
  EXPECT_EQ(far, (std::set<std::string>{"chunked", "hybrid", "prefill", "prefill_carrier",
                                        "prefill_dense"}));
}

// The clauses must draw the line where the contract does, whatever more LDS the device reports.
TEST(Boundary, OnlyTheLimitIsBrokenAndOnlyAboveIt) {
  using ::testing::Contains;
  for (const Case& c : boundary_decode_cases(1)) {
    const std::vector<std::string> names = broken(c);
    if (c.problem.k % c.problem.g != 0) {
      EXPECT_THAT(names, Contains("k.group")) << to_string(c);
      continue;
    }
    std::vector<std::string> want;
    if (c.problem.k * c.problem.m > 39321) want.push_back("lds.limit");
    if (c.problem.lds == 32768) want.push_back("lds.device");
    EXPECT_EQ(names, want) << to_string(c);
  }
}

TEST(Boundary, AnyIntegerTable) {
  const std::vector<Case> cases = boundary_decode_cases(1);
  const std::map<int64_t, std::array<int64_t, 2>> table{{1, {32768, 39321}},
                                                        {2, {16384, 19660}},
                                                        {3, {10922, 13107}},
                                                        {4, {8192, 9830}},
                                                        {5, {6553, 7864}}};
  for (const auto& [m, columns] : table) {
    for (const int64_t column : columns) {
      for (const int64_t k : {column, column + 1}) {
        EXPECT_TRUE(std::ranges::any_of(
            cases, [&](const Case& c) { return c.problem.m == m && c.problem.k == k; }))
            << m << ' ' << k;
      }
    }
  }
}

TEST(Boundary, DevicesThatReportOtherLds) {
  std::map<int64_t, int> count;
  for (const Case& c : boundary_decode_cases(1)) ++count[c.problem.lds.value_or(0)];
  EXPECT_EQ(count[163840], 45);
  EXPECT_EQ(count[32768], 45);
}

TEST(Refusals, EachBreaksItsClauseAndNoOther) {
  for (const RefusalLine& r : refusal_lines()) {
    const auto c = parse_case(r.line);
    ASSERT_TRUE(c) << r.line << ": " << c.error().text;
    std::vector<std::string> names = broken(*c);
    if (r.clause == "k.step") std::erase(names, "k.group");
    EXPECT_EQ(names, std::vector<std::string>{std::string(r.clause)}) << r.line;
  }
}

TEST(Refusals, EveryClauseThatFitsInMemoryHasOne) {
  std::set<std::string_view> covered;
  for (const RefusalLine& r : refusal_lines()) covered.insert(r.clause);
  for (const Clause& c : all_clauses()) {
    if (c.name == "index.width") continue;  // needs tensors of 2^31 elements
    if (!of_decode(c)) continue;            // decode has no such clause
    EXPECT_TRUE(covered.contains(c.name)) << c.name;
  }
}

DecodePlan plan_of(const Case& c) {
  const Problem& p = c.problem;
  const Reported reported = resolve_reported(p, *find_gpu(c.device));
  return plan_decode(p.m, p.n, p.k, reported.cus, kDecodeLdsElements, p.tile);
}

using Instantiation = std::tuple<DecodeForm, int64_t, int, int>;

std::map<Instantiation, int> instantiations(const std::vector<Case>& cases, int64_t above) {
  std::map<Instantiation, int> count;
  for (const Case& c : cases) {
    if (c.kernel != "decode" || !broken(c).empty() || c.problem.k * c.problem.m <= above) continue;
    const DecodePlan plan = plan_of(c);
    ++count[{plan.form, c.problem.m, plan.y, plan.u}];
  }
  return count;
}

TEST(Suites, SmokeAndBoundaryRunEveryInstantiation) {
  std::vector<Case> both = smoke_cases(1);
  for (Case& c : boundary_decode_cases(1)) both.push_back(std::move(c));
  auto count = instantiations(both, 0);
#define W4_ROW(FORM, M, Y, U)                        \
  EXPECT_GE((count[{DecodeForm::FORM, M, Y, U}]), 3) \
      << #FORM << " m" << M << " y" << Y << " u" << U;
  W4_DECODE_TILES(W4_ROW)
#undef W4_ROW
}

// Past the array the table chooses between two tiles (contract.md 6.8); both must be seen there.
TEST(Boundary, RunsBothTilesPastTheArray) {
  auto count = instantiations(boundary_decode_cases(1), kDecodeLdsElements);
  for (int64_t m = 1; m <= 5; ++m) {
    for (const int u : {1, 2}) {
      EXPECT_GE((count[{DecodeForm::medium, m, 4, u}]), 6) << m << ' ' << u;
    }
  }
}

// Every value of every field, each at least its floor.
TEST(Smoke, SpreadsOverEverything) {
  std::map<std::string, int> count;
  for (const Case& c : smoke_cases(1)) {
    if (c.kernel != "decode") {
      ++count["row " + c.kernel];
      continue;
    }
    if (!broken(c).empty()) {
      ++count["refusal"];
      continue;
    }
    const Problem& p = c.problem;
    ++count[fmt::format("m {} g {} {} {}", p.m, p.g, name_of(p.act), name_of(p.zp))];
    ++count["bias " + to_string(p.bias)];
    ++count[fmt::format("src {}", name_of(p.src))];
    ++count[fmt::format("fill {}", name_of(c.fill))];
    ++count["sched " + std::string(name_of(c.sched.order))];
    count["sched by instruction"] += c.sched.quantum == 1;
    ++count["cus " + (p.cus ? std::to_string(*p.cus) : "auto")];
    count["wpad"] += p.wpad.value_or(0) > 0;
    count["spad"] += p.spad.value_or(0) > 0;
    count["offset"] += p.aoff + p.woff + p.soff + p.zoff + p.boff + p.yoff > 0;
    count["n below the tile"] += p.n < 4;
    count["n past 16 bits"] += p.n > 65536;
    count["n ragged"] += p.n % 4 != 0;
    count["past the LDS"] += p.k * p.m > 32768;
    count["just fits the LDS"] += p.k * p.m > 32000 && p.k * p.m <= 32768;
    count["ragged lanes"] += p.k % 512 != 0 && p.k > 512;
  }
  for (const std::string_view row : generated_rows()) {
    if (row == "decode") continue;
    EXPECT_GE(count[fmt::format("row {}", row)], 120) << row;
  }
  for (int m = 1; m <= 5; ++m) {
    for (int g : {32, 64, 128}) {
      for (const char* act : {"f16", "bf16"}) {
        for (const char* zp : {"none", "packed", "unpacked"}) {
          EXPECT_GE(count[fmt::format("m {} g {} {} {}", m, g, act, zp)], 10);
        }
      }
    }
  }
  for (const char* name : {"bias none",
                           "bias n",
                           "bias 1xn",
                           "bias mxn",
                           "bias 1x1",
                           "bias mx1",
                           "src shuffled",
                           "src ct",
                           "src awq",
                           "src gptq1",
                           "src gptq2",
                           "sched rr",
                           "sched rev",
                           "sched random",
                           "sched prio",
                           "sched by instruction",
                           "cus auto",
                           "cus 1",
                           "cus 7",
                           "cus 20",
                           "cus 32",
                           "cus 48",
                           "cus 96",
                           "cus 10000",
                           "wpad",
                           "spad",
                           "offset",
                           "n below the tile",
                           "n ragged",
                           "past the LDS",
                           "just fits the LDS",
                           "ragged lanes",
                           "refusal"}) {
    EXPECT_GE(count[name], 20) << name;
  }
  EXPECT_GE(count["n past 16 bits"], 2);
  for (const Fill f : all_fills()) EXPECT_GE(count[fmt::format("fill {}", name_of(f))], 20);
}

}  // namespace
}  // namespace w4
