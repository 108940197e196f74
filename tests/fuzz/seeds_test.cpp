// Seeds of targets of cases reach what their names say.
#include "tests/fuzz/seeds.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "fuzz/cases.h"
#include "fuzz/inputs.h"
#include "verify/behaviour.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> seeds_in(std::string_view target) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(W4_CORPUS) / target)) {
    out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

std::vector<uint8_t> read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Seeds : public testing::TestWithParam<std::string_view> {};

TEST_P(Seeds, ReachWhatTheirNamesSay) {
  const auto all = seeds_in(GetParam());
  EXPECT_LE(all.size(), 40u);
  for (const fs::path& path : all) {
    const auto bytes = read(path);
    EXPECT_LE(bytes.size(), static_cast<size_t>(kInputBytes));
    const Seed seed = seed_of(GetParam(), bytes);
    const auto untrue = untrue_words(path.filename().string(), seed);
    EXPECT_TRUE(untrue.empty()) << GetParam() << "/" << path.filename()
                                << ": not so: " << fmt::format("{}", fmt::join(untrue, " "))
                                << "\n  " << to_string(seed.line)
                                << "\n  w4_find_seeds makes another";
  }
}

// What a seed shows, as the engine is told.
std::set<std::string> shown_by(std::string_view target, const Seed& seed, Observer& observer,
                               Context& context) {
  if (target == "preparation") return {fuzz::class_of({.line = seed.line, .more = seed.more})};
  std::set<std::string> out;
  std::vector<Case> cases{seed.line};
  for (const Schedule& order : seed.orders) {
    cases.push_back(seed.line);
    cases.back().sched = order;
  }
  for (const Case& c : cases) {
    observer.start();
    const Verdict v = run_case(c, context);
    EXPECT_TRUE(v.green()) << to_string(v);
    out.insert(fuzz::law_class(c, v));
    for (const Behaviour& b : observer.of(c, v)) {
      out.insert(fmt::format("{} {:x}", name_of(b.kind), b.id));
    }
    if (const auto* refused = std::get_if<Refused>(&v.primary())) {
      out.insert(c.kernel + " " + refused->clause);
    }
  }
  return out;
}

TEST_P(Seeds, ShowWhatNoOtherDoes) {
  Observer observer;
  Context context;
  std::map<std::string, std::set<std::string>> shown;
  std::map<std::string, int> times;
  for (const fs::path& path : seeds_in(GetParam())) {
    auto& own = shown[path.filename()];
    own = shown_by(GetParam(), seed_of(GetParam(), read(path)), observer, context);
    for (const std::string& b : own) ++times[b];
  }
  for (const auto& [name, own] : shown) {
    const bool adds = std::ranges::any_of(own, [&](const std::string& b) { return times[b] == 1; });
    EXPECT_TRUE(adds || name == "empty") << GetParam() << "/" << name << ": the others show it all";
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Seeds, testing::ValuesIn(case_targets()),
                         [](const auto& info) { return std::string(info.param); });

TEST(SeedNames, AreWordsWithAMeaning) {
  const Seed plain{.line = *parse_case("decode m=5 n=9 zp=packed fill=onehot tile=y1u1a16w16"),
                   .broken = {"k.group"},
                   .orders = {}};
  EXPECT_TRUE(untrue_words("m5_raggedn_packed_onehot_forced_breaks-k.group_alone", plain).empty());
  EXPECT_EQ(untrue_words("m4_n9_unpacked_nonsense_breaks-k.step_m", plain),
            (std::vector<std::string>{"m4", "unpacked", "nonsense", "breaks-k.step", "m"}));
}

}  // namespace
}  // namespace w4
