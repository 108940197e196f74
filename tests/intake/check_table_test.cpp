// A module's table as it is opened: every field that may not be what it is, by name.
#include "intake/check_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "intake/open_module.h"
#include "kernels/table.h"

namespace w4 {
namespace {

using testing::HasSubstr;

w4_kernel right() { return *open_module("")->find("decode"); }

std::string said(const w4_kernel& k) {
  const w4_module table{W4_MODULE_VERSION, sizeof(w4_kernel), "test", &k, 1};
  const auto done = check_table(table);
  return done ? "right" : done.error().text;
}

template <class F>
std::string broken(F&& change) {
  w4_kernel k = right();
  change(k);
  return said(k);
}

TEST(CheckTable, TheBuiltInTableIsRight) {
  const auto done = check_table(builtin_module());
  EXPECT_TRUE(done) << done.error().text;
  EXPECT_EQ(said(right()), "right");
}

TEST(CheckTable, MissingFieldsAreNamedWithTheirKernel) {
  EXPECT_EQ(broken([](w4_kernel& k) { k.name = nullptr; }), "kernel 0: name: NULL");
  EXPECT_EQ(broken([](w4_kernel& k) { k.says = nullptr; }), "kernel 'decode': says: NULL");
  EXPECT_EQ(broken([](w4_kernel& k) { k.clauses = nullptr; }), "kernel 'decode': clauses: NULL");
  EXPECT_EQ(broken([](w4_kernel& k) { k.archs = nullptr; }), "kernel 'decode': archs: NULL");
  EXPECT_EQ(broken([](w4_kernel& k) { k.accept = nullptr; }), "kernel 'decode': accept: NULL");
  EXPECT_EQ(broken([](w4_kernel& k) { k.prepare = nullptr; }), "kernel 'decode': prepare: NULL");
  EXPECT_EQ(broken([](w4_kernel& k) { k.run = nullptr; }), "kernel 'decode': run: NULL");
  EXPECT_EQ(broken([](w4_kernel& k) { k.numerics = nullptr; }),
            "kernel 'decode': numerics: NULL, and so is numerics_of; legal: one of them is not");
  EXPECT_EQ(broken([](w4_kernel& k) { k.laws = nullptr; }), "right");
  EXPECT_EQ(broken([](w4_kernel& k) { k.shape = nullptr; }), "right");
}

TEST(CheckTable, NumericsHaveTheirFunctions) {
  w4_numerics n = *right().numerics;
  n.store = nullptr;
  EXPECT_EQ(broken([&](w4_kernel& k) { k.numerics = &n; }),
            "kernel 'decode': numerics.store: NULL");
  n = *right().numerics;
  n.chain = nullptr;
  EXPECT_EQ(broken([&](w4_kernel& k) { k.numerics = &n; }),
            "kernel 'decode': numerics.chain: NULL");
  n = *right().numerics;
  n.gate = nullptr;
  EXPECT_EQ(broken([&](w4_kernel& k) { k.numerics = &n; }), "right");
}

TEST(CheckTable, NamesThatNobodyKnowsAreRefused) {
  static constexpr const char* kOne[] = {"zp.pakced", nullptr};
  static constexpr const char* kTwice[] = {"m.range", "m.range", nullptr};
  static constexpr const char* kNone[] = {nullptr};
  EXPECT_THAT(broken([](w4_kernel& k) { k.clauses = kOne; }),
              HasSubstr("kernel 'decode': clauses: 'zp.pakced' is not known; legal: "));
  EXPECT_THAT(broken([](w4_kernel& k) { k.clauses = kTwice; }),
              HasSubstr("clauses: 'm.range' stands there twice"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.archs = kOne; }), HasSubstr("archs: 'zp.pakced'"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.archs = kNone; }), HasSubstr("archs: empty"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.laws = kOne; }), HasSubstr("laws: 'zp.pakced'"));
  static constexpr const char* kInexact[] = {"routes", nullptr};
  EXPECT_THAT(
      broken([](w4_kernel& k) { k.laws = kInexact; }),
      HasSubstr("laws: 'routes' is not known; legal: names of `w4check list laws` that can"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.name = "Decode"; }),
              HasSubstr("kernel 0: name: 'Decode' cannot start a case line; legal: [a-z]"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.name = ""; }), HasSubstr("name: ''"));
}

TEST(CheckTable, NumbersHaveARange) {
  EXPECT_THAT(broken([](w4_kernel& k) { k.zp_layout_count = -1; }),
              HasSubstr("zp_layout_count: -1; legal: 0"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.zp_layout_count = 1 << 30; }),
              HasSubstr("zp_layout_count: 1073741824"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.zp_layouts = nullptr; }),
              HasSubstr("zp_layouts: NULL with zp_layout_count 2"));
  static constexpr w4_layout kDense[] = {W4_DENSE};
  EXPECT_THAT(broken([](w4_kernel& k) { k.zp_layouts = kDense, k.zp_layout_count = 1; }),
              HasSubstr("zp_layouts: 0; legal: W4_ZP_PACKED"));
  EXPECT_THAT(broken([](w4_kernel& k) { k.moe = 7; }), HasSubstr("moe: 7; legal: 0 or 1"));
}

TEST(CheckTable, TheTableItselfHasKernelsWithNamesOfTheirOwn) {
  const std::array two{right(), right()};
  const auto text = [](const w4_module& m) {
    const auto done = check_table(m);
    return done ? "right" : done.error().text;
  };
  EXPECT_EQ(text({1, sizeof(w4_kernel), "test", two.data(), 2}),
            "kernel 1: name: 'decode' stands there twice");
  EXPECT_EQ(text({1, sizeof(w4_kernel), nullptr, two.data(), 1}), "name of the module: NULL");
  EXPECT_EQ(text({1, sizeof(w4_kernel), "test", nullptr, 1}), "kernels: NULL with kernel_count 1");
  for (const int32_t count : {0, -1, 5000, 1 << 30}) {
    EXPECT_THAT(text({1, sizeof(w4_kernel), "test", two.data(), count}),
                HasSubstr("kernel_count: " + std::to_string(count) + "; legal: 1 to 4096"));
  }
}

}  // namespace
}  // namespace w4
