// What goes wrong around a campaign: cases that waver, targets that crash, corpora of before.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "campaign/long_run/announced.h"
#include "campaign/long_run/campaigns.h"
#include "campaign/process.h"
#include "campaign/streams/guided.h"
#include "results/store.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using testing::becomes_true;
using testing::numbers_in;
using testing::read_file;
using testing::start;
using testing::status_of;
using testing::TemporaryFolder;
using testing::verdicts_in;
using testing::w4check;
using testing::wait_for;
using testing::wait_for_finished;
using testing::with;
using testing::Words;

TEST(CliCampaignFaults, ARedCaseThatEndsOtherwiseTheNextTimeIsFlaky) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  setenv("W4_MISBEHAVES", "15", 1);
  const auto f = w4check(
      with(db, {"--kernel", "decode", "--cases", "1", "--module", W4_BAD_MODULE, "--no-shrink"}));
  unsetenv("W4_MISBEHAVES");
  EXPECT_EQ(f.code, 1) << f.err;
  EXPECT_NE(f.out.find("flaky: refused, then crash: w4check rerun 'decode "), std::string::npos)
      << f.out;
  const auto flaky = status_of(db)["flaky"];
  ASSERT_EQ(flaky.size(), 1u);
  EXPECT_EQ(flaky[0]["records"].size(), 2u) << flaky.dump();
}

TEST(CliCampaignFaults, ACaseIsAnnouncedBeforeItRunsAndRunFirstOnceItWasLost) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db", hangs = folder / "hangs";
  const Words words =
      with(db, {"--kernel", "decode", "--cases", "3", "--module", W4_BAD_MODULE, "--no-shrink"});
  setenv("W4_MISBEHAVES", "2", 1);
  setenv("W4_HANGS", hangs.c_str(), 1);
  const pid_t pid = start(words);
  EXPECT_TRUE(becomes_true([&] { return fs::exists(hangs); }));
  const std::string announced = read_file(db + ".announced");
  kill(pid, SIGKILL);
  EXPECT_EQ(wait_for(pid), 128 + SIGKILL);
  ASSERT_TRUE(announced.starts_with("A random 0 decode ")) << announced;
  // As if two workers had been at it.
  std::ofstream(db + ".announced", std::ios::app) << "A random 2 decode m=2 n=16 k=256 g=64\n";
  const size_t before = read_file(db + ".announced").size();
  setenv("W4_MISBEHAVES", "99", 1);  // refuses everything
  const auto again = w4check(words);
  unsetenv("W4_MISBEHAVES");
  unsetenv("W4_HANGS");
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.err.find("2 lost, run first"), std::string::npos) << again.err;
  const std::string log = read_file(db + ".announced").substr(before);
  EXPECT_TRUE(log.starts_with(announced.substr(0, announced.find('\n') + 1))) << log;
  EXPECT_LT(log.find("A random 2 "), log.find("A random 1 ")) << log;
  const auto lost = status_of(db)["lost"];
  ASSERT_EQ(lost.size(), 2u);
  EXPECT_EQ(lost[0]["judged"], true);
  EXPECT_EQ(lost[1]["judged"], true);
  EXPECT_EQ(numbers_in(db, "random").size(), 3u);
}

TEST(CliCampaignFaults, GuidedGoesOnFromTheCorpusOfBefore) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  const pid_t first = start(with(db, {"--for", "1h", "--suite", "guided", "--kernel", "decode"}));
  EXPECT_TRUE(wait_for_finished(db, 20));
  kill(first, SIGTERM);
  EXPECT_EQ(wait_for(first), 130);
  const auto done = static_cast<int64_t>(numbers_in(db, "guided").size());
  Guided known({.rows = {"decode"},
                .seed = 1,
                .devices = {"gfx1151"},
                .module = "",
                .folder = db + ".corpus"});
  ASSERT_TRUE(known.open());
  ASSERT_GT(known.inputs(), 2u);
  const std::string expected = to_string(known.make(done).value);
  const pid_t second = start(with(db, {"--resume"}));
  EXPECT_TRUE(wait_for_finished(db, static_cast<size_t>(done) + 1));
  kill(second, SIGTERM);
  EXPECT_EQ(wait_for(second), 130);
  const std::string log = read_file(db + ".announced");
  EXPECT_NE(log.find(fmt::format("A guided {} {}\n", done, expected)), std::string::npos)
      << expected;
}

