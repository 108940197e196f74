#include "zoo/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace w4 {
namespace {

constexpr const char* kSource =
    "int arm(int64_t g) {\n"
    "  switch (g) {\n"
    "    case 32: return kSmall;   \n"
    "    case 64: return kMiddle;\n"
    "  }\n"
    "  return 0;\n"
    "}\n";

TEST(Nearest, FindsTheLineThatWasRenamed) {
  const auto near = nearest(" case 64: return 64;", kSource);
  ASSERT_TRUE(near.has_value());
  EXPECT_EQ(near->line, 4);
  EXPECT_THAT(near->lines, testing::ElementsAre("    case 64: return kMiddle;"));
  EXPECT_DOUBLE_EQ(near->alike, 5.0 / 6);
}

TEST(Nearest, FindsTextThatWasJoinedIntoOneLine) {
  const auto near = nearest(" case 32:\n   return kSmall;\n", kSource);
  ASSERT_TRUE(near.has_value());
  EXPECT_EQ(near->line, 3);
  EXPECT_EQ(near->lines.size(), 1u);
  EXPECT_EQ(near->lines.front(), "    case 32: return kSmall;");
  EXPECT_EQ(near->alike, 1);
}

TEST(Nearest, SaysNothingWhereNothingIsAlike) {
  EXPECT_FALSE(nearest("while", kSource).has_value());
  EXPECT_FALSE(nearest("x", "").has_value());
}

}  // namespace
}  // namespace w4
