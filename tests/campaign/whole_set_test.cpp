// What a run says as a whole: floors of suites, drifts, headroom.
#include "campaign/whole_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/contract.h"
#include "kernels/table.h"
#include "verify/cases/coverage.h"

namespace w4 {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string printed(const WholeSet& s) {
  FILE* f = std::tmpfile();
  s.print(f);
  std::rewind(f);
  std::string text;
  for (int ch = 0; (ch = std::fgetc(f)) != EOF;) text += static_cast<char>(ch);
  std::fclose(f);
  return text;
}

Verdict passed(const Case& c, const Pass& pass = {}) {
  Provenance ran;
  ran.fp = "ieee";
  ran.instantiation = "small";
  return make_verdict(to_string(c), {pass}, ran);
}

Record record(std::string suite, const Case& c, const Pass& pass = {}) {
  return {std::move(suite), c.kernel, c.device, passed(c, pass), false};
}

// Whether the built-in kernel takes it: coverage is of cases that ran.
bool legal(const Case& c) {
  const w4_module& module = builtin_module();
  for (int32_t i = 0; i < module.kernel_count; ++i) {
    const w4_kernel& kernel = module.kernels[i];
    if (c.kernel != kernel.name) continue;
    std::vector<std::string> declared;
    for (const char* const* name = kernel.clauses; *name != nullptr; ++name) {
      declared.emplace_back(*name);
    }
    return broken_clauses(declared, c.problem, resolve_reported(c.problem, *find_gpu(c.device)))
        .empty();
  }
  return false;
}

bool may_be_refused(const Coverage::Floor& f) { return f.name == "verdict"; }

class Shipped : public testing::TestWithParam<std::string_view> {};

// On any seed, where its cases are what it draws.
TEST_P(Shipped, ReachesItsFloors) {
  const Suite& suite = *find_suite(GetParam());
  ASSERT_NE(suite.floors, nullptr);
  for (const uint64_t seed : {1, 2}) {
    Coverage c;
    for (const Case& one : suite.cases(seed)) {
      if (legal(one)) c.add(one);
    }
    std::vector<Coverage::Floor> floors = suite.floors();
    std::erase_if(floors, may_be_refused);  // nothing is run here
    EXPECT_GE(floors.size(), 20u);
    for (const std::string& below : c.below(floors)) ADD_FAILURE() << below;
  }
}

// A twentieth of its cases, the first: a suite that lost its others.
TEST_P(Shipped, IsRedWhereItIsThin) {
  const Suite& suite = *find_suite(GetParam());
  const std::vector<Case> cases = suite.cases(1);
  WholeSet thin;
  for (size_t i = 0; i < cases.size() / 20; ++i) {
    if (legal(cases[i])) thin.add(record(std::string(suite.name), cases[i]));
  }
  thin.judge(true);
  EXPECT_TRUE(thin.red());
  EXPECT_THAT(printed(thin), HasSubstr("below the floor: " + std::string(suite.name) + ": "));
}

INSTANTIATE_TEST_SUITE_P(Suites, Shipped, testing::ValuesIn([] {
                           std::vector<std::string_view> names;
                           for (const Suite& s : suites()) names.push_back(s.name);
                           return names;
                         }()),
                         [](const auto& p) {
                           std::string name(p.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST(WholeSet, OfAnUnfinishedRunOrAFileHasNoFloors) {
  const Case c = *parse_case("decode m=1 n=8");
  WholeSet stopped;
  stopped.add(record("smoke", c));
  stopped.judge(false);
  EXPECT_FALSE(stopped.red()) << printed(stopped);
  WholeSet file;
  file.add(record("mine.cases", c));
  file.judge(true);
  EXPECT_FALSE(file.red()) << printed(file);
}

// A device without code: every case skipped there, which takes nothing from the other's.
TEST(WholeSet, LeavesSkippedCasesOut) {
  WholeSet s;
  const Suite& suite = *find_suite("boundary");
  for (const Case& c : suite.cases(1)) {
    if (!legal(c)) continue;
    s.add(record("boundary", c));
    for (int i = 0; i < 9; ++i) {
      Record skipped = record("boundary", c);
      skipped.verdict = make_verdict(to_string(c), {Skipped{SkipReason::no_code_object, ""}}, {});
      s.add(skipped);
    }
  }
  s.judge(true);
  EXPECT_FALSE(s.red()) << printed(s);
}

TEST(WholeSet, IsRedWhereOutputsLeanAndSaysHowFar) {
  // 100 columns of 10 outputs each, all of them cut off.
  Drift cut;
  cut.outputs = 1000, cut.columns = 100, cut.sum = -500, cut.counts = 100 * 100;
  cut.squares = 100 * (25 + 1), cut.products = -100 * 50;
  const Case c = *parse_case("decode m=10 n=100 act=bf16");
  WholeSet s;
  s.add(record("mine.cases", c, {.worst = {}, .headroom = 0, .exposure = 5, .drift = cut}));
  s.judge(false);
  EXPECT_TRUE(s.red());
  EXPECT_THAT(printed(s),
              HasSubstr("drift: decode on gfx1151, fp ieee, bf16: err sign(y) is -0.50000 ulp"));
  cut.sum = 1, cut.products = 10, cut.squares = 100;
  WholeSet straight;
  straight.add(
      record("mine.cases", c, {.worst = {}, .headroom = 0.5, .exposure = 5, .drift = cut}));
  straight.judge(false);
  EXPECT_FALSE(straight.red());
  EXPECT_THAT(printed(straight), Not(HasSubstr("drift: decode")));
  EXPECT_THAT(printed(straight), HasSubstr("headroom of decode bf16: p50 0.5, p90 0.5, p99 0.5, "
                                           "max 0.5 of B in 1 cases"));
}

// Lines of a store are what another build, or somebody, put there.
TEST(WholeSet, LinesOfNoMeaningAreCountedToo) {
  Coverage coverage;
  for (const char* line :
       {"moe_prefill m=2 n=16 k=128 experts=7 blockm=0", "decode m=1 n=8 k=-3"}) {
    const auto c = parse_case(line);
    ASSERT_TRUE(c) << line;
    coverage.add(*c, make_verdict(line, {Pass{}}, {}));
  }
  EXPECT_EQ(coverage.of("verdict", "pass"), 2);
}

}  // namespace
}  // namespace w4
