// `w4check gate` as a user calls it: planted regressions between modules and between builds, the
// ledger in every state, what is the same, and wrong arguments.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/process.h"

namespace w4 {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;
using testing::w4check_interrupted;

// Red with the founding defect bias_row_stride_n, alone in the ledgers below.
constexpr const char* kLine = "decode m=2 n=40 k=256 bias=mx1";

std::string module_of(const std::string& id) {
  std::istringstream list(read_file(W4_MODULES_LIST));
  for (std::string name, path; list >> name >> path;) {
    if (name == id) return path;
  }
  return "";
}

struct Gated {
  Finished finished;
  json result;
  std::string summary;

  std::vector<json> failing() const {
    std::vector<json> out;
    for (const json& g : result.at("failures")) {
      if (g.at("fails")) out.push_back(g);
    }
    return out;
  }
  std::string entry_state() const { return result.at("ledger").at(0).at("state"); }
};

// decode on gfx1151; `ledger`: the text of one. No other known lines but `cases`.
Gated gate(const std::string& base, const std::string& head, const std::string& ledger,
           std::vector<std::string> more, const std::string& cases = kLine) {
  const TemporaryFolder folder;
  const std::string out = folder / "summary.md", result = folder / "gate.json";
  std::vector<std::string> words{"gate",
                                 "--base",
                                 base,
                                 "--head",
                                 head,
                                 "--kernel",
                                 "^decode$",
                                 "--known",
                                 folder.write("known.cases", ledger),
                                 "--cases",
                                 folder.write("known.lines", cases + "\n"),
                                 "--out",
                                 out,
                                 "--json",
                                 result,
                                 "--jobs",
                                 "2",
                                 "--today",
                                 "2031-06-15"};
  words.insert(words.end(), more.begin(), more.end());
  Gated g{w4check(words), {}, {}};
  g.result = json::parse(read_file(result), nullptr, false);
  g.summary = read_file(out);
  return g;
}

std::string entry(const char* kind, const char* day) {
  return fmt::format("# known\n{} | {} | a reason | expires={}\n", kLine, kind, day);
}

Finished gate(std::vector<std::string> words) {
  words.insert(words.begin(), "gate");
  return w4check(words);
}

TEST(CliGateFounding, APlantedRegressionIsFoundAndNamed) {
  const Gated g =
      gate(module_of("clean"), module_of("g64_runs_128"), "", {"--budget", "15s"}, "decode m=5");
  EXPECT_EQ(g.finished.code, 1) << g.finished.out << g.finished.err;
  EXPECT_THAT(g.summary, ::testing::StartsWith("**w4check gate: failed**: "));
  EXPECT_THAT(g.summary, HasSubstr("`decode`: `g64` → `g128`"));
  EXPECT_EQ(g.summary, g.finished.out);
  EXPECT_LT(g.summary.size(), 65536U);
  const std::vector<json> failing = g.failing();
  ASSERT_FALSE(failing.empty());
  for (const json& f : failing) {
    EXPECT_EQ(f.at("kernel"), "decode");
    EXPECT_THAT(f.at("smallest").get<std::string>(), HasSubstr("g=64"));
    for (const json& red : f.at("reds")) EXPECT_EQ(red.at("against"), "green");
  }
  // The line that it prints shows it.
  EXPECT_THAT(g.summary, HasSubstr(failing[0].at("rerun").get<std::string>()));
  const std::string line = failing[0].at("smallest");
  EXPECT_EQ(w4check({"rerun", line, "module=" + module_of("g64_runs_128")}).code, 1);
  EXPECT_EQ(w4check({"rerun", line, "module=" + module_of("clean")}).code, 0);
}

TEST(CliGateFounding, WhatTheLedgerListsDoesNotFail) {
  const std::string base = module_of("clean"), head = module_of("bias_row_stride_n");
  const Gated g = gate(base, head, entry("finding", "2031-06-15"), {"--budget", "25s"});
  EXPECT_EQ(g.finished.code, 0) << g.finished.out << g.finished.err;
  EXPECT_EQ(g.entry_state(), "holds");
  EXPECT_THAT(g.summary, ::testing::StartsWith("**w4check gate: passed**"));
  // Others that fail alike are the same failure.
  EXPECT_THAT(g.summary, HasSubstr("fail like line 2"));
}

TEST(CliGateLong, WithoutItTheSameFails) {
  const Gated g = gate(module_of("clean"), module_of("bias_row_stride_n"), "", {"--budget", "10s"});
  EXPECT_EQ(g.finished.code, 1) << g.finished.out << g.finished.err;
  // What the host tells the kernel differs.
  EXPECT_THAT(g.summary, HasSubstr("`arguments` → `other arguments`"));
  const std::vector<json> failing = g.failing();
  ASSERT_FALSE(failing.empty());
  EXPECT_THAT(failing[0].at("kind").get<std::string>(), HasSubstr("oob_read"));
}

TEST(CliGateFounding, AnExpiredEntryFails) {
  const Gated g = gate(module_of("clean"), module_of("bias_row_stride_n"),
                       entry("finding", "2031-06-14"), {"--budget", "8s"});
  EXPECT_EQ(g.finished.code, 1) << g.finished.out << g.finished.err;
  EXPECT_EQ(g.entry_state(), "expired");
  EXPECT_THAT(g.summary, HasSubstr("**expired** on 2031-06-14: `a reason`"));
}

TEST(CliGateFounding, AnExpiredEntryFailsWithoutARun) {
  const std::string clean = module_of("clean");
  const Gated g =
      gate(clean, clean, "moe m=4 n=64 k=256 | finding | a reason | expires=2031-06-14\n",
           {"--budget", "3s"});
  EXPECT_EQ(g.finished.code, 1) << g.finished.out << g.finished.err;
  EXPECT_EQ(g.entry_state(), "expired");
}

TEST(CliGateLong, AnEntryOfAnotherKindFails) {
  const Gated g = gate(module_of("clean"), module_of("bias_row_stride_n"),
                       entry("mismatch", "2031-12-31"), {"--budget", "10s"});
  EXPECT_EQ(g.finished.code, 1) << g.finished.out << g.finished.err;
  EXPECT_EQ(g.entry_state(), "other kind");
  EXPECT_THAT(g.summary, HasSubstr("**another kind** than mismatch"));
}

TEST(CliGateFounding, ANewlyGreenEntryFails) {
  const std::string clean = module_of("clean");
  const Gated g = gate(clean, clean, entry("finding", "2031-12-31"), {"--budget", "6s"});
  EXPECT_EQ(g.finished.code, 1) << g.finished.out << g.finished.err;
  EXPECT_EQ(g.entry_state(), "green now");
  EXPECT_THAT(g.summary, HasSubstr("**remove it**"));
  EXPECT_TRUE(g.failing().empty());
}

TEST(CliGateLong, WhatIsRedOnBothSidesAlikeIsSaidAndDoesNotFail) {
  const std::string defect = module_of("bias_row_stride_n");
  const Gated g = gate(defect, defect, "", {"--budget", "5m"});
  EXPECT_EQ(g.finished.code, 0) << g.finished.out << g.finished.err;
  EXPECT_THAT(g.summary, HasSubstr("### Red on both sides alike"));
  EXPECT_THAT(g.summary, HasSubstr("Nothing: both are the same, byte for byte"));
  EXPECT_FALSE(g.result.at("changed").get<bool>());
}

TEST(CliGateLong, ChangedCodeIsNamed) {
  const Gated g = gate(module_of("clean"), module_of("clean_o1"), "", {"--budget", "20s"});
  EXPECT_EQ(g.finished.code, 0) << g.finished.out << g.finished.err;
  EXPECT_TRUE(g.result.at("changed").get<bool>());
  const json& code = g.result.at("code");
  ASSERT_FALSE(code.empty());
  for (const json& c : code) EXPECT_THAT(c.at("symbol").get<std::string>(), HasSubstr("_g64_"));
}

TEST(CliGate, TheSameBuildTwiceHasNothingNew) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "bin");
  std::filesystem::create_symlink(W4_COMMAND, folder / "bin/w4check");
  const Gated g = gate(W4_COMMAND, folder / "", "", {"--budget", "5m"});
  EXPECT_EQ(g.finished.code, 0) << g.finished.out << g.finished.err;
  EXPECT_THAT(g.summary, HasSubstr("Nothing: both are the same, byte for byte"));
  EXPECT_EQ(g.result.at("cases"), 301);  // the floor, and the known line
}

