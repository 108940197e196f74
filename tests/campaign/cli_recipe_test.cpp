// `w4check recipe` as a user calls it.
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

TEST(CliRecipe, TheBuiltInKernelsPassAll) {
  const TemporaryFolder folder;
  const Finished f = w4check({"recipe", "--json", folder / "out.json"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  EXPECT_THAT(f.out, HasSubstr("passed  apply f16 g32 symmetric m1\n"));
  EXPECT_THAT(f.out, HasSubstr("83 tests: 83 passed, 0 failed, 0 not run\n"));
  const auto json = nlohmann::json::parse(read_file(folder / "out.json"));
  EXPECT_EQ(json["passed"], 83);
  EXPECT_EQ(json["tests"].size(), 83u);
  EXPECT_EQ(json["tests"][0]["status"], "passed");
}

TEST(CliRecipe, NativeCodeRunsInAProcessOfItsOwn) {
  const Finished clean = w4check({"recipe", "--module", W4_CLEAN_MODULE, "--zp", "unpacked"});
  EXPECT_EQ(clean.code, 0) << clean.out << clean.err;
  EXPECT_THAT(clean.out, HasSubstr("83 tests: 71 passed, 0 failed, 12 not run\n"));
  const Finished f = w4check({"recipe", "--module", W4_BAD_MODULE});
  EXPECT_EQ(f.code, 1) << f.out << f.err;
}

TEST(CliRecipe, AKernelOfAnotherName) {
  const Finished f = w4check({"recipe", "--apply", "prefill", "--seed", "3", "--fail-fast"});
  EXPECT_EQ(f.code, 0) << f.out << f.err;
  const Finished none = w4check({"recipe", "--apply", "none", "--direct", "none"});
  EXPECT_EQ(none.code, 1) << none.out << none.err;
  EXPECT_THAT(none.out, HasSubstr("83 tests: 0 passed, 0 failed, 83 not run\n"));
}

TEST(CliRecipe, UsageIsTwo) {
  EXPECT_EQ(w4check({"recipe", "--module", "/nowhere.json"}).code, 2);
  EXPECT_EQ(w4check({"recipe", "--device", "gfx900"}).code, 2);
  EXPECT_EQ(w4check({"recipe", "--zp", "awq"}).code, 2);
  EXPECT_EQ(w4check({"recipe", "--seed", "one"}).code, 2);
}

}  // namespace
}  // namespace w4
