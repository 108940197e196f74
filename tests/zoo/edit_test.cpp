#include "zoo/edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zoo/scope.h"

namespace w4 {
namespace {

using testing::HasSubstr;

constexpr std::string_view kSource = R"(
int twice(int x);  // twice(x) { not a definition }
int half(int x) { return x / 2; }
const char* kText = "int half(int) { }";
struct S {
  S(int a) : a_(a) { a_ += 1; }
  auto get() const -> int { return twice(a_); }
  int a_;
};
int twice(int x) {
  if (x > 0) { return 2 * x; }
  return half(x) * 4;
}
struct T {
  auto get() const -> int { return 7; }
  int put(int);
};
int T::put(int x) { return half<char>(x) + kLast; }
constexpr int kLast = (1 << 24) - 2;
constexpr int kTable[] = {LAMBDA(a + 1), half(2)};
template <class X>
int size() { return 0; }
template <>
int size<char>() { return 1; }
#define LAMBDA(E) \
  [](int a) { return E; }
#define ONE 1
void set() { kLast = 3; }
)";

std::string body(std::string_view name) {
  const auto found = definitions(kSource, name);
  if (found.size() != 1) return std::to_string(found.size()) + " definitions";
  return std::string(kSource.substr(found[0].begin, found[0].end - found[0].begin));
}

TEST(Scope, FindsDefinitionsAndNoCallsDeclarationsOrText) {
  EXPECT_EQ(body("half"), "{ return x / 2; }");
  EXPECT_EQ(body("S::S"), "{ a_ += 1; }");
  EXPECT_EQ(body("get"), "2 definitions");
  EXPECT_THAT(body("twice"), HasSubstr("half(x) * 4"));
  EXPECT_EQ(body("nothing"), "0 definitions");
}

TEST(Scope, FindsMembersOfOneClass) {
  EXPECT_EQ(body("S::get"), "{ return twice(a_); }");
  EXPECT_EQ(body("T::get"), "{ return 7; }");
  EXPECT_EQ(body("T::put"), "{ return half<char>(x) + kLast; }");
  EXPECT_EQ(body("S::put"), "0 definitions");
  EXPECT_THAT(body("T"), HasSubstr("int put(int);"));
}

TEST(Scope, FindsOneSpecialisation) {
  EXPECT_EQ(body("size"), "2 definitions");
  EXPECT_EQ(body("size< char >"), "{ return 1; }");
  EXPECT_EQ(body("size<int>"), "0 definitions");
}

TEST(Scope, FindsVariablesAndMacros) {
  EXPECT_EQ(body("kLast"), "= (1 << 24) - 2");
  EXPECT_EQ(body("kTable"), "= {LAMBDA(a + 1), half(2)}");
  EXPECT_EQ(body("LAMBDA"), "(E) \\\n  [](int a) { return E; }");
  EXPECT_EQ(body("ONE"), " 1");
}

TEST(Edit, ReplacesTextWhateverItsWhiteSpace) {
  const auto edits = parse_edits(
      "# why\nfile a.cpp\nscope twice\n- if(x>0)\n-   {return 2*x;}\n+ if (x > 0) return x;\n");
  ASSERT_TRUE(edits) << edits.error().text;
  ASSERT_EQ(edits->size(), 1u);
  const auto edited = apply_edit(edits->front(), kSource);
  ASSERT_TRUE(edited) << edited.error().text;
  EXPECT_THAT(*edited, HasSubstr("int twice(int x) {\n  if (x > 0) return x;\n  return half(x)"));
}

TEST(Edit, LeavesTheRestOfTheFileAlone) {
  const Edit edit{"a.cpp", "half", "x / 2", "x / 3", 1};
  const auto edited = apply_edit(edit, kSource);
  ASSERT_TRUE(edited) << edited.error().text;
  std::string expected(kSource);
  expected.replace(expected.find("x / 2"), 5, "x / 3");
  EXPECT_EQ(*edited, expected);
}

std::string refused(const Edit& edit) {
  const auto edited = apply_edit(edit, kSource);
  return edited ? "applied" : edited.error().text;
}

TEST(Edit, RefusesWhatIsNotThereExactlyOnce) {
  EXPECT_THAT(refused({"a.cpp", "half", "2 * x", "", 1}), HasSubstr("not in half"));
  EXPECT_THAT(refused({"a.cpp", "twice", "return", "", 1}), HasSubstr("more than once in twice"));
  EXPECT_THAT(refused({"a.cpp", "third", "x", "", 1}), HasSubstr("no definition of third"));
  EXPECT_THAT(refused({"a.cpp", "get", "return", "", 1}), HasSubstr("more than once in get"));
  EXPECT_EQ(refused({"a.cpp", "get", "return 7", "return 8", 1}), "applied");
  EXPECT_EQ(refused({"a.cpp", "S::get", "return", "return 1 +", 1}), "applied");
}

std::string broken(std::string_view text) {
  const auto edits = parse_edits(text);
  return edits ? "parsed" : edits.error().text;
}

TEST(Edit, ParseErrorsNameTheLine) {
  EXPECT_THAT(broken(""), HasSubstr("no edit"));
  EXPECT_THAT(broken("scope x\n"), HasSubstr("line 1"));
  EXPECT_THAT(broken("file a\n- x\n"), HasSubstr("without a `scope`"));
  EXPECT_THAT(broken("file a\nscope f\n+ x\n"), HasSubstr("without text to find"));
  EXPECT_THAT(broken("file a\nscope f\n- x y\n+ xy\n"), HasSubstr("the text itself"));
  EXPECT_THAT(broken("file a\nscope f\n- x\n+ y\n- z\n"), HasSubstr("line 5"));
  EXPECT_THAT(broken("file a\nscope f\nremove x\n"), HasSubstr("line 3"));
}

}  // namespace
}  // namespace w4
