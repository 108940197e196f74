// What the suite models promises: every accepted layer at every M, whole tiles of prefill, both
// sides of the route.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "campaign/suites/models.h"
#include "core/contract.h"
#include "tests/campaign/decode_clauses.h"

namespace w4 {
namespace {

TEST(Models, TableIsThatOfTheContract) {
  EXPECT_EQ(model_layers().size(), 102u);
  EXPECT_EQ(std::ranges::count(model_layers(), true, &ModelLayer::accepted), 100);
  for (const ModelLayer& l : model_layers()) {
    EXPECT_EQ(l.accepted, l.k % l.g == 0 && l.k % 16 == 0)
        << l.model << ' ' << l.layer << ' ' << l.tp;
  }
}

TEST(Models, EveryAcceptedRowAtEveryM) {
  std::set<std::string> lines;
  for (const Case& c : model_cases(1)) lines.insert(to_string(c));
  int rows = 0, past = 0;
  for (const ModelLayer& l : model_layers()) {
    if (!l.accepted) continue;
    for (int64_t m = 1; m <= 5; ++m) {
      Case want;
      want.kernel = l.k * m <= 32768 ? "decode" : "chunked";
      ++(l.k * m <= 32768 ? rows : past);
      want.problem.m = m;
      want.problem.n = l.n;
      want.problem.k = l.k;
      want.problem.g = l.g;
      want.problem.zp = l.asymmetric ? ZpMode::packed : ZpMode::none;
      if (l.bias) want.problem.bias = {1, {Extent{}, Extent{}}};
      want.problem.src = Source::ct;
      const bool ct = lines.contains(to_string(want));
      want.problem.src = Source::awq;
      EXPECT_TRUE(ct || lines.contains(to_string(want))) << l.model << ' ' << l.layer << ' ' << m;
    }
  }
  EXPECT_EQ(rows, 482);
  EXPECT_EQ(past, 100 * 5 - 482);
}

// The rule of the slices: whole tiles, one at least, no more than the layer or the budget has.
TEST(Models, PrefillRunsWholeTilesOfEveryLayerOfTp1) {
  std::map<int64_t, int> by_m;
  for (const Case& c : model_cases(1)) {
    if (c.kernel != "prefill") continue;
    const Problem& p = c.problem;
    ++by_m[p.m];
    ASSERT_TRUE(p.tile);
    const bool whole_layer = std::ranges::any_of(
        model_layers(), [&](const ModelLayer& l) { return l.n == p.n && l.k == p.k; });
    EXPECT_TRUE(p.n % p.tile->bn == 0 || whole_layer) << to_string(c);
    EXPECT_TRUE(p.n == p.tile->bn || p.n * p.k * p.m <= kPrefillProducts) << to_string(c);
    EXPECT_EQ(p.n % 8, 0) << to_string(c);
  }
  std::set<std::tuple<int64_t, int64_t, int64_t, bool, bool, bool>> layers;
  for (const ModelLayer& l : model_layers()) {
    const bool ct = l.model.starts_with("Qwen3-") || l.model.starts_with("Gemma-3-");
    if (l.tp == 1) layers.insert({l.n, l.k, l.g, l.asymmetric, l.bias, ct});
  }
  ASSERT_EQ(by_m.size(), 5u);
  for (const int64_t m : {6, 16, 64, 128, 512}) {
    EXPECT_GE(by_m[m], 10) << m;  // layers may become equal by their slices
    EXPECT_LE(by_m[m], static_cast<int>(layers.size())) << m;
  }
}

TEST(Models, HybridRunsOnBothSidesOfItsRoute) {
  int decode = 0, prefill = 0;
  for (const Case& c : model_cases(1)) {
    if (c.kernel != "hybrid") continue;
    ++(routes_to_decode(c.problem.m, c.problem.k) ? decode : prefill);
    EXPECT_FALSE(c.problem.tile) << to_string(c);
  }
  EXPECT_GE(decode, 10);
  EXPECT_EQ(decode, prefill);
}

// contract.md 18: where the route leaves decode at TP = 1.
TEST(Models, RouteLeavesDecodeWhereTheContractSays) {
  const std::map<int64_t, int64_t> first_m{{9728, 4},  {12288, 3}, {18944, 2}, {14336, 3},
                                           {10240, 4}, {8192, 5},  {6528, 6}};
  for (const auto& [k, m] : first_m) {
    EXPECT_TRUE(routes_to_decode(m - 1, k)) << k;
    EXPECT_FALSE(routes_to_decode(m, k)) << k;
  }
}

TEST(Models, EveryCaseIsLegalAndDistinct) {
  std::set<std::string> lines;
  for (const Case& c : model_cases(1)) {
    if (c.kernel == "decode") EXPECT_TRUE(broken(c).empty()) << to_string(c);
    EXPECT_TRUE(lines.insert(to_string(c)).second) << to_string(c);
  }
}

}  // namespace
}  // namespace w4
