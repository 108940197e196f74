// The command as a user calls it: campaigns of a few cases.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "campaign/long_run/announced.h"
#include "campaign/long_run/campaigns.h"
#include "campaign/process.h"
#include "results/store.h"

namespace w4 {
namespace {

using testing::Finished;
using testing::Log;
using testing::log_in;
using testing::numbers_in;
using testing::start;
using testing::status_of;
using testing::TemporaryFolder;
using testing::verdicts_in;
using testing::w4check;
using testing::wait_for;
using testing::wait_for_finished;
using testing::with;
using testing::Words;

const Words kSmall{"--kernel", "decode", "--suite", "random", "--suite", "laws", "--cases", "40"};

TEST(CliCampaign, ShardsTogetherHaveTheVerdictsOfTheWhole) {
  const TemporaryFolder folder;
  const Finished whole = w4check(with(folder / "all.db", kSmall));
  EXPECT_EQ(whole.code, 0) << whole.out << whole.err;
  EXPECT_NE(whole.out.find("0 red"), std::string::npos) << whole.out;
  EXPECT_NE(whole.out.find("; complete\n"), std::string::npos) << whole.out;
  std::multiset<std::string> together;
  for (const char* shard : {"1/2", "2/2"}) {
    const std::string db = folder / (std::string("part") + shard[0] + ".db");
    Words words = with(db, kSmall);
    words.insert(words.end(), {"--shard", shard, "--jobs", "2"});
    EXPECT_EQ(w4check(words).code, 0);
    together.merge(verdicts_in(db));
  }
  EXPECT_EQ(verdicts_in(folder / "all.db").size(), 40u);
  EXPECT_EQ(together, verdicts_in(folder / "all.db"));
  EXPECT_TRUE(read_announced(folder / "all.db.announced")->open.empty());
}

TEST(CliCampaign, AStoreWithACampaignThatIsNotFinishedKeepsItsPlan) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  Words words = with(db, {"--kernel", "decode", "--for", "1h"});
  const Finished stopped = testing::w4check_interrupted(words, db + ".announced");
  EXPECT_EQ(stopped.code, 130) << stopped.out << stopped.err;
  words.insert(words.end(), {"--seed", "2"});
  const Finished other = w4check(words);
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("of another plan: --seed 1, now 2; go on with it (w4check campaign "
                           "--db " +
                           db + " --resume)"),
            std::string::npos)
      << other.err;
  const auto before = numbers_in(db, "random").size();
  const pid_t on = start(with(db, {"--resume", "--jobs", "2"}));
  EXPECT_TRUE(wait_for_finished(db, before + 5));
  kill(on, SIGTERM);
  EXPECT_EQ(wait_for(on), 130);
  EXPECT_GE(numbers_in(db, "random").size(), before + 5);
  // The cases in flight had their verdicts before it ended.
  const Log log = log_in(db + ".announced");
  EXPECT_EQ(log.announced, log.finished);
  const auto json = status_of(db);
  EXPECT_EQ(json["cases"], numbers_in(db, "random").size());
  EXPECT_EQ(json["running"], false);
  EXPECT_EQ(json["plan"]["seconds"], 3600);
}

TEST(CliCampaign, WhatIsNotLegalIsNamed) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  const std::vector<std::pair<Words, std::string>> wrong{
      {{"campaign", "--for", "1s"}, "--db FILE is missing"},
      {with(db, {}), "give --for TIME or --cases N, or --resume"},
      {with(db, {"--for", "90"}), "--for: '90'; legal: a number with s, m, h or d"},
      {with(db, {"--cases", "0"}), "--cases: 0; legal: 1 to"},
      {with(db, {"--cases", "5", "--suite", "smoke"}), "no source 'smoke'; legal: random, laws"},
      {with(db, {"--cases", "5", "--suite", "laws", "--suite", "laws"}), "'laws' is given twice"},
      {with(db, {"--cases", "5", "--kernel", "decdoe"}), "--kernel: 'decdoe'; legal: decode"},
      {with(db, {"--cases", "5", "--device", "host"}), "--device: 'host'; legal: "},
      {with(db, {"--cases", "5", "--shard", "3/2"}), "--shard: '3/2'; legal: I/N"},
      {with(db, {"--cases", "5", "--jobs", "0"}), "--jobs: 0; legal: 1 to 256"},
      {with(db, {"--cases", "5", "--settle", "-1"}), "--settle: -1; legal: 0 to 1000000"},
      {with(db, {"--cases", "5", "--module", "none.so"}), "--module: "},
      {with(db, {"--resume"}), "holds no campaign that is not finished"},
      {{"campaign", "status", "--db", db + "x"}, "there is no such store"}};
  for (const auto& [words, text] : wrong) {
    const Finished f = w4check(words);
    EXPECT_EQ(f.code, 2) << text;
    EXPECT_NE(f.err.find(text), std::string::npos) << text << "\n" << f.err;
  }
}

