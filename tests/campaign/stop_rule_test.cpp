// The stop rule against populations whose probability of something new is known.
#include "campaign/stop_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace w4 {
namespace {

// Cases that show one or several behaviours out of a skewed population.
class Population {
 public:
  Population(int size, double skew, int shown, uint64_t seed) : shown_(shown), draw_(seed) {
    for (int i = 0; i < size; ++i) weight_.push_back(std::pow(i + 1, -skew));
    pick_ = std::discrete_distribution<int>(weight_.begin(), weight_.end());
    const double sum = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    for (double& w : weight_) w /= sum;
  }
  std::set<int> next() {
    std::set<int> out;
    for (int i = 0; i < shown_; ++i) out.insert(pick_(draw_));
    return out;
  }
  // That the next case shows at least one that `seen` lacks.
  double probability_of_new(const std::set<int>& seen) const {
    double known = 0;
    for (const int b : seen) known += weight_[static_cast<size_t>(b)];
    return std::max(0.0, 1 - std::pow(known, shown_));
  }

 private:
  int shown_;
  std::mt19937_64 draw_;
  std::vector<double> weight_;
  std::discrete_distribution<int> pick_;
};

struct Sampled {
  StopSample counts;
  double truth = 0;
};

Sampled sample(Population& from, int cases) {
  std::map<int, std::pair<int, int>> seen;  // behaviour -> times, first case
  Sampled out;
  out.counts = {.cases = cases, .recent = cases - cases / 2};
  for (int i = 0; i < cases; ++i) {
    bool first = false;
    for (const int b : from.next()) {
      auto& [times, who] = seen.try_emplace(b, 0, i).first->second;
      first = first || times == 0;
      ++times;
    }
    if (first && i >= cases / 2) ++out.counts.recent_new;
  }
  std::set<int> known, singles;
  for (const auto& [b, s] : seen) {
    known.insert(b);
    if (s.first == 1) singles.insert(s.second);
  }
  out.counts.singles = static_cast<int64_t>(singles.size());
  out.truth = from.probability_of_new(known);
  return out;
}

struct Coverage {
  int above_low = 0, below_high = 0, runs = 0;
  double estimate = 0, truth = 0, high = 0;
};

Coverage cover(int size, double skew, int shown, int cases) {
  Coverage out;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Population p(size, skew, shown, seed);
    const Sampled s = sample(p, cases);
    const StopRule r = stop_rule(s.counts);
    EXPECT_LE(r.low, r.probability);
    EXPECT_GE(r.high, r.probability);
    ++out.runs;
    out.above_low += s.truth >= r.low ? 1 : 0;
    out.below_high += s.truth <= r.high ? 1 : 0;
    out.estimate += r.probability / 200;
    out.truth += s.truth / 200;
    out.high += r.high / 200;
  }
  return out;
}

TEST(StopRule, CoversTheTruth) {
  for (const double skew : {0.0, 1.0, 1.5}) {
    for (const int shown : {1, 6}) {
      for (const int cases : {200, 3000}) {
        const Coverage c = cover(1000, skew, shown, cases);
        SCOPED_TRACE(testing::Message()
                     << "skew " << skew << ", " << shown << " a case, " << cases << " cases: truth "
                     << c.truth << ", estimate " << c.estimate << ", high " << c.high);
        // 97.5 % each, less 2.6 standard deviations of 200 runs.
        EXPECT_GE(c.above_low, 189);
        EXPECT_GE(c.below_high, 189);
        EXPECT_NEAR(c.estimate, c.truth, 0.1 * c.truth + 0.003);
        // An interval that says nothing would cover as well.
        EXPECT_LE(c.high, 4 * c.truth + 10.0 / cases);
      }
    }
  }
}

TEST(StopRule, FallsAsMoreIsSeen) {
  Population p(500, 1.2, 3, 7);
  const double early = sample(p, 100).truth;
  const StopRule a = stop_rule(sample(p, 100).counts), b = stop_rule(sample(p, 10000).counts);
  EXPECT_GT(a.probability, b.high);
  EXPECT_GT(early, b.high);
}

TEST(StopRule, NothingNewIsNotProbabilityZero) {
  const StopRule r = stop_rule({.cases = 1000, .singles = 0, .recent = 500, .recent_new = 0});
  EXPECT_EQ(r.probability, 0);
  EXPECT_EQ(r.low, 0);
  EXPECT_NEAR(r.high, 1 - std::pow(0.025, 1 / 500.0), 1e-9);
}

TEST(StopRule, WithoutCasesAnythingMayCome) {
  const StopRule r = stop_rule({});
  EXPECT_EQ(r.probability, 1);
  EXPECT_EQ(r.low, 0);
  EXPECT_EQ(r.high, 1);
  const StopRule one = stop_rule({.cases = 1, .singles = 1, .recent = 1, .recent_new = 1});
  EXPECT_EQ(one.high, 1);
}

TEST(StopRule, SaysItsInterval) {
  EXPECT_EQ(to_string(StopRule{0.0021, 0.0012, 0.0034}),
            "the next case shows something new with probability 0.0021 (95 %: 0.0012 to 0.0034)");
}

}  // namespace
}  // namespace w4
