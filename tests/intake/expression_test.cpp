#include "intake/expression.h"

#include <gmock/gmock.h>

#include <random>

namespace w4 {
namespace {

using testing::HasSubstr;

constexpr Sizes kSizes{33, 40, 128, 32};

int64_t value(std::string_view text) {
  const auto e = Expression::parse(text);
  EXPECT_TRUE(e) << text << ": " << (e ? "" : e.error().text);
  if (!e) return -1;
  const auto v = e->value(kSizes);
  EXPECT_TRUE(v) << text << ": " << (v ? "" : v.error().text);
  return v.value_or(-1);
}
std::string wrong(std::string_view text) {
  const auto e = Expression::parse(text);
  if (!e) return e.error().text;
  const auto v = e->value(kSizes);
  return v ? "it has a value" : v.error().text;
}

TEST(Expression, ComputesOverTheSizes) {
  EXPECT_EQ(value("M"), 33);
  EXPECT_EQ(value("M + N*K/G - 1"), 33 + 40 * 128 / 32 - 1);
  EXPECT_EQ(value("(M + 31) / 32"), 2);
  EXPECT_EQ(value("ceil_div(M, 32)"), 2);
  EXPECT_EQ(value("ceil_div(64, 32)"), 2);
  EXPECT_EQ(value("ceil_div(0 - 33, 32)"), -1);
  EXPECT_EQ(value("min(M, max(N, 7)) - -2"), 35);
  EXPECT_EQ(value("20 - 5 - 3"), 12);  // from the left
  EXPECT_EQ(value("100 / 7 / 2"), 7);
  EXPECT_EQ(value("-M*2"), -66);
  EXPECT_EQ(value(" 9223372036854775807 "), INT64_MAX);
}

TEST(Expression, ComparesAndChooses) {
  EXPECT_EQ(value("M <= 33"), 1);
  EXPECT_EQ(value("M < 33"), 0);
  EXPECT_EQ(value("(M > 32) + (M >= 34) + (G == 32) + (G != 32)"), 2);
  EXPECT_EQ(value("M % 32"), 1);
  EXPECT_EQ(value("-7 % 4"), -3);
  EXPECT_EQ(value("M > 4 ? 7 : 9"), 7);
  EXPECT_EQ(value("M > 40 ? 7 : M > 30 ? 8 : 9"), 8);
  EXPECT_EQ(value("!M + !(M - 33)"), 1);
  EXPECT_EQ(value("M == 33 && N == 40 || K == 0"), 1);
  EXPECT_EQ(value("M && 5"), 1);
  EXPECT_EQ(value("0 || 5"), 1);
  EXPECT_EQ(value("1 + 1 == 2 && 2 * 3 > 5"), 1);
  EXPECT_EQ(value("min(M > 4 ? 1 : 2, 3)"), 1);
}

TEST(Expression, ComputesTheSideThatCounts) {
  EXPECT_EQ(value("G == 32 ? 1 : K / (G - 32)"), 1);
  EXPECT_EQ(value("G != 32 && K / (G - 32) > 1"), 0);
  EXPECT_EQ(value("G == 32 || K / (G - 32) > 1"), 1);
  EXPECT_THAT(wrong("G == 32 ? K / (G - 32) : 1"), HasSubstr("divides by zero"));
}

TEST(Expression, KnowsEveryVariable) {
  Sizes s;
  int64_t next = 100;
  for (const Variable& v : variables()) s.*v.of = next++;
  next = 100;
  for (const Variable& v : variables()) {
    const auto e = Expression::parse(v.name);
    ASSERT_TRUE(e) << v.name;
    EXPECT_EQ(*e->value(s), next++) << v.name;
    EXPECT_TRUE(e->uses(v.name));
    EXPECT_EQ(e->uses("M"), v.name == "M");
    EXPECT_THAT(e->at(s), HasSubstr(fmt::format("{} = {}", v.name, next - 1)));
  }
}

TEST(Expression, NamesTheColumnAndWhatIsLegal) {
  EXPECT_THAT(wrong(""), HasSubstr("column 1: the end; legal: M, N, K, G"));
  EXPECT_THAT(wrong("M +"), HasSubstr("column 4: the end"));
  EXPECT_THAT(wrong("M & 2"),
              HasSubstr("column 3: '&'; legal: + - * / %, a comparison, && || ? or the end"));
  EXPECT_THAT(wrong("cdiv(M, 2)"), HasSubstr("column 1: 'cdiv'; legal: M, N"));
  EXPECT_THAT(wrong("min(M)"), HasSubstr("column 6: ')'; legal: ','"));
  EXPECT_THAT(wrong("(M"), HasSubstr("column 3: the end; legal: ')'"));
  EXPECT_THAT(wrong("9223372036854775808"), HasSubstr("fits 64 bits"));
  EXPECT_THAT(wrong("M ? 1"), HasSubstr("column 6: the end; legal: ':'"));
  EXPECT_THAT(wrong("M < 1 < 2"), HasSubstr("column 7: '<'"));
  EXPECT_THAT(wrong("ldb"), HasSubstr("'ldb'; legal: M, N, K, G, CUS, LDS, lda, ldy, wei_stride"));
  EXPECT_THAT(wrong("M m"), HasSubstr("column 3: 'm'"));
  EXPECT_THAT(wrong(std::string(300, '1')), HasSubstr("at most 256"));
  EXPECT_THAT(wrong(std::string(200, '(')), HasSubstr("nesting"));
  EXPECT_THAT(wrong(std::string(200, '-')), HasSubstr("nesting"));
  EXPECT_THAT(wrong(std::string("M\0", 2)), HasSubstr("column 2"));
}

TEST(Expression, HasNoValueWhereArithmeticFails) {
  EXPECT_THAT(wrong("M/(G-32)"), HasSubstr("divides by zero"));
  EXPECT_THAT(wrong("ceil_div(1, G-32)"), HasSubstr("at M = 33, N = 40, K = 128, G = 32"));
  EXPECT_THAT(wrong("9223372036854775807 + 1"), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(wrong("4294967296 * 4294967296 - 1"), HasSubstr("does not fit 64 bits"));
}

TEST(Expression, AnyTextIsRefusedOrHasAValueOrSaysWhyNot) {
  constexpr std::string_view kParts[] = {
      "M", "G",  "0",    "-1",   "(", ")",     "+",
      "/", "*",  "min(", "max(", ",", "? 1 :", "?",
      ":", "&&", "||",   "<=",   "!", "lda",   "ceil_div(",
      " ", "-",  "x",    "7",    "%", "\xff",  "9999999999999999999"};
  std::mt19937 rng(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (size_t n = rng() % 12; n > 0; --n) text += kParts[rng() % std::size(kParts)];
    if (const auto e = Expression::parse(text)) {
      if (const auto v = e->value(kSizes); !v) EXPECT_FALSE(v.error().text.empty());
    }
  }
}

}  // namespace
}  // namespace w4
