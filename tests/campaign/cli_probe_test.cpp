// `w4check probe` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "campaign/process.h"

namespace w4 {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TemporaryFolder;
using testing::w4check;

TEST(CliProbe, AHonestModuleIsZero) {
  const Finished f = w4check({"probe", "--module", W4_TRITON "/w4a16.json"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("w4a16 on gfx1151: 6 calls probed: everything as declared"));
  EXPECT_THAT(f.out, HasSubstr("clause act.f16: activation dtype is bf16"));
}

TEST(CliProbe, ALieIsOneAndHasItsLineAndJson) {
  const TemporaryFolder folder;
  const std::string from = W4_TRITON;
  for (const std::string object : {"w4a16_gfx1151.hsaco", "w4a16_gfx1201.hsaco"})
    std::filesystem::copy(from + "/" + object, folder / object);
  std::string text = read_file(from + "/w4a16.json");
  text.replace(text.find("\"packed\""), 8, "\"unpacked\"");
  std::ofstream(folder / "a.json") << text;
  const Finished f = w4check({"probe", "--module", folder / "a.json", "--kernel", "w4a16",
                              "--device", "gfx1201", "--json", folder / "out.json"});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("declared:  numbers in the activation dtype"));
  EXPECT_THAT(f.out, HasSubstr("recovered: packed words"));
  EXPECT_THAT(f.out, HasSubstr("first in:  w4check rerun 'w4a16 m=4 n=16 k=128 g=32 zp=unpacked "));
  const auto json = nlohmann::json::parse(read_file(folder / "out.json"));
  EXPECT_EQ(json[0]["kernel"], "w4a16");
  EXPECT_EQ(json[0]["good"], false);
  EXPECT_EQ(json[0]["calls"].size(), 6u);
  EXPECT_EQ(json[0]["calls"][0]["properties"][1]["recovered"], "packed words");
}

TEST(CliProbe, NativeCodeIsProbedInAProcessOfItsOwn) {
  const Finished f = w4check({"probe", "--module", W4_BAD_MODULE});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("probe: native code of the module ends its process"));
}

TEST(CliProbe, UsageIsTwo) {
  EXPECT_EQ(w4check({"probe"}).code, 2);
  EXPECT_EQ(w4check({"probe", "--module", "/nowhere.json"}).code, 2);
  const Finished kernel = w4check({"probe", "--module", "builtin", "--kernel", "dekode"});
  EXPECT_EQ(kernel.code, 2);
  EXPECT_THAT(kernel.err, HasSubstr("--kernel: 'dekode' is not in module"));
  const Finished device = w4check({"probe", "--module", "builtin", "--device", "gfx900"});
  EXPECT_EQ(device.code, 2);
  EXPECT_THAT(device.err, HasSubstr("--device: "));
  EXPECT_EQ(
      w4check({"probe", "--module", "builtin", "--kernel", "decode", "--json", "/nowhere/x.json"})
          .code,
      2);
}

}  // namespace
}  // namespace w4
