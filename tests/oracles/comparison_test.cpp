// A small part of the table of docs/oracles.md: the project's oracle cries over no clean run, and
// misses no fault that another one catches on the same data.
#include "oracles/comparison.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "oracles/classic.h"
#include "oracles/document.h"
#include "oracles/faults.h"
#include "tests/oracles/declarations.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

OracleRuns small_runs() {
  auto runs = run_oracles(small_plan(), [](std::string_view) {});
  EXPECT_TRUE(runs) << runs.error().text;
  return *runs;
}

std::string name_of(const OracleRuns& runs, const OracleRun& r) {
  return fmt::format("{} act={} fill={} seed={}", runs.plan.lines[r.line], w4::name_of(r.act),
                     w4::name_of(r.fill), r.seed);
}

TEST(Comparison, TheIntervalHasNoFalseAlarmAndMissesNothingThatOthersCatch) {
  const OracleRuns runs = small_runs();
  const auto names = oracle_names();
  const size_t interval = names.size() - 2;
  std::map<std::tuple<size_t, DType, Fill, uint64_t>, uint32_t> clean;
  for (const OracleRun& r : runs.clean) {
    EXPECT_EQ(r.rejected >> interval, 0u) << name_of(runs, r);
    clean[{r.line, r.act, r.fill, r.seed}] = r.rejected;
  }
  ASSERT_EQ(runs.clean.size(), 96u);
  // On all fills together; where one fill alone shows a fault to others only, it is printed.
  std::map<std::tuple<size_t, DType, size_t>, uint32_t> met;
  for (const OracleRun& r : runs.faulty) {
    if (!r.visible) continue;
    const uint32_t by = r.rejected & ~clean.at({r.line, r.act, r.fill, r.seed});
    met[{r.line, r.act, r.fault}] |= by;
    if (by != 0 && (by >> interval & 1) == 0)
      fmt::print("{}: not by the interval: {}\n", faults()[r.fault].name, name_of(runs, r));
  }
  size_t caught = 0;
  for (const auto& [instance, by] : met) {
    const auto& [line, act, fault] = instance;
    caught += by >> interval & 1;
    for (size_t o = 0; o < interval && (by >> interval & 1) == 0; ++o)
      EXPECT_EQ(by >> o & 1, 0u) << faults()[fault].name << " is caught by " << names[o]
                                 << ", not by the interval: " << runs.plan.lines[line] << " "
                                 << w4::name_of(act);
  }
  EXPECT_GT(met.size(), 140u);
  EXPECT_GT(caught * 20, met.size() * 19);
}

TEST(Comparison, ThePageIsTheSameEveryTimeAndNamesEveryFaultAndOracle) {
  const std::string page = document(small_runs());
  EXPECT_EQ(document(small_runs()), page);
  for (const Fault& f : faults()) EXPECT_NE(page.find(f.name), page.npos) << f.name;
  for (const std::string_view name : oracle_names()) EXPECT_NE(page.find(name), page.npos) << name;
}

// r itself is right for every one of them; a wrong column is not.
TEST(ClassicOracles, AcceptTheReferenceAndRejectAWrongColumn) {
  for (const DType t : {DType::f16, DType::bf16}) {
    const Arrays x = make_problem({.m = 4, .n = 16, .k = 512, .act = t}, Fill::flat, 2);
    const ModuleNumerics numerics = numerics_of(all_declarations().front(), t, 512);
    const Golden g = make_golden(x, make_reference(x, numerics, Arithmetic::ieee, true));
    std::vector<uint16_t> wrong = g.eigen_bits, nan = g.eigen_bits;
    for (size_t m = 0; m < 4; ++m) wrong[m * 16 + 3] = from_f64(t, g.eigen[m * 16 + 3] + 1000);
    nan[5] = t == DType::f16 ? 0x7e00 : 0x7fc0;
    for (const Oracle& o : classic_oracles()) {
      EXPECT_TRUE(o.accepts(g, g.eigen_bits)) << o.name;
      EXPECT_FALSE(o.accepts(g, wrong)) << o.name;
      EXPECT_FALSE(o.accepts(g, nan)) << o.name;
    }
  }
}

TEST(ClassicOracles, CountUlpsAcrossZeroAndBinades) {
  Golden g{.act = DType::f16,
           .eigen_bits = {0x0000, 0x3c00},
           .eigen = {0, 1},
           .exact = {0, 1},
           .magnitude = {1, 1}};
  const auto accepts = [&](std::string_view name, std::vector<uint16_t> y) {
    for (const Oracle& o : classic_oracles()) {
      if (o.name == name) return o.accepts(g, y);
    }
    return false;
  };
  EXPECT_TRUE(accepts("1 ulp", {0x8000, 0x3c00}));  // -0
  EXPECT_TRUE(accepts("1 ulp", {0x8001, 0x3bff}));  // one below each
  EXPECT_FALSE(accepts("1 ulp", {0x0000, 0x3bfe}));
  EXPECT_TRUE(accepts("4 ulp", {0x8004, 0x3bfc}));
  EXPECT_FALSE(accepts("4 ulp", {0x8005, 0x3c00}));
  EXPECT_TRUE(accepts("small integers", {0x8000, 0x3c00}));
  EXPECT_FALSE(accepts("small integers", {0x0001, 0x3c00}));
}

}  // namespace
}  // namespace w4::test
