// `rerun --trace`: what the wave did and held, with a finding; a sentence where there is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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

// A manifest that calls the Triton kernel with K where it takes N: it reads past the weights.
class CliTrace : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string from = W4_TRITON;
    for (const std::string object : {"w4a16_gfx1151.hsaco", "w4a16_gfx1201.hsaco"}) {
      std::filesystem::copy(from + "/" + object, folder_ / object);
    }
    std::string text = read_file(from + "/w4a16.json");
    const std::string n = R"({"i32": "N"})";
    ASSERT_NE(text.find(n), std::string::npos);
    text.replace(text.find(n), n.size(), R"({"i32": "K"})");
    line_ = "w4a16 m=1 n=40 k=128 g=32 zp=packed device=gfx1151 module=" +
            folder_.write("wrong.json", text);
  }
  TemporaryFolder folder_;
  std::string line_;
};

TEST_F(CliTrace, FindingWithInstructionsAndRegisters) {
  const Finished f = w4check({"rerun", line_, "--trace"});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("finding: "));
  EXPECT_THAT(f.out, HasSubstr("    trace of workgroup "));
  EXPECT_THAT(f.out, HasSubstr("    registers at 0x"));
  EXPECT_THAT(f.out, HasSubstr("      exec 0x"));
  EXPECT_THAT(f.out, Not(HasSubstr("nothing to trace")));
}

// As text and in JSON: not a word of it, and otherwise the same.
TEST_F(CliTrace, NothingUnlessAskedFor) {
  const Finished f = w4check({"rerun", line_, "--json", folder_ / "plain.json"});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, Not(HasSubstr("trace")));
  const Finished traced = w4check({"rerun", line_, "--trace", "--json", folder_ / "traced.json"});
  EXPECT_EQ(traced.code, 1) << traced.out << traced.err;
  const auto finding = [&](const char* file) {
    const auto verdict = nlohmann::json::parse(read_file(folder_ / file));
    return verdict.at("outcomes").at(0).at("findings").at(0);
  };
  nlohmann::json with = finding("traced.json");
  EXPECT_GT(with.at("trace").size(), 4u);
  with.erase("trace");
  EXPECT_EQ(finding("plain.json"), with);
}

TEST(CliTraceOfOthers, SayThatThereIsNone) {
  const Finished green = w4check({"rerun", "decode m=1 n=16 k=64 g=64", "--trace"});
  EXPECT_EQ(green.code, 0) << green.out << green.err;
  EXPECT_THAT(green.out, HasSubstr("trace: nothing to trace, the case is green"));
  // A verdict that no wave brought about.
  const Finished red =
      w4check({"rerun", std::string("decode m=3 n=16 module=") + W4_BAD_MODULE, "--trace"});
  EXPECT_EQ(red.code, 1) << red.out << red.err;
  EXPECT_THAT(red.out, HasSubstr("trace: nothing to trace, no instruction of a wave led to this"));
}

}  // namespace
}  // namespace w4
