// `w4check audit code` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

const std::string kTriton = std::string(W4_TRITON) + "/w4a16_gfx1151.hsaco";

void usage(const std::vector<std::string>& arguments, const std::string& word) {
  const Finished f = w4check(arguments);
  EXPECT_EQ(f.code, 2) << f.out << f.err;
  EXPECT_THAT(f.err, HasSubstr(word));
}

TEST(CliAudit, WrongOptionValues) {
  usage({"audit", "code", "--kernel", "nothing"}, "legal: decode");
  usage({"audit", "code", "--arch", "gfx900"}, "gfx1151");
  usage({"audit", "code", "--module", "/nowhere"}, "/nowhere");
  usage({"audit", "code", "--module", W4_COMMAND, "--json", "/nowhere/x"}, "--json");
  const TemporaryFolder folder;
  usage({"audit", "code", "--module", folder.write("text", "no object")}, "no whole AMDGPU");
}

TEST(CliAudit, AnEmptyValueIsNotTheDefault) {
  for (const char* audit : {"code", "selection", "figures"}) {
    for (const char* option : {"--module", "--table", "--kernel", "--arch", "--case", "--device"}) {
      const Finished f = w4check({"audit", audit, option, ""});
      EXPECT_EQ(f.code, 2) << audit << " " << option << f.out;
    }
  }
  usage({"audit", "selection", "--table", ""}, "'' is empty");
  usage({"audit", "code", "--module", "/"}, "'/' is a directory; legal: a file");
  usage({"audit", "figures", "--case", "decode", "--every-tile"}, "--every-tile");
}

TEST(CliRerun, KeysThatSayNothingAreNoted) {
  const auto said = [](const std::string& line) {
    const Finished f = w4check({"rerun", line});
    EXPECT_EQ(f.code, 0) << f.out << f.err;
    return f.err;
  };
  EXPECT_THAT(said("decode ldl=8"), HasSubstr("note: ldl=8 says nothing without lead"));
  EXPECT_THAT(said("decode route=single rows=contiguous"), HasSubstr("rows=contiguous says"));
  EXPECT_THAT(said("prefill m=9 coff=4"), HasSubstr("a kernel that reads no carrier"));
  EXPECT_THAT(said("decode zoff=4 boff=2"), HasSubstr("zoff=4 says nothing without zero points"));
  EXPECT_EQ(said("prefill_carrier zp=packed m=9 coff=4 cpad=1"), "");
  EXPECT_EQ(said("hybrid m=4 lead=2 ldl=512"), "");
  EXPECT_EQ(said("moe m=2 experts=2 rows=contiguous route=skewed idt=i32"), "");
}

TEST(CliAudit, AnotherCompilersObject) {
  const Finished f = w4check({"audit", "code", "--module", kTriton, "--json", "-"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  const auto j = nlohmann::json::parse(f.out);
  EXPECT_EQ(j["wrong"].size(), 0u);
  ASSERT_EQ(j["rows"].size(), 1u);
  EXPECT_EQ(j["rows"][0]["kernel"], "other");
  EXPECT_EQ(j["rows"][0]["arch"], "gfx1151");
  EXPECT_EQ(j["rows"][0]["kernels"], 1);
}

TEST(CliAudit, WhatIsWrongIsNamedAndTheExitCodeIsOne) {
  std::string object = read_file(kTriton);
  const std::string key = ".private_segment_fixed_size";
  const size_t at = object.find(key);
  ASSERT_NE(at, object.npos);
  ASSERT_EQ(object[at + key.size()], 0);  // MessagePack's 0
  object[at + key.size()] = 16;
  const TemporaryFolder folder;
  const Finished f = w4check({"audit", "code", "--module", folder.write("a.co", object)});
  EXPECT_EQ(f.code, 1) << f.err;
  EXPECT_THAT(f.out, HasSubstr("w4a16: 16 bytes of scratch; none are allowed"));
  EXPECT_THAT(f.out, HasSubstr("1 wrong"));
}

TEST(CliFigures, CountsOfACase) {
  const char* line = "decode m=1 n=8 k=512 g=128 cus=1";
  const Finished f = w4check({"audit", "figures", "--case", line, "--json", "-"});
  EXPECT_EQ(f.code, 0) << f.err;
  const auto j = nlohmann::json::parse(f.out);
  ASSERT_EQ(j.size(), 1u);
  EXPECT_EQ(j[0]["line"], "decode n=8 k=512 cus=1");
  EXPECT_EQ(j[0]["green"], true);
  EXPECT_EQ(j[0]["dot2"], 8 * 512 / 64);
  EXPECT_EQ(j[0]["waves"], 16);
  EXPECT_EQ(j[0]["barriers"], 16);
  const Finished table = w4check({"audit", "figures", "--case", line, "--device", "gfx1201"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("gfx1201"));
}

TEST(CliFigures, WrongOptionValuesAndCasesThatAreNotGreen) {
  usage({"audit", "figures", "--case", "nothing m=1"}, "decode");
  usage({"audit", "figures", "--case", "decode m=x"}, "m=x");
  usage({"audit", "figures", "--kernel", "nothing"}, "--kernel");
  usage({"audit", "figures", "--device", "gfx900"}, "gfx1151");
  usage({"audit", "figures", "--case", "decode m=1 device=host"}, "emulated arch");
  const Finished f = w4check({"audit", "figures", "--case", "decode m=6", "--case", "hybrid m=0"});
  EXPECT_EQ(f.code, 1);
  EXPECT_THAT(f.out, HasSubstr("launches nothing to count: refused"));
  EXPECT_THAT(f.out, HasSubstr("launches nothing to count: pass"));
}

}  // namespace
}  // namespace w4
