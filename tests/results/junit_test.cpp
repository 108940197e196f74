#include "results/junit.h"

#include <gtest/gtest.h>

#include "results/samples.h"
#include "well_formed.h"

namespace w4 {
namespace {

size_t count(const std::string& text, std::string_view word) {
  size_t n = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

std::vector<Record> records() {
  std::vector<Record> out;
  for (Verdict& v : testing::sample_verdicts()) {
    out.push_back({"a <suite> & \"more\"", "decode", "gfx1151", std::move(v)});
  }
  return out;
}

TEST(JUnit, CountsByKind) {
  const std::string xml = junit_xml(records());
  EXPECT_EQ(count(xml, "<testcase "), 13u);
  EXPECT_EQ(count(xml, "<error "), 4u);
  EXPECT_EQ(count(xml, "<skipped "), 1u);
  EXPECT_EQ(count(xml, "<failure "), 6u);  // finding, law, mismatch, accepted, refused, mistrusted
  EXPECT_NE(xml.find("tests=\"13\" failures=\"6\" errors=\"4\" skipped=\"1\""), std::string::npos);
}

TEST(JUnit, WellFormedForAnyBytes) {
  std::vector<Record> rows = records();
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  rows.push_back({all, all, all, make_verdict(all + "]]>", {Crash{6, all}}, {})});
  const std::string xml = junit_xml(rows);
  EXPECT_EQ(testing::markup_error(xml), "");
  EXPECT_EQ(testing::markup_error(junit_xml({})), "");
  EXPECT_EQ(count(xml, "<testsuite "), 2u);
}

}  // namespace
}  // namespace w4
