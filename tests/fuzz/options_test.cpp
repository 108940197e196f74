#include "fuzz/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace w4::fuzz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

FUZZ_CASE_TARGET(of_options, "a target of this test") { (void)bytes; }

Result<Options> parse(std::vector<std::string> words, const std::string& program = "bin/w4fuzz") {
  words.insert(words.begin(), program);
  return parse_options(words);
}

std::string error(const std::vector<std::string>& words) {
  const auto o = parse(words);
  return o ? "" : o.error().text;
}

TEST(FuzzOptions, AreTakenWithEitherSpelling) {
  const auto o = parse({"--target", "of_options", "--module=a.so", "--device", "gfx1100",
                        "--device=gfx1201", "-runs=5", "corpus"});
  ASSERT_TRUE(o) << o.error().text;
  EXPECT_EQ(o->target.name, "of_options");
  EXPECT_EQ(o->target.inputs, Inputs::cases);
  EXPECT_EQ(o->module, "a.so");
  EXPECT_THAT(o->devices, ElementsAre("gfx1100", "gfx1201"));
  EXPECT_THAT(o->rest, ElementsAre("-runs=5", "corpus"));
  EXPECT_THAT(o->own, ElementsAre("--target=of_options", "--module=a.so", "--device=gfx1100",
                                  "--device=gfx1201"));
  EXPECT_FALSE(o->unguided);
}

TEST(FuzzOptions, TheProgramsNameMayBeTheTarget) {
  const auto o = parse({"-runs=1"}, "out/w4fuzz_of_options");
  ASSERT_TRUE(o) << o.error().text;
  EXPECT_EQ(o->target.name, "of_options");
  EXPECT_FALSE(parse({"-runs=1"}, "out/w4fuzz"));
}

TEST(FuzzOptions, WrongOnesAreNamedWithWhatIsLegal) {
  EXPECT_THAT(error({}), HasSubstr("--target is missing; legal:\n"));
  EXPECT_THAT(error({"--target", "nobody"}), HasSubstr("--target is 'nobody'; legal:"));
  EXPECT_THAT(error({"--target"}), HasSubstr("--target needs a value"));
  EXPECT_THAT(error({"--module="}), HasSubstr("--module needs a value"));
  EXPECT_THAT(error({"--list=3"}), HasSubstr("--list takes no value, got '3'"));
  EXPECT_THAT(error({"--targets=x"}), HasSubstr("unknown option '--targets=x'; legal: --list"));
}

TEST(FuzzOptions, ListSaysWhatMustHold) {
  const auto o = parse({"--list"});
  ASSERT_TRUE(o);
  EXPECT_TRUE(o->list);
  EXPECT_THAT(list_targets(), HasSubstr("of_options   a target of this test\n"));
}

}  // namespace
}  // namespace w4::fuzz
