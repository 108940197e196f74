// What a store keeps of a depiction stays small, whatever its findings hold.
#include "campaign/report/depiction_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace w4 {
namespace {

// The largest picture and curve, and findings with excerpts that share nothing.
depict::Depiction full(size_t findings) {
  depict::Depiction d;
  d.m = d.n = 128;
  for (int64_t i = 0; i <= 128; ++i) {
    d.picture.rows.push_back(i);
    d.picture.columns.push_back(i);
  }
  d.picture.cells.resize(size_t{128} * 128);
  d.along_k.points.resize(48);
  for (size_t i = 0; i < findings; ++i) {
    depict::ShownFinding f;
    for (int64_t e = 0; e < 3; ++e) {
      depict::Excerpt x{.place = "a.hip:1",
                        .first = static_cast<int64_t>(10 * i) + e,
                        .line = 5,
                        .text = {},
                        .why_not = {}};
      for (int l = 0; l < 9; ++l) x.text.emplace_back(120, 'x');
      f.at.excerpts.push_back(x);
    }
    d.findings.push_back(f);
  }
  d.findings_in_all = static_cast<int64_t>(findings) + 3;
  return d;
}

TEST(DepictionJson, LeavesFindingsOutBeyondItsSize) {
  const nlohmann::json d = depiction_json(full(12));
  EXPECT_LE(d.dump().size(), kDepictionBytes);
  const auto kept = static_cast<int64_t>(d.at("findings").size());
  EXPECT_GE(kept, 1);
  EXPECT_LT(kept, 12);
  EXPECT_EQ(d.at("findings_left_out"), 15 - kept);
  EXPECT_EQ(d.at("excerpts").size(), static_cast<size_t>(3 * kept));
}

TEST(DepictionJson, KeepsAllThatFits) {
  const nlohmann::json d = depiction_json(full(2));
  EXPECT_LE(d.dump().size(), kDepictionBytes);
  EXPECT_EQ(d.at("findings").size(), 2u);
  EXPECT_EQ(d.at("findings_left_out"), 3);
}

}  // namespace
}  // namespace w4
