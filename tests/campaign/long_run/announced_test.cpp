#include "campaign/long_run/announced.h"

#include <gtest/gtest.h>

#include "campaign/long_run/lock.h"
#include "campaign/process.h"

namespace w4 {
namespace {

using testing::read_file;
using testing::TemporaryFolder;

TEST(Announced, WhatIsNotFinishedIsOpen) {
  const TemporaryFolder folder;
  const std::string path = folder / "log";
  {
    auto log = Announced::open(path);
    ASSERT_TRUE(log);
    ASSERT_TRUE(log->announce({"random", 0, "decode m=2"}));
    ASSERT_TRUE(log->announce({"laws", 0, "decode m=3"}));
    ASSERT_TRUE(log->announce({"random", 1, "decode m=4 n=8"}));
    ASSERT_TRUE(log->finish("random", 0, "pass"));
    ASSERT_TRUE(log->spend(2.5));
  }
  const auto read = read_announced(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->open, (std::vector<AnnouncedCase>{{"laws", 0, "decode m=3"},
                                                    {"random", 1, "decode m=4 n=8"}}));
  EXPECT_EQ(read->seconds, 2.5);
}

TEST(Announced, ATornLastLineIsLeftOutAndTheNextIsWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", "A random 0 decode\nA random 1 deco");
  EXPECT_EQ(read_announced(path)->open.size(), 1u);
  auto log = Announced::open(path);
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->announce({"random", 2, "decode m=2"}));
  const auto read = read_announced(path);
  ASSERT_EQ(read->open.size(), 3u);
  EXPECT_EQ(read->open.back().line, "decode m=2");
}

TEST(Announced, ALongLogStartsAnewWithWhatIsOpen) {
  const TemporaryFolder folder;
  const std::string path = folder / "log";
  auto log = Announced::open(path, 400);
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->announce({"random", 0, "decode open"}));
  for (int64_t i = 1; i < 100; ++i) {
    ASSERT_TRUE(log->announce({"random", i, "decode m=2"}));
    ASSERT_TRUE(log->finish("random", i, "pass"));
  }
  EXPECT_LT(read_file(path).size() + read_file(path + ".1").size(), 1000u);
  const auto read = read_announced(path);
  ASSERT_EQ(read->open.size(), 1u);
  EXPECT_EQ(read->open.front().line, "decode open");
}

TEST(CampaignLock, IsHeldByOneAndGivenBackAtTheEnd) {
  const TemporaryFolder folder;
  const std::string path = folder / "lock";
  EXPECT_FALSE(is_locked(path));
  {
    const auto one = CampaignLock::take(path);
    ASSERT_TRUE(one);
    EXPECT_TRUE(is_locked(path));
    const auto two = CampaignLock::take(path);
    ASSERT_FALSE(two);
    EXPECT_NE(two.error().text.find(fmt::format("process {}", getpid())), std::string::npos);
  }
  EXPECT_FALSE(is_locked(path));
  EXPECT_TRUE(CampaignLock::take(path));
}

}  // namespace
}  // namespace w4
