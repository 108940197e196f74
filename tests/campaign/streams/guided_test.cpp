#include "campaign/streams/guided.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::TemporaryFolder;

std::string sha1_of(std::string_view text) {
  return input_name({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

TEST(InputName, IsTheSha1OfTheStandard) {
  EXPECT_EQ(sha1_of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1_of(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

GuidedPlan plan_in(const TemporaryFolder& folder) {
  return {.rows = {"decode", "moe"},
          .seed = 3,
          .devices = {"gfx1151"},
          .module = "",
          .folder = folder / "corpus"};
}

TEST(Guided, RowsTakeTurnsAndCasesDiffer) {
  const TemporaryFolder folder;
  Guided guided(plan_in(folder));
  ASSERT_TRUE(guided.open());
  std::set<std::string> lines;
  for (int64_t i = 0; i < 50; ++i) {
    const GuidedCase c = guided.make(i);
    EXPECT_EQ(c.value.kernel, i % 2 == 0 ? "decode" : "moe");
    lines.insert(to_string(c.value));
  }
  EXPECT_GT(lines.size(), 45u);
}

TEST(Guided, WhatIsKeptIsFoundAgainAndChangedByParts) {
  const TemporaryFolder folder;
  Guided guided(plan_in(folder));
  ASSERT_TRUE(guided.open());
  const GuidedCase kept = guided.make(0);
  ASSERT_TRUE(guided.keep(kept));
  EXPECT_TRUE(std::filesystem::exists(folder / ("corpus/decode/" + input_name(kept.input))));
  Guided again(plan_in(folder));
  ASSERT_TRUE(again.open());
  ASSERT_EQ(again.inputs(), 1u);
  int near = 0;
  for (int64_t i = 0; i < 200; i += 2) {
    const std::vector<uint8_t> input = again.make(i).input;
    int equal = 0;
    for (size_t at = 0; at < input.size(); ++at) equal += input[at] == kept.input[at];
    near += equal > kInputBytes - 3 * (kPartBytes + 1);
  }
  EXPECT_GT(near, 70);
}

TEST(Guided, MemoryIsBounded) {
  const TemporaryFolder folder;
  GuidedPlan plan = plan_in(folder);
  plan.most = 8;
  Guided guided(plan);
  ASSERT_TRUE(guided.open());
  GuidedCase c = guided.make(0);
  for (uint8_t i = 0; i < 20; ++i) {
    c.input[0] = i;
    ASSERT_TRUE(guided.keep(c));
  }
  EXPECT_EQ(guided.inputs(), 8u);
}

TEST(Guided, AFolderThatCannotBeMadeIsNamed) {
  const TemporaryFolder folder;
  GuidedPlan plan = plan_in(folder);
  plan.folder = folder.write("file", "x");
  Guided guided(plan);
  const auto opened = guided.open();
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().text.find(plan.folder + "/decode"), std::string::npos);
}

}  // namespace
}  // namespace w4
