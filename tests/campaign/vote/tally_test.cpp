#include "campaign/vote/tally.h"

#include <gmock/gmock.h>

namespace w4::vote {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::string> kDevices{"gfx1151", "host", "cuda"};

Case call() {
  Case c;
  c.kernel = "decode";
  c.problem.n = 2;
  c.problem.k = 64;
  c.problem.g = 64;
  return c;
}

Voice voice(Outcome o, std::vector<uint16_t> out, std::string fp) {
  Voice v{make_verdict("decode", {std::move(o)}, {}), std::move(out)};
  v.verdict.ran.fp = std::move(fp);
  return v;
}
Voice one(std::vector<uint16_t> out) { return voice(Pass{}, std::move(out), "gfx1151"); }
Voice other(std::vector<uint16_t> out) { return voice(Pass{}, std::move(out), "cuda"); }
Voice absent() { return voice(Skipped{SkipReason::no_device, "no such library"}, {}, ""); }

int64_t of(const Tally& t, size_t pair, Agreement a) { return t.pairs()[pair].of(a); }

TEST(VoteTally, OneDeviceThatIsWrongIsNamedWithThoseThatAreRight) {
  Tally t(kDevices);
  Voice wrong = other({0x3c00, 0x7c00});
  wrong.verdict = make_verdict("decode", {Mismatch{}}, {});
  t.add({call(), {one({0x3c00, 0x3c00}), one({0x3c00, 0x3c00}), wrong}});
  ASSERT_EQ(t.complaints().size(), 1u);
  EXPECT_THAT(t.complaints()[0].what, HasSubstr("red on cuda (mismatch"));
  EXPECT_THAT(t.complaints()[0].what, HasSubstr("green on gfx1151, host"));
  EXPECT_THAT(t.complaints()[0].lines, ElementsAre(HasSubstr("device=cuda")));
  EXPECT_EQ(of(t, 0, Agreement::equal), 1);
  EXPECT_EQ(of(t, 1, Agreement::red), 1);
  EXPECT_EQ(of(t, 2, Agreement::red), 1);
  EXPECT_EQ(t.devices()[2].red, 1);
  EXPECT_FALSE(t.sound());
}

TEST(VoteTally, ADeviceThatIsNotThereLeavesTheVoteToTheOthers) {
  Tally t(kDevices);
  for (int i = 0; i < 3; ++i) t.add({call(), {one({0x3c00}), one({0x3c00}), absent()}});
  EXPECT_TRUE(t.sound());
  EXPECT_EQ(t.compared(), 3);
  EXPECT_EQ(t.devices()[2].skipped, 3);
  EXPECT_EQ(of(t, 1, Agreement::skipped), 3);
  EXPECT_THAT(to_text(t), HasSubstr("3 skipped: no_device: no such library"));
}

TEST(VoteTally, NothingComparedIsNotSound) {
  Tally t(kDevices);
  t.add({call(), {one({0x3c00}), absent(), absent()}});
  EXPECT_THAT(t.complaints(), IsEmpty());
  EXPECT_FALSE(t.sound());
}

TEST(VoteTally, AnUnexplainedDifferenceComesWithBothLines) {
  Tally t(kDevices);
  t.add({call(), {one({0x3c00, 0x3c00}), one({0x3c00, 0x3c03}), other({0x3c00, 0x3c01})}});
  ASSERT_EQ(t.complaints().size(), 1u);
  EXPECT_THAT(t.complaints()[0].what,
              HasSubstr("gfx1151 and host ran the same kernels as fp=gfx1151; 1 of 2 elements "
                        "differ, by 3 ulp at most"));
  EXPECT_THAT(t.complaints()[0].lines,
              ElementsAre(Not(HasSubstr("device=")), HasSubstr("device=host")));
  EXPECT_EQ(of(t, 1, Agreement::model), 1);
  EXPECT_FALSE(t.sound());
}

TEST(VoteTally, TheFarthestAreKeptInOrder) {
  Tally t({"gfx1151", "cuda"});
  for (uint16_t i = 1; i <= 40; ++i) {
    // 7, 14, …, 280, out of order.
    const auto ulps = static_cast<uint16_t>(7 * (i * 27 % 41));
    t.add({call(), {one({0x3c00}), other({static_cast<uint16_t>(0x3c00 + ulps)})}});
  }
  const std::vector<Apart>& kept = t.pairs()[0].farthest;
  ASSERT_EQ(kept.size(), Tally::kKept);
  for (size_t i = 0; i < kept.size(); ++i)
    EXPECT_EQ(kept[i].difference.ulps, static_cast<int64_t>(7 * (40 - i)));
  EXPECT_EQ(of(t, 0, Agreement::model), 40);
  EXPECT_TRUE(t.sound());
  EXPECT_EQ(to_json(t)["pairs"][0]["farthest"][0]["ulps"], 280);
}

}  // namespace
}  // namespace w4::vote
