// The day a fork takes over its upstream (docs/fork-sync.md): one op name, two zero-point
// contracts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/process.h"

namespace w4 {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

// The keys of a section's differences, each once.
std::set<std::string> keys(const json& result, const char* section) {
  std::set<std::string> out;
  for (const json& s : result.at("sections")) {
    if (s.at("section") != section) continue;
    for (const json& row : s.at("differences")) {
      for (const json& key : row.at("keys")) out.insert(key);
    }
  }
  return out;
}

TEST(ForkSync, DiffNamesBothContractsAndTheRoutes) {
  const TemporaryFolder folder;
  const std::string file = folder / "diff.json";
  const Finished f = w4check(
      {"diff", W4_FORK, W4_UPSTREAM, "--device", "gfx1151", "--cases", "120", "--json", file});
  EXPECT_EQ(f.code, 1) << f.err;
  const json result = json::parse(read_file(file));
  // Contract: each takes what the other refuses, in the call and in its preparation, and says so.
  EXPECT_THAT(
      keys(result, "contract"),
      ::testing::UnorderedElementsAre(
          // "another": the call breaks more than its encoding.
          "decode/call/A:another/B:zp.encoding", "decode/call/A:zp.numbers/B:another",
          "decode/prepare/A:another/B:zp.encoding", "decode/prepare/A:zp.numbers/B:another",
          "decode/call/A:takes_it/B:zp.encoding", "decode/call/A:zp.numbers/B:takes_it",
          "decode/prepare/A:prepares/B:zp.encoding", "decode/prepare/A:zp.numbers/B:prepares",
          "decode/declares/clause/zp.numbers/only-A", "decode/declares/clause/zp.encoding/only-B",
          "decode/declares/zp/unpacked/only-A", "decode/declares/zp/packed/only-B"));
  // Route: the tile rule that upstream brought along, from M = 3 on and for K >= 4096.
  EXPECT_THAT(keys(result, "route"), ::testing::Contains("decode/A:y4u1a16w16/B:y2u2a16w16"));
  EXPECT_THAT(keys(result, "route"),
              ::testing::Contains("decode/A:takes_it/B:refuses:_zp.encoding"));
  // Bits: what both take, the layers without zero points, is the same in both.
  EXPECT_TRUE(keys(result, "bits").empty()) << f.out;
  EXPECT_THAT(f.out, HasSubstr("refuses: zp.encoding"));
}

// What the fork prepared, read by the op of upstream; and the other way round.
TEST(ForkSync, APreparationOfOneIsNotReadByTheOther) {
  for (const auto& [zp, op, preparer] :
       {std::tuple{"unpacked", W4_UPSTREAM, W4_FORK}, {"packed", W4_FORK, W4_UPSTREAM}}) {
    const Finished f = w4check({"rerun", std::string("decode m=2 n=16 k=256 g=64 zp=") + zp +
                                             " module=" + op + " prep=" + preparer});
    EXPECT_EQ(f.code, 0) << f.out;  // refused, as its clause says
    EXPECT_THAT(f.out, HasSubstr("refused: clause zp."));
  }
}

TEST(ForkSync, PairNamesTheBadPair) {
  const Finished f = w4check({"pair", "--kernel", "decode", W4_FORK, W4_UPSTREAM});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("selection can form this pair, it is refused: zp.encoding"));
  EXPECT_THAT(f.out, HasSubstr("selection can form this pair, it is refused: zp.numbers"));
}

TEST(ForkSync, TheAuditNamesTheClassThatNobodyReaches) {
  const Finished f = w4check({"audit", "selection", "--table", W4_SELECTION});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("SkinnyW4A16"));
  EXPECT_THAT(f.out, HasSubstr("HybridW4A16"));
}

}  // namespace
}  // namespace w4
