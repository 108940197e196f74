#include "results/verdict_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "results/samples.h"

namespace w4 {
namespace {

TEST(VerdictJson, EveryKindIsSampled) {
  std::set<VerdictKind> kinds;
  for (const Verdict& v : testing::sample_verdicts()) kinds.insert(v.kind());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Outcome>);
}

// Text and print are both compared: the print shows the fields that the text might have lost.
TEST(VerdictJson, RoundTripLosesNothing) {
  for (const Verdict& v : testing::sample_verdicts()) {
    const std::string text = verdict_to_text(v);
    const auto back = verdict_from_text(text);
    ASSERT_TRUE(back) << back.error().text << '\n' << text;
    EXPECT_EQ(verdict_to_text(*back), text);
    EXPECT_EQ(to_string(*back), to_string(v));
    EXPECT_EQ(back->green(), v.green());
    EXPECT_EQ(back->ran.wave_instructions, v.ran.wave_instructions);
  }
}

TEST(VerdictJson, DoublesKeepEveryBit) {
  Worst w = testing::sample_worst();
  w.high = std::nan("");
  const Verdict v = make_verdict("l", {Pass{w, 1.0 / 3}}, {});
  const auto back = verdict_from_text(verdict_to_text(v));
  ASSERT_TRUE(back);
  const auto& pass = std::get<Pass>(back->primary());
  EXPECT_TRUE(std::signbit(pass.worst.got));
  EXPECT_EQ(pass.worst.low, w.low);
  EXPECT_TRUE(std::isnan(pass.worst.high));
  EXPECT_EQ(pass.worst.bound, w.bound);
  EXPECT_EQ(pass.headroom, 1.0 / 3);
}

TEST(VerdictJson, APassKeepsItsStatisticsAndOlderOnesHaveNone) {
  const Drift drift{64, 16, -0.1, 1.0 / 3, 2, 256, 0.5};
  const Verdict v = make_verdict("l", {Pass{{}, 0.25, 12, drift}}, {});
  const auto back = verdict_from_text(verdict_to_text(v));
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(std::get<Pass>(back->primary()).exposure, 12);
  EXPECT_EQ(std::get<Pass>(back->primary()).drift, drift);
  auto j = verdict_to_json(v);
  j["outcomes"][0].erase("exposure");
  j["outcomes"][0].erase("drift");
  const auto older = verdict_from_text(j.dump());
  ASSERT_TRUE(older) << older.error().text;
  EXPECT_EQ(std::get<Pass>(older->primary()).headroom, 0.25);
  EXPECT_EQ(std::get<Pass>(older->primary()).drift, Drift{});
}

TEST(VerdictJson, StderrOfAnyBytesBecomesUtf8) {
  const Verdict v = make_verdict("l", {Crash{6, std::string("a\0\xff\x1b[31m\xc3\xa9", 10)}}, {});
  const auto back = verdict_from_text(verdict_to_text(v));
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(std::get<Crash>(back->primary()).stderr_tail, "a\\x00\\xFF\\x1B[31m\xc3\xa9");
}

// C1 controls are UTF-8, but terminals obey them.
TEST(VerdictJson, ControlsInUtf8AreEscaped) {
  const Verdict v = make_verdict("l", {Crash{6, "\xc2\x9b[31m"}}, {});
  EXPECT_EQ(std::get<Crash>(verdict_from_text(verdict_to_text(v))->primary()).stderr_tail,
            "\\xC2\\x9B[31m");
}

TEST(VerdictJson, OneLine) {
  for (const Verdict& v : testing::sample_verdicts()) {
    EXPECT_EQ(verdict_to_text(v).find('\n'), std::string::npos);
  }
}

TEST(VerdictJson, GreenIsDerivedNotBelieved) {
  auto j = verdict_to_json(testing::sample_verdicts()[6]);
  j["green"] = true;
  j["kind"] = "pass";
  const auto back = verdict_from_text(j.dump());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->kind(), VerdictKind::mismatch);
  EXPECT_FALSE(back->green());
}

TEST(VerdictJson, DamageIsAnErrorThatNamesTheMember) {
  const std::string text = verdict_to_text(testing::sample_verdicts()[6]);
  for (size_t i = 0; i < text.size(); ++i) EXPECT_FALSE(verdict_from_text(text.substr(0, i)));
  auto j = nlohmann::json::parse(text);
  j["outcomes"][0].erase("pattern");
  EXPECT_NE(verdict_from_text(j.dump()).error().text.find("pattern"), std::string::npos);
  j = nlohmann::json::parse(text);
  j["outcomes"][0]["count"] = "many";
  EXPECT_NE(verdict_from_text(j.dump()).error().text.find("count"), std::string::npos);
  j = nlohmann::json::parse(text);
  j["outcomes"][0]["kind"] = "fine";
  EXPECT_NE(verdict_from_text(j.dump()).error().text.find("fine"), std::string::npos);
  j["outcomes"] = nlohmann::json::array();
  EXPECT_FALSE(verdict_from_text(j.dump()));
}

}  // namespace
}  // namespace w4
