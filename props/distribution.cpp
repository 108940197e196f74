// What the generator of each row makes, drawn and not run: every class that matters has its floor
// of cases, in sum and where nothing else is said.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

#include "core/contract.h"
#include "core/gpu.h"
#include "props/run_props.h"
#include "verify/cases/floors.h"
#include "verify/cases/law_cases.h"
#include "verify/cases/row_cases.h"
#include "verify/cases/signal.h"

namespace w4 {
namespace {

constexpr int64_t kCases = 6000;

std::vector<std::string_view> all_archs() {
  std::vector<std::string_view> out;
  for (const GpuModel& g : gpu_models()) out.push_back(g.arch);
  return out;
}

// What bending a case for a law makes illegal: the law and the case, empty where nothing is.
std::string spoilt_by_a_law(const Case& c, std::string_view row, int64_t number,
                            const std::vector<std::string>& declared) {
  for (const Law law : all_laws()) {
    if (!law_fits(law, row)) continue;
    Case bent = c;
    NumberedChooser choose(2, number);
    bend_for(law, bent, choose);
    const auto broken =
        broken_clauses(declared, bent.problem, resolve_reported(bent.problem, *find_gpu(c.device)));
    if (!broken.empty())
      return fmt::format("{} is broken for law {} by {}", broken.front(), name_of(law),
                         to_string(bent));
  }
  return {};
}

class Distribution : public testing::TestWithParam<std::string_view> {};

TEST_P(Distribution, ReachesEveryFloor) {
  const std::string_view row = GetParam();
  const std::vector<std::string_view> archs = all_archs();
  const std::vector<std::string> declared = declared_clauses(row);
  ASSERT_FALSE(declared.empty());
  Coverage coverage;
  for (int64_t i = 0; i < kCases; ++i) {
    NumberedChooser choose(1, i);
    const Case c = choose_case(choose, {.devices = archs}, row);
    coverage.add(c);
    const auto broken =
        broken_clauses(declared, c.problem, resolve_reported(c.problem, *find_gpu(c.device)));
    if (!broken.empty()) FAIL() << broken.front() << " is broken by\n" << to_string(c);
    const std::string spoilt = spoilt_by_a_law(c, row, i, declared);
    if (!spoilt.empty()) FAIL() << spoilt;
    const auto back = parse_case(to_string(c));
    ASSERT_TRUE(back && *back == c) << to_string(c);
  }
  std::cout << coverage.text();
  for (const std::string& floor : coverage.below(row_floors(row))) ADD_FAILURE() << floor;
  for (const std::string& floor : coverage.below(rare_floors(row))) ADD_FAILURE() << floor;
  std::vector<Coverage::Floor> devices;
  for (const auto arch : archs) devices.push_back({"device", std::string(arch), 0.08});
  for (const std::string& floor : coverage.below(devices)) ADD_FAILURE() << floor;
}

INSTANTIATE_TEST_SUITE_P(Rows, Distribution, testing::ValuesIn(generated_rows()),
                         [](const auto& info) { return std::string(info.param); });

TEST(Cases, AreFunctionsOfSeedAndNumber) {
  for (const std::string_view row : generated_rows()) {
    NumberedChooser one(3, 41), two(3, 41), other(3, 42);
    const Case c = choose_case(one, {}, row);
    EXPECT_EQ(c, choose_case(two, {}, row));
    EXPECT_NE(c, choose_case(other, {}, row));
  }
}

// Choice 0 is the plainest, so that shrinking choices shrinks the case.
TEST(Cases, PlainestOfEachRow) {
  struct Plain final : Chooser {
    int pick(int) override { return 0; }
  };
  for (const std::string_view row : generated_rows()) {
    Plain plain;
    const Case c = choose_case(plain, {}, row);
    EXPECT_EQ(c.problem.m, 1) << to_string(c);
    EXPECT_EQ(c.problem.k, 32) << to_string(c);
    EXPECT_EQ(c.problem.n, 8) << to_string(c);
    EXPECT_EQ(c.problem.lda, Auto{}) << to_string(c);
    EXPECT_EQ(c.sched, Schedule{}) << to_string(c);
  }
}

}  // namespace
}  // namespace w4
