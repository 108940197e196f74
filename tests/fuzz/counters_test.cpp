#include "fuzz/counters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace w4::fuzz {
namespace {

std::vector<uint8_t> counted(const std::vector<Behaviour>& all) {
  std::ranges::fill(counters(), uint8_t{0});
  for (const Behaviour& b : all) count(b);
  return {counters().begin(), counters().end()};
}

size_t set_in(const std::vector<uint8_t>& c) {
  return c.size() - static_cast<size_t>(std::ranges::count(c, uint8_t{0}));
}

TEST(FuzzCounters, ABehaviourIsOneCounterWhateverItsKind) {
  for (const auto kind : {BehaviourKind::edge, BehaviourKind::tuple, BehaviourKind::margin})
    EXPECT_EQ(set_in(counted({{kind, 77}})), 1u);
  EXPECT_NE(counted({{BehaviourKind::edge, 77}}), counted({{BehaviourKind::tuple, 77}}));
}

// As many as the widest cases show; the engine tells apart what falls on one counter by its value.
TEST(FuzzCounters, FewOfManyBehavioursAreLost) {
  constexpr uint64_t kShown = 1000;
  std::vector<Behaviour> all;
  for (uint64_t id = 0; id < kShown; ++id) all.push_back({BehaviourKind::edge, id << 40 | id});
  EXPECT_GT(set_in(counted(all)), kShown * 98 / 100);
}

TEST(FuzzCounters, ValuesAreOfTheEnginesEightClasses) {
  std::set<uint8_t> values;
  for (uint64_t id = 0; id < 400; ++id) {
    for (const uint8_t v : counted({{BehaviourKind::edge, id}})) values.insert(v);
  }
  EXPECT_EQ(values, (std::set<uint8_t>{0, 1, 2, 3, 4, 8, 16, 32, 128}));
}

}  // namespace
}  // namespace w4::fuzz