TEST(CliGate, CtrlCKeepsWhatWasFound) {
  const TemporaryFolder folder;
  const std::string hangs = folder / "hangs", result = folder / "gate.json";
  setenv("W4_HANGS", hangs.c_str(), 1);
  const Finished f = w4check_interrupted(
      {"gate", "--base", "builtin", "--head", W4_BAD_MODULE, "--kernel", "^decode$", "--cases",
       folder.write("lines", "decode m=2 n=16 k=256\n"), "--json", result, "--jobs", "1"},
      hangs);
  unsetenv("W4_HANGS");
  EXPECT_EQ(f.code, 130) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("interrupted"));
  EXPECT_TRUE(json::parse(read_file(result), nullptr, false).at("interrupted").get<bool>());
}

TEST(CliGate, UsageIsTwo) {
  const TemporaryFolder folder;
  const auto says = [](std::vector<std::string> words, const std::string& what) {
    const Finished f = gate(std::move(words));
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr(what));
  };
  const auto with = [&](std::vector<std::string> words, const std::string& what) {
    words.insert(words.begin(), {"--base", "builtin", "--head", "builtin"});
    says(std::move(words), what);
  };
  says({}, "required");
  says({"--base", "builtin"}, "required");
  says({"--base", "/nowhere.so", "--head", "builtin"}, "--base: ");
  says({"--base", "builtin", "--head", "a b.so"}, "--head: 'a b.so' cannot stand in a case line");
  says({"--base", "builtin", "--head", folder / ""}, "has no bin/w4check");
  says({"--base", "/bin/true", "--head", "builtin"}, "--base: '/bin/true' is no w4check");
  says({"--base", "builtin", "--head", W4_SOURCE_DIR "/README.md"}, "--head: ");
  says({"--base", W4_OTHER_PROTOCOL, "--head", "builtin"},
       "have protocol 0, this w4check has 1; legal: builds of one protocol");
  with({"--budget", "10"}, "--budget: '10'; legal: a number with s, m, h or d");
  with({"--device", "gfx900"}, "--device: 'gfx900' is not an emulated device; legal: gfx");
  with({"--kernel", "("}, "--kernel: '(' is no regular expression");
  with({"--kernel", "decdoe"}, "head has no kernel with a match of 'decdoe'; legal: ");
  with({"--jobs", "0"}, "--jobs: 0; legal: 1 to 256");
  with({"--seed", "x"}, "--seed");
  with({"--today", "2031-02-30"}, "--today: '2031-02-30'; legal: YYYY-MM-DD");
  with({"--known", "/nowhere"}, "--known: '/nowhere'");
  with({"--known", folder.write("known", "decode | mismatch | why\n")}, "known:1:1: 3 fields");
  with({"--cases", "/nowhere"}, "--cases: '/nowhere'");
  with({"--cases", folder.write("lines", "decode module=a.so\n")}, "legal: lines without them");
  with({"--json", "/nowhere/x"}, "--json: cannot write");
  with({"--out", folder / "x", "--json", folder / "x"}, "legal: two files");
  with({"--out", "/nowhere/x"}, "--out: cannot write");
}

}  // namespace
}  // namespace w4
