// `w4check score` as a user calls it, and mutated case lines in the commands that take lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

constexpr const char* kTriton = W4_TRITON "/w4a16.json";

// The first mutant with that fate, by its line.
std::string line_of(const nlohmann::json& kernel, const std::string& fate) {
  for (const auto& m : kernel["mutants"]) {
    if (m["fate"] == fate) return m["line"];
  }
  return {};
}

TEST(CliScore, ASampleIsScoredAndItsLinesSayTheSame) {
  const TemporaryFolder folder;
  const Finished f = w4check({"score", "--module", kTriton, "--mutants", "12", "--cases", "4",
                              "--budget", "2", "--json", folder / "out.json"});
  ASSERT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("w4a16: "));
  EXPECT_THAT(f.out, HasSubstr("12 run\n"));
  const auto json = nlohmann::json::parse(read_file(folder / "out.json"));
  ASSERT_EQ(json.size(), 1u);
  const auto& k = json[0];
  EXPECT_EQ(k["kernel"], "w4a16");
  EXPECT_EQ(k["killed"].get<int>() + k["survived"].get<int>() + k["undecided"].get<int>(), 12);
  EXPECT_GT(k["generated"], k["reached"].get<int>());
  // Most mutants are not subtle: a score that hardly kills anything does not mutate.
  EXPECT_GE(k["killed"], 6);
  const std::string killed = line_of(k, "killed");
  EXPECT_THAT(killed, HasSubstr(" mutate="));
  EXPECT_EQ(w4check({"rerun", killed}).code, 1) << killed;
  EXPECT_EQ(w4check({"rerun", killed.substr(0, killed.find(" mutate="))}).code, 0) << killed;
  // The same sample again.
  const Finished again = w4check({"score", "--module", kTriton, "--mutants", "12", "--cases", "4",
                                  "--budget", "2", "-j", "2", "--json", folder / "again.json"});
  ASSERT_EQ(again.code, 0);
  const auto second = nlohmann::json::parse(read_file(folder / "again.json"));
  for (size_t i = 0; i < 12; ++i)
    EXPECT_EQ(second[0]["mutants"][i]["mutation"], k["mutants"][i]["mutation"]);
}

TEST(CliScore, UsageIsTwo) {
  const auto says = [](std::vector<std::string> words, const std::string& text) {
    words.insert(words.begin(), "score");
    const Finished f = w4check(words);
    EXPECT_EQ(f.code, 2) << text;
    EXPECT_THAT(f.err, HasSubstr(text));
  };
  says({"--module", "/nowhere.json"}, "there is no such file");
  says({"--kernel", "dekode"}, "--kernel: 'dekode'; legal: decode,");
  says({"--mutants", "0"}, "--mutants: 0; legal: 1 to 1000000");
  says({"--budget", "0"}, "--budget: 0; legal: above 0");
  says({"--jobs", "0"}, "--jobs: 0; legal: 1 to 256");
  says({"--device", "host"}, "--device: 'host'; legal: an emulated arch");
}

TEST(CliScore, AMutatedLineIsOneForEveryCommand) {
  const Finished listed = w4check({"list", "coverage", "--case", "decode m=1 n=8 k=256 g=64"});
  ASSERT_EQ(listed.code, 0);
  // The one store of the kernel.
  const size_t at = listed.out.find("global_store_b16");
  ASSERT_NE(at, std::string::npos);
  const std::string row = listed.out.substr(listed.out.rfind('\n', at) + 1);
  const std::string pc = row.substr(row.find("0x"), 8);
  const std::string symbol = listed.out.substr(
      listed.out.find("w4_decode_"),
      listed.out.find('\n', listed.out.find("w4_decode_")) - listed.out.find("w4_decode_"));
  const std::string where =
      symbol.substr(0, symbol.find(' ')) + "+0x" + pc.substr(pc.find_first_not_of("0x"));
  const std::string line = "decode m=1 n=8 k=256 g=64 mutate=" + where + ":";
  const Finished dropped = w4check({"rerun", line + "drop_store"});
  EXPECT_EQ(dropped.code, 1) << dropped.err;
  EXPECT_THAT(dropped.out, HasSubstr("unwritten_output"));
  EXPECT_THAT(dropped.out, HasSubstr("mutate=" + where + ":drop_store"));
  const Finished smaller = w4check({"shrink", line + "drop_store"});
  EXPECT_EQ(smaller.code, 0) << smaller.err;
  EXPECT_THAT(smaller.out, HasSubstr("mutate=" + where + ":drop_store"));
  EXPECT_NE(w4check({"explain", line + "drop_store"}).code, 3);
  const Finished wrong = w4check({"rerun", line + "drop_barrier"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.out, HasSubstr("has no drop_barrier; it has: drop_store"));
  const Finished hostile = w4check({"rerun", "decode mutate=$(x)+0x4:drop_store"});
  EXPECT_EQ(hostile.code, 2);
  EXPECT_THAT(hostile.err, HasSubstr("its symbol '$(x)' is not legal"));
  const Finished elsewhere = w4check({"rerun", "decode m=1 n=8 k=256 mutate=k+0x4:drop_store"});
  EXPECT_EQ(elsewhere.code, 1);
  EXPECT_THAT(elsewhere.out, HasSubstr("the mutated instruction did not run: k+0x4:drop_store"));
  EXPECT_EQ(w4check({"rerun", "decode n=8 device=host mutate=k+0x4:drop_store"}).code, 3);
}

}  // namespace
}  // namespace w4
