// Which cases of a run are held against which floors, and what is said where there are none.
#include "campaign/report/distributions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/expectations.h"

namespace w4 {
namespace {

using nlohmann::json;

struct Row {
  std::string line, source, suite;
  Outcome outcome = Pass{};
  bool json_kept = true;
  std::vector<std::string> symbols{};
};

json distributions(const std::vector<Row>& rows, int64_t cases = 1) {
  const auto section = distributions_section(cases);
  for (const Row& r : rows) {
    Provenance ran;
    ran.symbols = r.symbols;
    const std::optional<Case> value = *parse_case(r.line);
    const Filed filed{
        .record = {r.suite, value->kernel, value->device, make_verdict(r.line, {r.outcome}, ran)},
        .source = r.source,
        .json_kept = r.json_kept};
    section->add({filed, value});
  }
  // Neither the store nor the run is asked for anything.
  auto opened = Store::open(::testing::TempDir() + "/w4_distributions.db", Store::Mode::write);
  EXPECT_TRUE(opened);
  const auto out = section->finish(*opened, {});
  EXPECT_TRUE(out);
  return *out;
}

TEST(Distributions, OfARunWithoutGeneratedCasesThereAreNone) {
  const json d = distributions({{"decode m=1", "", "mine.cases"}});
  EXPECT_TRUE(d.at("sets").is_null());
  EXPECT_TRUE(d.at("instantiations").is_null());
}

TEST(Distributions, LegalRandomCasesAreHeldAgainstTheFloorsOfTheirRow) {
  const json d = distributions({{"decode m=1 g=32", "random", ""},
                                {"decode m=2 g=32", "random", "", Mismatch{}},
                                {"decode m=1 law=repeat", "random", ""},
                                {"decode m=9", "random", "", Refused{"m.range", "", true, true}},
                                {"decode m=9", "random", "", Accepted{"m.range", ""}},
                                {"decode m=1 module=/x.so", "random", ""},
                                {"decode m=1", "guided", ""}});
  ASSERT_EQ(d.at("sets").size(), 1);
  const json& set = d.at("sets").at(0);
  EXPECT_EQ(set.at("name"), "random cases of decode");
  EXPECT_EQ(set.at("cases"), 2);
  for (const json& f : set.at("floors")) {
    if (f.at("class") != "g") continue;
    EXPECT_EQ(f.at("below"), f.at("value") != "32") << f;
    EXPECT_EQ(f.at("least"), 1);
  }
}

TEST(Distributions, AtTheFloorIsNotBelowIt) {
  const json d = distributions({{"decode m=1 g=32", "random", ""}});
  int met = 0;
  for (const json& f : d.at("sets").at(0).at("floors")) {
    EXPECT_EQ(f.at("below").get<bool>(), f.at("cases") < f.at("least")) << f;
    if (f.at("class") != "g" || f.at("value") != "32") continue;
    ++met;
    EXPECT_EQ(f.at("cases"), f.at("least"));
    EXPECT_EQ(f.at("below"), false);
  }
  EXPECT_EQ(met, 1);
}

TEST(Distributions, SuitesOfARunHaveTheirOwn) {
  const json d =
      distributions({{"decode m=1", "", "smoke"}, {"decode m=1", "", "smoke", Skipped{}}});
  ASSERT_EQ(d.at("sets").size(), 1);
  EXPECT_EQ(d.at("sets").at(0).at("name"), "suite smoke");
  EXPECT_EQ(d.at("sets").at(0).at("cases"), 1);
}

TEST(Distributions, NamesDeviceKernelsThatWereNeverLaunched) {
  const Expectation& e = expectations().front();
  const std::string one = e.kernels("f16", e.groups.front()).front().symbol;
  const json none = distributions({{"decode m=1", "", "smoke", Pass{}, false, {one}}});
  EXPECT_TRUE(none.at("instantiations").is_null()) << "what a row without JSON launched is lost";
  const json d = distributions({{"decode m=1", "", "smoke", Pass{}, true, {one}}});
  ASSERT_EQ(d.at("instantiations").size(), 1) << "rows of which nothing was launched are left out";
  const json& p = d.at("instantiations").at(0);
  EXPECT_EQ(p.at("kernel"), e.kernel);
  EXPECT_EQ(p.at("device"), "gfx1151");
  EXPECT_EQ(p.at("never").size() + 1, p.at("promised"));
}

TEST(Distributions, OfManyCasesAPartIsCountedTheSameEachTime) {
  std::vector<Row> rows;
  for (int i = 0; i < 400; ++i)
    rows.push_back({"decode m=1 seed=" + std::to_string(i), "random", ""});
  const json d = distributions(rows, 4 * kDistributionCases);
  EXPECT_EQ(d.at("every"), 4);
  const int64_t counted = d.at("sets").at(0).at("cases");
  EXPECT_GT(counted, 50);
  EXPECT_LT(counted, 150);
  EXPECT_EQ(d, distributions(rows, 4 * kDistributionCases));
}

}  // namespace
}  // namespace w4
