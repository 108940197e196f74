#include "fuzz/unguided.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/cases/case_bytes.h"

namespace w4::fuzz {
namespace {

using ::testing::HasSubstr;

int calls = 0;
std::vector<uint8_t> last;

FUZZ_CASE_TARGET(counts_calls, "a target of this test") {
  ++calls;
  last.assign(bytes.begin(), bytes.end());
}
FUZZ_TARGET(of_bytes, "another") { (void)bytes; }

std::string error(const std::vector<std::string>& words) {
  const auto budget = parse_budget(words);
  return budget ? "" : budget.error().text;
}

TEST(Unguided, BudgetsAreTheEnginesWords) {
  const auto budget = parse_budget(std::vector<std::string>{"-runs=7", "-seed=3"});
  ASSERT_TRUE(budget) << budget.error().text;
  EXPECT_EQ(budget->seed, 3u);
  EXPECT_EQ(budget->runs, 7);
  EXPECT_FALSE(budget->seconds);
  EXPECT_THAT(error({"-jobs=2"}), HasSubstr("'-jobs=2' says nothing to --unguided; legal: -seed="));
  EXPECT_THAT(error({"-runs=many"}), HasSubstr("'-runs=many' wants a number"));
  EXPECT_THAT(error({"-runs="}), HasSubstr("wants a number"));
  EXPECT_THAT(error({"corpus"}), HasSubstr("'corpus' says nothing"));
}

TEST(Unguided, RunsSoManyInputsOfAWholeCase) {
  calls = 0;
  ASSERT_TRUE(run_unguided(*find_target("counts_calls"), {.seed = 4, .runs = 9}));
  EXPECT_EQ(calls, 9);
  EXPECT_EQ(last, uniform_input(4, 8));
  EXPECT_EQ(last.size(), static_cast<size_t>(kInputBytes));
  EXPECT_NE(uniform_input(4, 8), uniform_input(5, 8));
  const auto refused = run_unguided(*find_target("of_bytes"), {.runs = 1});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text, HasSubstr("--target of_bytes takes bytes as they are"));
}

}  // namespace
}  // namespace w4::fuzz
