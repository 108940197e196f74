// `w4check list coverage` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

constexpr const char* kLine = "decode m=1 n=8 k=256 g=64";

void usage(const std::vector<std::string>& arguments, const std::string& word) {
  const Finished f = w4check(arguments);
  EXPECT_EQ(f.code, 2) << f.out << f.err;
  EXPECT_THAT(f.err, HasSubstr(word));
}

TEST(CliCoverage, ShowsKernelsSourceLinesAndCodeWithCounts) {
  const Finished f = w4check({"list", "coverage", "--case", kLine});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.out, HasSubstr("coverage by 1 of 1 cases, 0 not green"));
  // One launch of 20 workgroups of 16 waves; every other kernel of the object never ran.
  EXPECT_TRUE(std::regex_search(
      f.out,
      std::regex(R"( +\d+/\d+ +[\d.]+ % +\d+/\d+ +[\d.]+ % +1 +\d+  gfx1151  w4_decode_small_m1)")))
      << f.out.substr(0, 2000);
  EXPECT_TRUE(
      std::regex_search(f.out, std::regex(R"(! +0/\d+ .* 0 +0  gfx1151  w4_decode_small_m5)")));
  EXPECT_TRUE(std::regex_search(f.out, std::regex(R"(executions  source line)")));
  EXPECT_TRUE(std::regex_search(f.out, std::regex(R"(s_cbranch_\w+ .*taken \d+, not \d+)")));
  EXPECT_THAT(f.out, HasSubstr("s_endpgm"));
  EXPECT_THAT(f.out, HasSubstr("never"));
}

TEST(CliCoverage, SumsOverCasesAndWritesAFile) {
  const TemporaryFolder folder;
  const std::string cases = folder.write("cases", std::string(kLine) + "\n" + kLine + " seed=2\n");
  const std::string out = folder / "coverage.txt";
  const Finished f = w4check({"list", "coverage", "--cases", cases, "--kernel",
                              "small_m1_y._u._g64_f16_sym", "--out", out});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_EQ(f.out, "");
  const std::string text = read_file(out);
  EXPECT_THAT(text, HasSubstr("coverage by 2 of 2 cases"));
  EXPECT_THAT(text, HasSubstr(" 2 launches, "));
  EXPECT_EQ(text.find("bf16"), std::string::npos);
}

TEST(CliCoverage, FilesItsCountsForTheReport) {
  const TemporaryFolder folder;
  const std::string db = folder / "runs.db";
  const std::string cases = folder.write("cases", std::string(kLine) + "\n");
  ASSERT_EQ(w4check({"run", "--cases", cases, "--db", db}).code, 0);
  const Finished f = w4check({"list", "coverage", "--case", kLine, "--kernel", "small_m1", "--out",
                              folder / "coverage.txt", "--db", db});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.err, HasSubstr("as coverage: 1 given cases, kernels small_m1"));
  ASSERT_EQ(w4check({"report", "--db", db, "--out", folder / "report"}).code, 0);
  const auto report = nlohmann::json::parse(read_file(folder / "report/report.json"));
  const auto& shown = report.at("coverage").at("instructions").at("shown");
  EXPECT_EQ(shown.at("cases"), 1);
  EXPECT_EQ(shown.at("notice"), "");
  int64_t launched = 0;
  for (const auto& k : shown.at("kernels")) {
    launched += k.at("launches").get<int64_t>();
    EXPECT_GE(k.at("instructions"), k.at("run"));
    EXPECT_EQ(k.at("run") > 0, k.at("launches") > 0) << k;
  }
  EXPECT_EQ(launched, 1);
  EXPECT_GT(shown.at("lines").at("all"), shown.at("lines").at("never").size());
}

TEST(CliCoverage, TakesAModule) {
  const Finished f = w4check(
      {"list", "coverage", "--case",
       std::string("w4a16 m=33 n=40 k=64 g=32 zp=packed module=") + W4_TRITON + "/w4a16.json"});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.out, HasSubstr("v_wmma_f32_16x16x16_f16"));
}

TEST(CliCoverage, MistakesAreNamed) {
  usage({"list", "coverage"}, "nothing to run");
  usage({"list", "coverage", "--case", "decode m=x"}, "--case: 'decode m=x'");
  usage({"list", "coverage", "--case", "decdoe"}, "no kernel 'decdoe'");
  usage({"list", "coverage", "--suite", "smoek"}, "no suite 'smoek'");
  usage({"list", "coverage", "--case", kLine, "--kernel", "("}, "no regular expression");
  usage({"list", "coverage", "--case", kLine, "--kernel", "nothing"},
        "no kernel that ran has a match");
  usage({"list", "coverage", "--case", kLine, "--out", "/no/such/folder/x"}, "--out: cannot write");
  usage({"list", "coverage", "--case", kLine, "--device", "gfx900"}, "--device");
  usage({"list", "coverage", "--case", kLine, "--db", "/no/such/folder/x.db"}, "--db: ");
  usage({"list", "keys", "--kernel", "x"}, "only with coverage");
}

}  // namespace
}  // namespace w4
