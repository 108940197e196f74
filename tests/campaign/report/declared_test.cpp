#include "campaign/report/declared.h"

#include <gtest/gtest.h>

#include "campaign/report/roundings.h"
#include "kernels/lookup.h"
#include "kernels/table.h"

namespace w4 {
namespace {

using nlohmann::json;

const json& kernel(const json& all, std::string_view name) {
  for (const json& k : all) {
    if (k.at("name") == name) return k;
  }
  ADD_FAILURE() << "no kernel " << name;
  return all.front();
}

TEST(Declared, EveryRowWithEachOfItsClausesOnceAndNoneWithoutASentence) {
  const json all = declared_kernels();
  const w4_module& m = builtin_module();
  ASSERT_EQ(all.size(), static_cast<size_t>(m.kernel_count));
  for (int32_t i = 0; i < m.kernel_count; ++i) {
    const json& k = all.at(static_cast<size_t>(i));
    EXPECT_EQ(k.at("name"), m.kernels[i].name);
    size_t clauses = 0;
    for (const json& topic : k.at("rules")) {
      EXPECT_NE(topic.at("topic"), "Other") << topic;
      for (const json& c : topic.at("clauses")) {
        ++clauses;
        EXPECT_FALSE(c.at("says").get<std::string>().empty()) << c;
      }
    }
    EXPECT_EQ(clauses, names_in(m.kernels[i].clauses).size()) << k.at("name");
    EXPECT_FALSE(k.at("numerics").empty()) << k.at("name");
    for (const json& law : k.at("laws")) EXPECT_FALSE(law.at("says").get<std::string>().empty());
  }
}

// Decode scales after the sum, prefill rounds each weight and adds the bias
// to what it has rounded, the carrier rounds three times in fp16.
TEST(Declared, SaysWhereEachKernelRounds) {
  const json all = declared_kernels();
  const auto rounded = [&](std::string_view name, size_t act) {
    return kernel(all, name).at("numerics").at(0).at("rounded").at(act);
  };
  EXPECT_EQ(rounded("decode", 0).at("weight"), "(q - z) * s, not rounded");
  EXPECT_EQ(rounded("decode", 1).at("store"), "bias added in fp32, then rounded once to bf16");
  EXPECT_EQ(rounded("prefill", 0).at("weight"), "(q - z) * s, rounded once to f16");
  EXPECT_EQ(rounded("prefill", 0).at("store"),
            "rounded to f16, then the bias is added in f16 and rounded again");
  EXPECT_EQ(rounded("moe", 0).at("store"), "rounded once to f16; no bias is added");
  EXPECT_EQ(rounded("prefill_carrier", 0).at("weight").get<std::string>().substr(0, 22),
            "rounded more than once");
  EXPECT_EQ(rounded("prefill_carrier", 1).at("weight"), "(q - z) * s, rounded once to bf16");
}

// The hybrid has the numerics of both kernels it routes to, and no code of its own.
TEST(Declared, TheHybridHasBothNumerics) {
  const json all = declared_kernels();
  const json& hybrid = kernel(all, "hybrid");
  ASSERT_EQ(hybrid.at("numerics").size(), 2u);
  EXPECT_EQ(hybrid.at("numerics").at(0).at("chains").at(0).at("unit"), "dot2");
  EXPECT_EQ(hybrid.at("numerics").at(1).at("chains").at(0).at("unit"), "WMMA");
  EXPECT_TRUE(hybrid.at("objects").empty());
  EXPECT_FALSE(kernel(all, "chunked").at("objects").empty());
}

TEST(Declared, ChainsStandAtRowsThatTheKernelTakes) {
  const json all = declared_kernels();
  for (const json& c : kernel(all, "decode").at("numerics").at(0).at("chains")) {
    EXPECT_LE(c.at("m"), 5);
  }
  for (const json& c : kernel(all, "moe_prefill").at("numerics").at(0).at("chains")) {
    EXPECT_GE(c.at("m"), 16);
  }
}

// A declaration that rounds down is none of the plain ways.
TEST(Declared, ALyingRoundingIsNotCalledPlain) {
  const w4_numerics down{
      .weight = [](w4_dtype, double q, double z, double s) { return (q - z) * s * (1 + 1e-9); },
      .store = [](w4_dtype, double acc, double bias,
                  int) { return static_cast<uint16_t>(f64_to_f16(acc + bias) & ~1); },
      .chain = nullptr,
      .text = "",
      .gate = nullptr};
  EXPECT_EQ(weight_rounding(down, W4_F16, DType::f16).substr(0, 22), "rounded more than once");
  EXPECT_EQ(store_rounding(down, W4_F16, DType::f16).substr(0, 11), "not a plain");
}

}  // namespace
}  // namespace w4