TEST(CliCampaignFaults, FailuresAreFoldedShrunkAndExplained) {
  const TemporaryFolder folder;
  const Finished f =
      w4check(with(folder / "runs.db", {"--cases", "60", "--kernel", "decode", "--module",
                                        W4_RED_MODULE, "--json", folder / "status.json"}));
  EXPECT_EQ(f.code, 1) << f.err;
  const auto json = nlohmann::json::parse(testing::read_file(folder / "status.json"));
  ASSERT_FALSE(json["failures"].empty());
  EXPECT_LT(json["failures"].size(), json["red"].get<size_t>());
  bool named = false;
  for (const auto& failure : json["failures"]) {
    EXPECT_EQ(failure["state"], "done") << failure.dump();
    EXPECT_FALSE(failure["smallest"].get<std::string>().empty());
    named = named || failure["hypothesis"] != "";
  }
  EXPECT_TRUE(named) << json["failures"].dump(1);
  EXPECT_TRUE(json["flaky"].empty()) << json["flaky"].dump();
}

TEST(CliCampaign, AFullDiskIsSaidAndWhatIsStoredStays) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  const Words words = with(db, {"--kernel", "decode", "--cases", "300"});
  EXPECT_EQ(wait_for(start(words, rlim_t{400} << 10)), 3);
  const size_t stored = numbers_in(db, "random").size();
  EXPECT_GT(stored, 0u);
  EXPECT_LT(stored, 300u);
  EXPECT_EQ(wait_for(start(words)), 0);
  EXPECT_EQ(numbers_in(db, "random").size(), 300u);
}

TEST(CliCampaign, NoSpaceForAStoreIsNoMistakeOfTheUser) {
  const TemporaryFolder folder;
  const Words words = with(folder / "runs.db", {"--kernel", "decode", "--cases", "2"});
  EXPECT_EQ(wait_for(start(words, rlim_t{1} << 10)), 3);
  EXPECT_FALSE(std::ifstream(folder / "runs.db.space"));
  EXPECT_EQ(wait_for(start(words)), 0);
  const std::string text = folder.write("text.db", "this is no store");
  EXPECT_EQ(wait_for(start(with(text, {"--cases", "2"}))), 2);
}

TEST(CliCampaign, ASecondOneOnTheSameStoreIsRefused) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  const Words words = with(db, {"--kernel", "decode", "--for", "1h"});
  const pid_t first = start(words);
  EXPECT_TRUE(wait_for_finished(db, 1));
  const Finished second = w4check(words);
  EXPECT_EQ(second.code, 2);
  EXPECT_NE(second.err.find("a campaign of process " + std::to_string(first)), std::string::npos)
      << second.err;
  kill(first, SIGTERM);
  EXPECT_EQ(wait_for(first), 130);
}

TEST(CliCampaignKilled, AtAnyMomentNoFinishedCaseIsLost) {
  constexpr int kKills = 6, kJobs = 2;
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  const Words plan{"--kernel", "decode", "--kernel", "moe",  "--suite", "random",
                   "--suite",  "laws",   "--cases",  "1500", "--jobs",  "2"};
  ASSERT_EQ(w4check(with(folder / "whole.db", plan)).code, 0);
  // At moments of the campaign, not of the clock: after so many more lines of the log.
  std::srand(static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count()));
  for (int i = 0; i < kKills; ++i) {
    const size_t until =
        log_in(db + ".announced").finished.size() + 1 + static_cast<size_t>(std::rand()) % 200;
    const pid_t pid = start(with(db, plan));
    while (log_in(db + ".announced").finished.size() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1 + std::rand() % 9));
    }
    kill(pid, SIGKILL);
    EXPECT_EQ(wait_for(pid), 128 + SIGKILL);
    const Log log = log_in(db + ".announced");
    std::set<std::string> stored;
    for (const char* source : {"random", "laws"}) {
      for (const int64_t n : numbers_in(db, source))
        stored.insert(std::string(source) + " " + std::to_string(n));
    }
    for (const std::string& f : log.finished) EXPECT_TRUE(stored.contains(f)) << f;
    for (const std::string& s : stored) EXPECT_TRUE(log.announced.contains(s)) << s;
    EXPECT_LE(log.announced.size(), stored.size() + kJobs);
  }
  EXPECT_EQ(w4check(with(db, {"--resume", "--jobs", "2"})).code, 0);
  EXPECT_EQ(verdicts_in(db), verdicts_in(folder / "whole.db"));
  auto store = Store::open(db, Store::Mode::read);
  const auto lost = *store->lost((*store->find_campaign())->id);
  EXPECT_LE(lost.size(), static_cast<size_t>(kKills * kJobs));
  for (const LostCase& c : lost) EXPECT_TRUE(c.judged) << c.line;
  const Log log = log_in(db + ".announced");
  EXPECT_EQ(log.announced, log.finished);
}

}  // namespace
}  // namespace w4
