// Generated defects of host sources: each operator finds what it is for and nothing else, and every
// one of the real sources is a legal edit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "zoo/edit.h"
#include "zoo/source/mutants.h"
#include "zoo/source/operators.h"
#include "zoo/source/tokens.h"

namespace w4::source {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// The text with each place of the operators whose name begins with `op`.
std::vector<std::string> changed(std::string_view op, const std::string& text) {
  std::vector<std::string> out;
  for (const Place& p : places_in(text)) {
    if (!p.op.starts_with(op)) continue;
    out.push_back(text.substr(0, p.begin) + p.replacement + text.substr(p.end));
  }
  return out;
}

TEST(SourceOperators, Bounds) {
  EXPECT_THAT(changed("bounds", "return a < b;"), ElementsAre("return a <= b;"));
  EXPECT_THAT(changed("bounds", "return a >= 0;"), ElementsAre("return a > 0;"));
  EXPECT_THAT(changed("bounds", "return a % 8 == 0;"), ElementsAre("return a % 8 != 0;"));
  // Brackets of templates, shifts and arrows are none.
  EXPECT_THAT(changed("bounds", "auto f = std::min<int>(a->b, c >> 2) << 1;"), IsEmpty());
}

TEST(SourceOperators, Limits) {
  EXPECT_THAT(changed("limit", "if (m <= 5) x();"),
              ElementsAre("if (m <= 5 + 1) x();", "if (m <= 5 - 1) x();"));
  EXPECT_THAT(changed("limit", "if (m > kMost) x();"),
              ElementsAre("if (m > kMost + 1) x();", "if (m > kMost - 1) x();"));
  EXPECT_THAT(changed("limit", "if (m > n) x();"), IsEmpty());
  EXPECT_THAT(changed("multiple", "return n % 8 == 0;"),
              ElementsAre("return n % 16 == 0;", "return n % 4 == 0;"));
}

TEST(SourceOperators, Arms) {
  const std::string text = "switch (g) { case 1: return a; case 2: return b; default: return c; }";
  EXPECT_THAT(changed("arm_drop", text),
              ElementsAre("switch (g) {  case 2: return b; default: return c; }",
                          "switch (g) { case 1: return a;  default: return c; }"));
  EXPECT_THAT(changed("arm_redirect", text),
              ElementsAre("switch (g) { case 1: return b; case 2: return b; default: return c; }",
                          "switch (g) { case 1: return a; case 2: return c; default: return c; }",
                          "switch (g) { case 1: return a; case 2: return b; default: return a; }"));
  EXPECT_THAT(changed("choice", "x = p ? f(a, b) : q ? c : d;"),
              ElementsAre("x = p ? q ? c : d : f(a, b);", "x = p ? f(a, b) : q ? d : c;"));
  EXPECT_THAT(changed("return_drop", "if (a(b)) return {c, 1}; d();"), ElementsAre(" d();"));
  EXPECT_THAT(changed("return_drop", "if (a) { return b; } d();"), ElementsAre(" d();"));
  EXPECT_THAT(changed("return_drop", "if (a) { c(); return b; } d();"), IsEmpty());
  EXPECT_THAT(changed("return_drop", "if (a) return b; else d();"), IsEmpty());
}

TEST(SourceOperators, Strides) {
  EXPECT_THAT(changed("extent", "t.dim[0] + t.stride[1] + u[0];"),
              ElementsAre("t.dim[1] + t.stride[1] + u[0];", "t.dim[0] + t.stride[0] + u[0];"));
  EXPECT_THAT(changed("factor", "a * f(b).c + d;"), ElementsAre("a  + d;"));
  EXPECT_THAT(changed("factor", "const char* a; b(*a);"), IsEmpty());
  EXPECT_THAT(changed("term", "return a + b[1] - c;"),
              ElementsAre("return a  - c;", "return a + b[1] ;"));
  EXPECT_THAT(changed("term", "return -a;"), IsEmpty());
  EXPECT_THAT(changed("division_up", "x = f(a) / b.c;"),
              ElementsAre("x = ((f(a) + b.c - 1) / b.c);"));
  EXPECT_THAT(changed("division_down", "x = ceil_div(a, 4 * b);"),
              ElementsAre("x = ((a) / (4 * b));"));
  EXPECT_THAT(changed("division_down", "int64_t ceil_div(int64_t a, int64_t b) { return a; }"),
              IsEmpty());
  EXPECT_THAT(changed("n_for_k", "int64_t n = p.k;"), ElementsAre("int64_t n = p.n;"));
}

TEST(SourceOperators, Logic) {
  EXPECT_THAT(changed("or_for", "return a && b;"), ElementsAre("return a || b;"));
  EXPECT_THAT(changed("and_for", "return a || b;"), ElementsAre("return a && b;"));
  EXPECT_THAT(changed("or_for", "template <class... A> void f(A&&... a);"), IsEmpty());
  EXPECT_THAT(changed("negated", "if (a || b) c();"), ElementsAre("if (!(a || b)) c();"));
  EXPECT_THAT(changed("negated", "if (auto x = f(); x) c();"), IsEmpty());
}

TEST(SourceOperators, Lists) {
  EXPECT_THAT(changed("element", "constexpr std::array kAll{Row{1, 2}, Row{3, 4}};"),
              ElementsAre("constexpr std::array kAll{ Row{3, 4}};",
                          "constexpr std::array kAll{Row{1, 2}};"));
  EXPECT_THAT(changed("element", "std::array kNames{\"a\", \"b\"}; C c{\"a\", b};"),
              ElementsAre("std::array kNames{ \"b\"}; C c{\"a\", b};",
                          "std::array kNames{\"a\"}; C c{\"a\", b};"));
  EXPECT_THAT(changed("element", "const char* k[] = {\"a\", nullptr};"),
              ElementsAre("const char* k[] = { nullptr};"));
  EXPECT_THAT(changed("element", "void f() { g({1, 2}); h(a, b); }"), IsEmpty());
}

TEST(SourceOperators, Sums) {
  EXPECT_THAT(changed("minus_for", "return a + b;"), ElementsAre("return a - b;"));
  EXPECT_THAT(changed("plus_for", "return a - b;"), ElementsAre("return a + b;"));
  EXPECT_THAT(changed("plus_for", "f(a, -b, ->c);"), IsEmpty());
  EXPECT_THAT(changed("max_for", "return std::min(a, b);"), ElementsAre("return std::max(a, b);"));
}

TEST(SourceOperators, LeaveAloneWhatIsNoCode) {
  for (const char* text :
       {"// a < b\n", "/* a < b */", "f(\"a < b\");", "#if A < B\n", "static_assert(a < b);",
        "return broken(\"{}\", a < b);", "#define F(a) \\\n  a < b\n", "x = 'a';"}) {
    EXPECT_THAT(places_in(text), IsEmpty()) << text;
  }
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(SourceMutants, NameTheirScopeAndAreUniqueInIt) {
  const std::string text =
      "int f(int a) {\n  if (a < 2) return 1;\n  g();\n  if (a < 2) return 1;\n  return 0;\n}\n";
  std::map<std::string, std::string> edits;
  for (const SourceMutant& m : mutants_of("kernels/x.cpp", text)) edits[m.id] = m.edit;
  EXPECT_EQ(edits["x_f_bounds_le_2"],
            "# `<=` for `<`\nfile kernels/x.cpp\nscope f\n"
            "-   g();\n-   if (a < 2) return 1;\n+   g();\n+   if (a <= 2) return 1;\n");
  // Outside of definitions there is nothing to change.
  int left_out = 0;
  EXPECT_THAT(mutants_of("x.cpp", "f(a < b);\n", &left_out), IsEmpty());
  EXPECT_EQ(left_out, 1);
}

// What the build lists as host sources, whole.
TEST(SourceMutants, OfTheKernelsAreLegalEditsThatChangeOneThing) {
  std::ifstream list(W4_HOST_SOURCES);
  std::map<std::string, int> families;
  std::set<std::string> ids;
  size_t files = 0;
  for (std::string file; std::getline(list, file); ++files) {
    const std::string source = read(std::string(W4_ROOT "/") + file);
    ASSERT_FALSE(source.empty()) << file;
    int left_out = 0;
    for (const SourceMutant& m : mutants_of(file, source, &left_out)) {
      EXPECT_TRUE(ids.insert(m.id).second) << m.id;
      EXPECT_EQ(m.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), m.id.npos);
      ++families[m.family];
      const auto edits = parse_edits(m.edit);
      ASSERT_TRUE(edits) << m.id << ": " << edits.error().text;
      ASSERT_EQ(edits->size(), 1u) << m.id;
      const auto done = apply_edit(edits->front(), source);
      ASSERT_TRUE(done) << m.id << ": " << done.error().text;
      EXPECT_NE(*done, source) << m.id;
    }
    EXPECT_EQ(left_out, 0) << file;
  }
  EXPECT_GT(files, 20u);
  for (const char* family : {"bounds", "limits", "arms", "strides", "logic", "lists", "sums"})
    EXPECT_GT(families[family], 50) << family;
}

// One per real defect that an operator is for.
TEST(SourceMutants, OfTheKernelsHoldTheFoundingArm) {
  const std::string source = read(W4_ROOT "/kernels/decode.cpp");
  std::vector<std::string> ids;
  for (const SourceMutant& m : mutants_of("kernels/decode.cpp", source)) ids.push_back(m.id);
  EXPECT_THAT(ids, Contains("decode_group_arm_arm_drop_2"));
  EXPECT_THAT(ids, Contains("decode_zp_arm_choice_swapped_1"));
}

}  // namespace
}  // namespace w4::source
