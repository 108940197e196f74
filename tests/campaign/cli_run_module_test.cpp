// `w4check run --module`: cases drawn for the kernels of somebody else's module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

constexpr const char* kTriton = W4_TRITON "/w4a16.json";

TEST(CliRunModule, LegalOnesPassAndEachClauseRefuses) {
  const Finished f = w4check({"run", "--module", kTriton, "--count", "40", "--seed", "5"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, ::testing::ContainsRegex("[(](4|5|6|7)[0-9] pass, 2[0-9] refused"));
  EXPECT_THAT(f.out, HasSubstr(" refused as they must be), 0 red"));
}

TEST(CliRunModule, ALieOfAManifestIsRed) {
  const TemporaryFolder folder;
  for (const std::string object : {"w4a16_gfx1151.hsaco", "w4a16_gfx1201.hsaco"})
    std::filesystem::copy(std::string(W4_TRITON "/") + object, folder / object);
  std::string text = read_file(kTriton);
  const std::string grid = "\"ceil_div(N, 32)\"";
  text.replace(text.find(grid), grid.size(), "\"max(1, N/32)\"");
  std::ofstream(folder / "a.json") << text;
  const Finished f = w4check({"run", "--module", folder / "a.json", "--count", "20"});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("unwritten_output"));
}

TEST(CliRunModule, OnTheDevicesThatAreNamed) {
  const Finished f = w4check({"run", "--module", kTriton, "--count", "5", "--device", "gfx1201"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("w4a16 on gfx1201: "));
  EXPECT_THAT(f.out, ::testing::Not(HasSubstr("gfx1151: ")));
}

TEST(CliRunModule, UsageIsTwo) {
  const auto refused = [](std::vector<std::string> args, const char* why) {
    args.insert(args.begin(), "run");
    const Finished f = w4check(args);
    EXPECT_EQ(f.code, 2) << f.out << f.err;
    EXPECT_THAT(f.err, HasSubstr(why));
  };
  refused({"--module", "/no/such.so"}, "--module: '/no/such.so': there is no such file");
  refused({"--module", kTriton, "--kernel", "decode"}, "--kernel: 'decode'; legal: w4a16");
  refused({"--module", kTriton, "--count", "0"}, "--count: 0; legal: 1 to 1000000");
  refused({"--suite", "smoke", "--kernel", "decode"}, "--kernel: 'decode'; legal: only with");
}

}  // namespace
}  // namespace w4
