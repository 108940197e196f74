// `w4check zoo` as a user calls it, on the mutants that every build has.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/process.h"
#include "results/documents.h"

namespace w4 {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using w4::testing::Finished;
using w4::testing::read_file;
using w4::testing::TemporaryFolder;
using w4::testing::w4check;

Finished zoo(std::vector<std::string> words) {
  words.insert(words.begin(), {"zoo", "--list", W4_ZOO_LIST});
  return w4check(words);
}

class CliZoo : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(dir_ / name).parent_path());
    return dir_.write(name, text);
  }
  // A zoo of one mutant of the clean module, so that nothing can kill it.
  std::string zoo_of_a_clean_one(const std::string& stale = "") const {
    file("zoo/groups/none.edit",
         "# Changes nothing.\nfile kernels/decode.cpp\nscope group_arm\n- case 64:\n+ case 65:\n");
    file("zoo/groups/none.expect", "covers B01\nverdict mismatch\nrows decode\n");
    file("zoo/groups/none.case", "decode m=1 n=8 k=64 g=64\n");
    if (!stale.empty()) file("stale.txt", stale);
    return file("zoo.txt", fmt::format("root {}\ngroups none {} {}\n", dir_ / "zoo",
                                       W4_CLEAN_MODULE, dir_ / "stale.txt"));
  }
  TemporaryFolder dir_;
};

// Filed whole, with the proof of a mutant that nothing can show; a file that is no store is refused
// before anything is hunted.
TEST_F(CliZoo, FilesWhatItFound) {
  const std::string list = zoo_of_a_clean_one();
  file("zoo/equivalent.txt", "# why\ngroups/none  the same code object\n");
  const std::string db = dir_ / "runs.db";
  const std::vector<std::string> words = {"zoo", "--list",   list, "--generator",
                                          "own", "--budget", "5",  "--db"};
  std::vector<std::string> good = words, bad = words;
  good.push_back(db);
  EXPECT_EQ(w4check(good).code, 1);  // it survives
  auto store = Store::open(db, Store::Mode::read);
  ASSERT_TRUE(store) << store.error().text;
  const auto found = documents(*store, "zoo");
  ASSERT_TRUE(found) << found.error().text;
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().name, "all mutants; generator own; 5 s each");
  const auto j = nlohmann::json::parse(found->front().json);
  ASSERT_EQ(j.at("mutants").size(), 1u);
  EXPECT_EQ(j["mutants"][0]["equivalent"], "the same code object");
  EXPECT_EQ(j["mutants"][0]["killed"], false);
  EXPECT_FALSE(j.at("clean").empty());
  EXPECT_EQ(j.at("oracles").size(), 9u);
  EXPECT_TRUE(j.at("only").is_null());

  bad.push_back(dir_.write("notes.txt", "no store"));
  const Finished refused = w4check(bad);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--db: "));
  EXPECT_EQ(refused.out, "");

  file("zoo/equivalent.txt", "groups/nobody proof\n");
  const Finished unknown = w4check(good);
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("groups/nobody"));
}

TEST_F(CliZoo, KillsTheFoundingDefectsAndNothingClean) {
  const std::string json = dir_ / "zoo.json";
  const Finished p = zoo(
      {"--family", "founding", "--budget", "60", "--cases", "60", "--json", json, "--jobs", "2"});
  EXPECT_EQ(p.code, 0) << p.out << p.err;
  EXPECT_THAT(p.out, HasSubstr("4 of 4 mutants killed"));
  EXPECT_THAT(p.out, HasSubstr(" 0 red"));
  std::istringstream in(read_file(json));
  int mutants = 0, clean = 0;
  for (std::string line; std::getline(in, line);) {
    const auto row = nlohmann::json::parse(line);
    mutants += row.contains("mutant") ? 1 : 0;
    clean += row.contains("clean") ? 1 : 0;
    if (row.value("mutant", "") == "founding/lds_gate_asks_device") {
      EXPECT_TRUE(row["killed"].get<bool>());
      EXPECT_EQ(row["covers"][0], "B45");
    }
  }
  EXPECT_EQ(mutants, 4);
  EXPECT_GE(clean, 7);
}

TEST_F(CliZoo, AnOracleAloneMayLetOneSurvive) {
  const Finished p = zoo({"--mutant", "g64_runs_128", "--oracle", "memory", "--no-clean", "--cases",
                          "30", "--budget", "60"});
  EXPECT_EQ(p.code, 1) << p.out;
  EXPECT_THAT(p.out, HasSubstr("survivor: founding/g64_runs_128"));
}

TEST_F(CliZoo, WhatNothingKillsIsASurvivor) {
  const std::string list = zoo_of_a_clean_one();
  const Finished p =
      w4check({"zoo", "--list", list, "--cases", "20", "--no-clean", "--budget", "60"});
  EXPECT_EQ(p.code, 1) << p.out << p.err;
  EXPECT_THAT(p.out, HasSubstr("survivor: groups/none: Changes nothing."));
}

TEST_F(CliZoo, AStaleMutantIsASurvivor) {
  const std::string list = zoo_of_a_clean_one("kernels/decode.cpp: no definition of group_arm\n");
  const Finished p = w4check({"zoo", "--list", list, "--cases", "20", "--no-clean"});
  EXPECT_EQ(p.code, 1) << p.out << p.err;
  EXPECT_THAT(p.out, HasSubstr("stale: kernels/decode.cpp: no definition of group_arm"));
}

TEST_F(CliZoo, RebaseShowsTheNearestText) {
  const std::string list = zoo_of_a_clean_one();
  file("kernels/decode.cpp", "int group_arm(int g) {\n  if (g == 64) return 64;\n}\n");
  const Finished p = w4check({"zoo", "--list", list, "rebase"});
  EXPECT_EQ(p.code, 1) << p.out << p.err;
  EXPECT_THAT(p.out, HasSubstr("groups/none.edit: line 2: kernels/decode.cpp: the text is not in"));
  EXPECT_THAT(p.out, HasSubstr("nearest"));
  EXPECT_THAT(p.out, HasSubstr("0 of 1 edits apply"));
}

TEST_F(CliZoo, SaysWhatIsLegal) {
  EXPECT_THAT(zoo({"--family", "nix"}).err, HasSubstr("--family: 'nix'; legal: "));
  EXPECT_THAT(zoo({"--mutant", "nix"}).err, HasSubstr("--mutant: 'nix' is not in the zoo"));
  EXPECT_THAT(zoo({"--oracle", "nix"}).err, HasSubstr("--oracle: 'nix'; legal: interval, laws"));
  EXPECT_THAT(zoo({"--generator", "nix"}).err, HasSubstr("--generator: 'nix'; legal: own, audit"));
  EXPECT_THAT(zoo({"--budget", "0"}).err, HasSubstr("--budget: 0; legal: above 0"));
  EXPECT_THAT(zoo({"--seeds", "-1"}).err, HasSubstr("--seeds: -1; legal: 0 to 1000"));
  EXPECT_EQ(zoo({"--seeds", "-1"}).code, 2);
  const Finished p = w4check({"zoo", "--list", "/nowhere/zoo.txt"});
  EXPECT_EQ(p.code, 2);
  EXPECT_THAT(p.err, HasSubstr("cannot read /nowhere/zoo.txt"));
  const std::string list = zoo_of_a_clean_one();
  fs::remove(dir_ / "zoo/groups/none.case");
  EXPECT_THAT(w4check({"zoo", "--list", list}).err, HasSubstr("none.case"));
}

}  // namespace
}  // namespace w4
