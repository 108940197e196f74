// Whether guidance meets sooner what uniform bytes meet rarely: two to four classes of cases
// together, whichever; no kernel runs and no mutant is asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "fuzz/classes.h"
#include "fuzz/inputs.h"
#include "fuzz/mutator.h"
#include "fuzz/unguided.h"

namespace w4::fuzz {
namespace {

using Classes = std::vector<uint64_t>;
using Together = std::vector<std::pair<size_t, uint64_t>>;  // place in the classes, class

constexpr size_t kSample = 10000, kConjunctions = 120;
constexpr int kCases = 1500, kSeeds = 3;

Classes classes_at(Bytes input) { return classes_of(draft_input(input, "decode")); }

bool has(const Classes& c, const Together& t) {
  return std::ranges::all_of(t, [&](const auto& at) { return c[at.first] == at.second; });
}

// Taken from sampled cases, so that each is possible, and kept where one of 150 to 1000 has it.
std::vector<Together> rare_conjunctions() {
  constexpr uint64_t kSeed = 999;
  std::vector<Classes> sample;
  for (size_t i = 0; i < kSample; ++i)
    sample.push_back(classes_at(uniform_input(kSeed, static_cast<int64_t>(i))));
  Draw draw(7);
  std::vector<Together> out;
  while (out.size() < kConjunctions) {
    const Classes& c = sample[draw(kSample)];
    const size_t order = 2 + out.size() % 3;
    std::set<size_t> places;
    while (places.size() < order) places.insert(draw(static_cast<uint32_t>(c.size())));
    Together t;
    for (const size_t at : places) t.emplace_back(at, c[at]);
    const auto shown =
        static_cast<size_t>(std::ranges::count_if(sample, [&](auto& s) { return has(s, t); }));
    if (shown >= kSample / 1000 && shown <= kSample / 150) out.push_back(t);
  }
  return out;
}

// Cases until each is met, kCases where it is not: added up over the seeds.
using Next = std::function<std::vector<uint8_t>(uint64_t seed, int number, const Novelty& seen)>;
std::vector<double> cases_to(const std::vector<Together>& all, const Next& next) {
  std::vector<double> out(all.size());
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Novelty seen;
    std::vector<int> first(all.size(), kCases);
    for (int number = 0; number < kCases; ++number) {
      const Classes c = classes_at(next(seed, number, seen));
      seen.add(c);
      for (size_t i = 0; i < all.size(); ++i) {
        if (first[i] == kCases && has(c, all[i])) first[i] = number + 1;
      }
    }
    for (size_t i = 0; i < all.size(); ++i) out[i] += first[i];
  }
  return out;
}

TEST(FuzzGuidance, MeetsRareConjunctionsSooner) {
  const std::vector<Together> all = rare_conjunctions();
  const auto unguided = cases_to(
      all, [](uint64_t seed, int number, const Novelty&) { return uniform_input(seed, number); });
  const auto guided = cases_to(all, [](uint64_t seed, int number, const Novelty& seen) {
    const auto picked = uniform_input(seed, number / 2);
    const auto mix = static_cast<unsigned>(seed << 20 | static_cast<unsigned>(number));
    return next_input(picked, {}, seen, classes_at, mix);
  });
  double logs = 0;
  for (size_t i = 0; i < all.size(); ++i) logs += std::log(guided[i] / unguided[i]);
  const double ratio = std::exp(logs / static_cast<double>(all.size()));
  RecordProperty("ratio", std::to_string(ratio));
  EXPECT_LT(ratio, 0.92) << "of the cases that uniform bytes take, in the geometric mean";
}

}  // namespace
}  // namespace w4::fuzz