// This w4check beside a w4fuzz that a test wrote.
class WithFuzzer {
 public:
  explicit WithFuzzer(const std::string& script) {
    fs::create_directories(folder_ / "bin");
    std::error_code ec;
    fs::create_hard_link(W4_COMMAND, program(), ec);
    if (ec) fs::copy_file(W4_COMMAND, program());
    const std::string fuzzer = folder_.write(
        "bin/w4fuzz",
        "#!/bin/sh\n[ \"$1\" = --list ] && exec echo 'decode a target'\n" + script + "\n");
    fs::permissions(fuzzer, fs::perms::owner_all);
  }
  std::string program() const { return folder_ / "bin/w4check"; }
  std::string db() const { return folder_ / "runs.db"; }
  std::string operator/(const std::string& name) const { return folder_ / name; }
  pid_t run(const Words& more) const {
    Words words = with(db(), {"--suite", "targets", "--no-shrink"});
    words.insert(words.end(), more.begin(), more.end());
    return start(words, RLIM_INFINITY, program());
  }

 private:
  TemporaryFolder folder_;
};

TEST(CliCampaignFaults, ATargetThatAbortsIsAFailure) {
  const WithFuzzer fuzzer("echo what it was at; kill -ABRT $$");
  EXPECT_EQ(wait_for(fuzzer.run({"--cases", "2"})), 1);
  const auto status = status_of(fuzzer.db());
  EXPECT_EQ(status["red"], 2);
  ASSERT_EQ(status["failures"].size(), 1u);
  EXPECT_EQ(status["failures"][0]["kind"], "crash");
  EXPECT_EQ(status["failures"][0]["first"], "w4fuzz --target decode");
  auto store = Store::open(fuzzer.db(), Store::Mode::read);
  const auto records = *store->verdicts((*store->find_campaign())->id);
  EXPECT_NE(to_string(records.front().verdict).find("what it was at"), std::string::npos);
}

TEST(CliCampaignFaults, TheCaseOfATargetHasTheVerdictOfAWorker) {
  const std::string line = to_string(*parse_case("decode m=2 n=16 k=256 g=64"));
  const WithFuzzer fuzzer("echo \"w4check rerun '" + line + "'\"; kill -ABRT $$");
  EXPECT_EQ(wait_for(fuzzer.run({"--cases", "1"})), 0);
  EXPECT_EQ(verdicts_in(fuzzer.db()), (std::multiset<std::string>{"targets " + line + ": pass"}));
}

TEST(CliCampaignFaults, ATargetThatTheModuleLacksIsSkipped) {
  const WithFuzzer fuzzer("echo there is no such kernel; exit 2");
  wait_for(fuzzer.run({"--cases", "2"}));
  EXPECT_EQ(status_of(fuzzer.db())["skipped"], 2);
}

TEST(CliCampaignFaults, ATargetEndsWithTheCommandHoweverThatEnds) {
  const WithFuzzer fuzzer(
      "echo $$ > \"${0%/*}/pid.part\"; mv \"${0%/*}/pid.part\" \"${0%/*}/pid\"; "
      "exec sleep 1000");
  const pid_t command = fuzzer.run({"--for", "1h"});
  pid_t slice = 0;
  ASSERT_TRUE(becomes_true([&] { return !!(std::ifstream(fuzzer / "bin/pid") >> slice); }));
  kill(command, SIGKILL);
  EXPECT_EQ(wait_for(command), 128 + SIGKILL);
  const auto state = [&] {
    std::string word;
    std::ifstream stat(fmt::format("/proc/{}/stat", slice));
    stat >> word >> word >> word;
    return word;
  };
  EXPECT_TRUE(becomes_true([&] { return state().empty() || state() == "Z"; })) << state();
  kill(slice, SIGKILL);
}

TEST(CliCampaignFaults, WithoutTimeToSettleTheLastFailureStaysAsItIs) {
  const TemporaryFolder folder;
  const Words red{"--kernel", "decode", "--module", W4_RED_MODULE};
  const auto run = [&](const std::string& db, const Words& more) {
    Words words = with(db, red);
    words.insert(words.end(), more.begin(), more.end());
    return w4check(words).code;
  };
  ASSERT_EQ(run(folder / "all.db", {"--cases", "60", "--no-shrink"}), 1);
  const std::string first = status_of(folder / "all.db")["failures"].back()["first"];
  const std::string log = read_file(folder / "all.db.announced");
  const size_t end = log.find(" " + first + "\n");
  ASSERT_NE(end, std::string::npos);
  const size_t number = log.rfind(' ', end - 1) + 1;
  const std::string cases = std::to_string(std::stoll(log.substr(number, end - number)) + 1);
  ASSERT_EQ(run(folder / "some.db", {"--cases", cases, "--settle", "0"}), 1);
  bool as_it_was = false;
  const auto status = status_of(folder / "some.db");
  for (const auto& f : status["failures"])
    as_it_was = as_it_was || (f["first"] == first && f["state"] == "new");
  EXPECT_TRUE(as_it_was) << status["failures"].dump(1);
}

}  // namespace
}  // namespace w4
