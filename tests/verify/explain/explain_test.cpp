// explain names every planted fault from the case line alone, names no other hypothesis unless it
// declares that both say the same, and finds nothing to explain in the clean twin.
#include "verify/explain/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/table.h"
#include "tests/verify/explain/native_plants.h"
#include "tests/verify/explain/plant.h"
#include "verify/explain/hypothesis.h"

namespace w4::explain {
namespace {

using test::Plant;

Case parsed(const std::string& line) {
  const auto c = parse_case(line);
  EXPECT_TRUE(c.has_value()) << line << ": " << c.error().text;
  return *c;
}

std::vector<Plant> all_plants() {
  std::vector<Plant> out;
  for (const auto plants : {test::plants_of_weights(), test::plants_of_calls()})
    out.insert(out.end(), plants.begin(), plants.end());
  return out;
}

std::vector<std::string> names_of(const Explanation& e) {
  std::vector<std::string> out;
  for (const Named& n : e.named) out.push_back(n.name);
  return out;
}

// That hypothesis and no other; or where there is none to name, what the pattern has to say.
void expect_named(const Explanation& e, const std::string& hypothesis,
                  const std::vector<std::string>& pattern) {
  if (hypothesis.empty()) {
    EXPECT_EQ(e.certainty, Certainty::none) << to_string(e);
    EXPECT_TRUE(e.named.empty()) << to_string(e);
    EXPECT_FALSE(e.pattern.empty());
    for (const std::string& part : pattern) {
      EXPECT_TRUE(std::ranges::any_of(e.pattern,
                                      [&](const std::string& p) { return p.find(part) != p.npos; }))
          << "no pattern says '" << part << "'\n"
          << to_string(e);
    }
    return;
  }
  EXPECT_EQ(names_of(e), std::vector{hypothesis}) << to_string(e.verdict) << "\n" << to_string(e);
}

class Planted : public testing::TestWithParam<Plant> {};

TEST_P(Planted, IsNamedFromTheLineAlone) {
  const Plant& plant = GetParam();
  Context context;
  context.put_module("planted", &test::planted_module(plant));
  for (const std::string& line : plant.lines) {
    Case c = parsed(line);
    const Explanation clean = explain(c, context);
    EXPECT_EQ(clean.certainty, Certainty::nothing) << to_string(clean.verdict);
    EXPECT_TRUE(clean.says.starts_with("nothing to explain")) << clean.says;
    c.module = "planted";
    const Explanation e = explain(c, context);
    EXPECT_FALSE(e.verdict.green()) << "the fault does not show: " << to_string(e.verdict);
    expect_named(e, plant.hypothesis, plant.pattern);
  }
}

INSTANTIATE_TEST_SUITE_P(Explain, Planted, testing::ValuesIn(all_plants()),
                         [](const auto& p) { return p.param.name; });

class PlantedNative : public testing::TestWithParam<test::NativePlant> {};

TEST_P(PlantedNative, IsNamedFromTheLineAlone) {
  const test::NativePlant& plant = GetParam();
  Context context;
  test::put_native(context);
  Case c = parsed(plant.line);
  c.module = "native";
  c.kernel = "right";
  EXPECT_EQ(explain(c, context).certainty, Certainty::nothing)
      << to_string(explain(c, context).verdict);
  c.kernel = plant.name;
  const Explanation e = explain(c, context);
  EXPECT_FALSE(e.verdict.green()) << "the fault does not show: " << to_string(e.verdict);
  expect_named(e, plant.hypothesis, {plant.pattern});
}

INSTANTIATE_TEST_SUITE_P(Explain, PlantedNative, testing::ValuesIn(test::native_plants()),
                         [](const auto& p) { return std::string(p.param.name); });

// Nothing is claimed that is not tested: here, or with the founding defects.
TEST(Hypotheses, EachHasAPlantedFault) {
  std::set<std::string> planted{"zp.halves_read_as_words", "bias.stride_n"};
  for (const Plant& p : all_plants()) planted.insert(p.hypothesis);
  for (const test::NativePlant& p : test::native_plants()) planted.insert(p.hypothesis);
  for (const Hypothesis& h : all_hypotheses()) {
    EXPECT_TRUE(planted.contains(std::string(h.name))) << h.name;
  }
  EXPECT_GE(all_hypotheses().size(), 25u);
}

TEST(Hypotheses, NamesAreUniqueAndSaySomething) {
  std::set<std::string_view> names;
  for (const Hypothesis& h : all_hypotheses()) {
    EXPECT_TRUE(names.insert(h.name).second) << h.name;
    EXPECT_FALSE(h.says.empty());
    EXPECT_FALSE(h.defects.empty());
    EXPECT_FALSE(h.when.empty());
  }
}

}  // namespace
}  // namespace w4::explain
