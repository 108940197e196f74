// `w4check explain` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;
using testing::w4check_interrupted;

TEST(CliExplain, NothingToExplainIsZero) {
  const Finished f = w4check({"explain", "decode", "m=2", "n=16", "g=64"});
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_THAT(f.out, HasSubstr("nothing to explain: the case passes"));
  const Finished refused = w4check({"explain", "decode m=1 n=64 k=100 g=64"});
  EXPECT_EQ(refused.code, 0) << refused.err;
  EXPECT_THAT(refused.out, HasSubstr("breaks clause k.group"));
}

TEST(CliExplain, UsageIsTwo) {
  EXPECT_EQ(w4check({"explain"}).code, 2);
  const Finished f = w4check({"explain", "decode m=x"});
  EXPECT_EQ(f.code, 2);
  EXPECT_THAT(f.err, HasSubstr("explain: "));
  EXPECT_EQ(w4check({"explain", "decode", "--seconds", "0"}).code, 2);
  EXPECT_EQ(w4check({"explain", "decode module=/nowhere.so"}).code, 2);
  EXPECT_EQ(w4check({"explain", "decode", "--json", "/nowhere/x.json"}).code, 2);
}

// Of the module's kernel M = 2 hangs: what native code does not hear ends all the same.
TEST(CliExplain, CtrlCEndsNativeCodeThatHangs) {
  const TemporaryFolder folder;
  const std::string hangs = folder / "hangs";
  setenv("W4_HANGS", hangs.c_str(), 1);
  const Finished f = w4check_interrupted(
      {"explain", "decode m=2 n=136 k=1024 g=64 bias=n module=" W4_BAD_MODULE}, hangs);
  unsetenv("W4_HANGS");
  EXPECT_EQ(f.code, 130) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("explanation: interrupted"));
}

// A manifest that tells the Triton kernel twice the group size.
TEST(CliExplain, NamesTheDefectOfAModuleAndWritesJson) {
  const TemporaryFolder folder;
  const std::string from = W4_TRITON;
  for (const std::string object : {"w4a16_gfx1151.hsaco", "w4a16_gfx1201.hsaco"})
    std::filesystem::copy(from + "/" + object, folder / object);
  std::string text = read_file(from + "/w4a16.json");
  const std::string g = R"({"i32": "G"})";
  ASSERT_NE(text.find(g), std::string::npos);
  text.replace(text.find(g), g.size(), R"({"i32": "2 * G"})");
  const std::string line = "w4a16 m=3 n=40 k=256 g=32 zp=packed device=gfx1151 module=" +
                           folder.write("wrong.json", text);
  const std::string file = folder / "why.json";
  const Finished f = w4check({"explain", line, "--json", file});
  EXPECT_EQ(f.code, 1) << f.err;
  EXPECT_THAT(f.out, HasSubstr("computed with G=64 instead of 32"));
  EXPECT_THAT(f.out, HasSubstr("sure: exact"));
  const auto json = nlohmann::json::parse(read_file(file));
  EXPECT_EQ(json.at("certainty"), "exact");
  EXPECT_EQ(json.at("hypotheses").size(), 1u);
  EXPECT_EQ(json.at("hypotheses").at(0).at("name"), "group.size_and_stride");
  EXPECT_EQ(json.at("verdict").at("kind"), "mismatch");
  const Finished piped = w4check({"explain", line, "--json", "-"});
  EXPECT_EQ(nlohmann::json::parse(piped.out).at("certainty"), "exact");
  EXPECT_THAT(piped.err, HasSubstr("hypothesis: group.size_and_stride"));
}

// M says what the module does to the process it runs in (badly_behaved.cpp).
TEST(CliExplain, NativeCodeCannotTakeItDown) {
  const auto explain = [](const std::string& m) {
    return w4check({"explain", "decode m=" + m + " module=" W4_BAD_MODULE, "--seconds", "1"});
  };
  const Finished aborts = explain("1");
  EXPECT_EQ(aborts.code, 1);
  EXPECT_THAT(aborts.out, HasSubstr("signal 6"));
  const Finished hangs = explain("2");
  EXPECT_EQ(hangs.code, 1);
  EXPECT_THAT(hangs.out, HasSubstr("does not end"));
  const Finished exits = explain("3");
  EXPECT_EQ(exits.code, 1);
  EXPECT_THAT(exits.out, HasSubstr("exit status 7"));
  const Finished prints = explain("4");
  EXPECT_EQ(prints.code, 1);
  EXPECT_THAT(prints.out, Not(HasSubstr("this is not a verdict")));
  EXPECT_THAT(prints.out, HasSubstr("refuses with group.size"));
}

// docs/explain.md has the table that the command prints.
TEST(CliExplain, TheDocumentHasTheTable) {
  const Finished f = w4check({"list", "hypotheses"});
  ASSERT_EQ(f.code, 0) << f.err;
  const std::string document = read_file(W4_SOURCE_DIR "/docs/explain.md");
  std::istringstream lines(f.out);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "hypotheses") continue;
    ++rows;
    const std::string rest = line.substr(line.find_first_not_of(' ', 2 + name.size()));
    const std::string says = rest.substr(0, rest.rfind(" (where: "));
    EXPECT_THAT(document, HasSubstr("| `" + name + "` | " + says + " |"));
  }
  EXPECT_GE(rows, 25);
}

}  // namespace
}  // namespace w4
