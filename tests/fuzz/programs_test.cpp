// w4fuzz and w4replay as a user calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "campaign/process.h"

namespace w4::testing {
namespace {

using ::testing::HasSubstr;

constexpr int kEngineFound = 77;  // libFuzzer's exit code of a failing input

Finished program(const std::string& path, std::vector<std::string> words) {
  words.insert(words.begin(), path);
  return w4check(words);
}
Finished fuzz(const std::vector<std::string>& words) { return program(W4_FUZZ_PROGRAM, words); }
Finished replay(const std::vector<std::string>& words) { return program(W4_REPLAY_PROGRAM, words); }

size_t files_in(const std::string& folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

// Host code is not instrumented: all that the engine can see are the counters.
TEST(FuzzPrograms, AnEmptyCorpusClimbs) {
  const TemporaryFolder folder;
  const std::string corpus = folder / "corpus";
  std::filesystem::create_directory(corpus);
  const Finished f = fuzz({"--target", "decode", "-runs=300", "-seed=1", corpus});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.err, HasSubstr("Extra Counters"));
  EXPECT_GT(files_in(corpus), 30u) << f.err;
  EXPECT_EQ(replay({"--target", "decode", corpus}).code, 0);
}

TEST(FuzzPrograms, ADefectIsFoundAndItsInputReplays) {
  const TemporaryFolder folder;
  const std::string input = folder / "input";
  const Finished f = fuzz({"--target", "decode", "--module", W4_DEFECT, "-runs=3000", "-seed=1",
                           "-exact_artifact_path=" + input});
  EXPECT_EQ(f.code, kEngineFound) << f.err;
  const size_t verdict = f.err.find("\n  where: "),
               line = f.err.find("rerun: w4check rerun 'decode");
  ASSERT_LT(verdict, line) << f.err;
  ASSERT_LT(line, f.err.find("ERROR: libFuzzer")) << f.err;
  const Finished again = replay({"--target", "decode", "--module", W4_DEFECT, input});
  EXPECT_EQ(again.code, 1) << again.err;
  const std::string rerun = f.err.substr(line, f.err.find('\n', line) - line);
  EXPECT_THAT(again.err, HasSubstr(rerun));
  EXPECT_THAT(again.err, HasSubstr("input: " + input));
  EXPECT_EQ(replay({"--target", "decode", input}).code, 0) << "the clean kernel passes";
}

TEST(FuzzPrograms, UnguidedFindsItToo) {
  const Finished f =
      fuzz({"--target=decode", "--module", W4_DEFECT, "--unguided", "-runs=500", "-seed=1"});
  EXPECT_NE(f.code, 0);
  EXPECT_THAT(f.err, HasSubstr("rerun: w4check rerun 'decode"));
  const Finished clean = fuzz({"--target=decode", "--unguided", "-runs=50", "-seed=1"});
  EXPECT_EQ(clean.code, 0) << clean.err;
  EXPECT_THAT(clean.err, HasSubstr("decode: 50 cases in "));
}

// The module says something, then takes the process with it.
TEST(FuzzPrograms, ACrashNamesTheCase) {
  const TemporaryFolder folder;
  const Finished f = fuzz({"--target", "decode", "--module", W4_BAD_MODULE, "-runs=100",
                           "-exact_artifact_path=" + folder / "input"});
  EXPECT_EQ(f.code, kEngineFound) << f.err;
  const size_t line = f.err.find("crash or exit in: w4check rerun 'decode");
  ASSERT_NE(line, std::string::npos) << f.err;
  EXPECT_LT(line, f.err.find("ERROR: libFuzzer"));
}

// Sizes of 0 among them, by which nothing may divide.
TEST(FuzzPrograms, IllegalCasesGuideToo) {
  const Finished f = fuzz({"--target", "illegal", "-runs=1000", "-seed=1"});
  EXPECT_EQ(f.code, 0) << f.err;
}

TEST(FuzzPrograms, AMergeStartsTheTargetAgain) {
  const TemporaryFolder folder;
  const std::string to = folder / "to", from = folder / "from";
  std::filesystem::create_directory(to);
  std::filesystem::create_directory(from);
  ASSERT_EQ(fuzz({"--target", "decode", "-runs=60", "-seed=2", from}).code, 0);
  const Finished f = fuzz({"--target", "decode", "-merge=1", to, from});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_GT(files_in(to), 5u) << f.err;
}

TEST(FuzzPrograms, WrongOptionsAreUsageErrors) {
  EXPECT_EQ(fuzz({"--target", "nobody"}).code, 2);
  EXPECT_EQ(fuzz({"--bogus"}).code, 2);
  const Finished module = fuzz({"--target", "decode", "--module", "/nowhere.so"});
  EXPECT_EQ(module.code, 2);
  EXPECT_THAT(module.err, HasSubstr("--module is '/nowhere.so'"));
  const Finished row = fuzz({"--target", "moe", "--module", W4_BAD_MODULE, "-runs=10"});
  EXPECT_EQ(row.code, 2);
  EXPECT_THAT(row.err, HasSubstr("it has no kernel 'moe'; it has: decode"));
  EXPECT_EQ(replay({"--target", "decode"}).code, 2);
  EXPECT_EQ(replay({"--target", "decode", "--unguided"}).code, 2);
}

TEST(FuzzPrograms, ListSaysWhatTargetsAsk) {
  const Finished f = fuzz({"--list"});
  EXPECT_EQ(f.code, 0);
  EXPECT_THAT(f.out, HasSubstr("decode       small legal cases of the decode kernel pass\n"));
  EXPECT_EQ(replay({"--list"}).out, f.out);
}

}  // namespace
}  // namespace w4::testing
