// What people and programs are given of a bench.
#include "campaign/bench/shown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "campaign/bench/foreign.h"
#include "campaign/bench/plan.h"

namespace w4::bench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Row green(const std::string& line, double cold, double warm) {
  Row row{.of = {*parse_case(line), "qkv"}};
  row.green = true;
  row.least = least_of(row.of.value, false, false);
  row.copies = 3;
  row.cold = Samples{{cold, cold * 1.5, cold * 0.9}};
  row.warm = Samples{{warm}};
  row.instantiation = "medium m1";
  return row;
}

Measured measured() {
  Measured m;
  m.device = "cuda";
  m.about = "a GPU";
  m.copy = DeviceCopy{1 << 30, {{1e-3}}};
  m.samples = 3;
  m.rows.push_back(green("decode m=1 n=64 k=256 g=128 zp=packed device=cuda", 1e-6, 5e-7));
  Row red{.of = {*parse_case("decode m=2 n=64 k=256 device=cuda"), "qkv"}};
  red.verdict = "mismatch: out[0,3]";
  m.rows.push_back(red);
  return m;
}

TEST(Samples, MedianOfAnyNumber) {
  EXPECT_DOUBLE_EQ((Samples{{3, 1, 2}}).median(), 2);
  EXPECT_DOUBLE_EQ((Samples{{4, 1, 2, 3}}).median(), 2.5);
  EXPECT_DOUBLE_EQ((Samples{{3, 1, 2}}).low(), 1);
  EXPECT_DOUBLE_EQ((Samples{{3, 1, 2}}).high(), 3);
}

TEST(BenchText, FiguresAndReasons) {
  const std::string text = text_of(measured());
  EXPECT_THAT(text, HasSubstr("device copy of 1024 MiB: 2147.5 GB/s"));
  // 9152 bytes in 1 us; the farthest sample is half as long again.
  EXPECT_THAT(text, HasSubstr("9.2"));
  EXPECT_THAT(text, HasSubstr("50.0 %"));
  EXPECT_THAT(text, HasSubstr("0.4 %"));
  EXPECT_THAT(text, HasSubstr("18.3"));  // warm
  EXPECT_THAT(text, HasSubstr("not green: mismatch: out[0,3]"));
}

TEST(BenchText, SkippedSaysWhy) {
  Measured m;
  m.device = "cuda";
  m.skipped = "there is no libcuda.so.1";
  EXPECT_THAT(text_of(m), HasSubstr("skipped: there is no libcuda.so.1\nnothing was measured"));
}

TEST(BenchJson, EveryRowHasEveryMember) {
  Measured m = measured();
  m.foreign = *read_foreign(
      R"({"device": "x", "rows": [{"who": "torch", "n": 64, "k": 256, "m": 1, "g": 128,
          "seconds": 2e-6, "gb_per_s": 5}]})");
  name_shapes(m.foreign, m.rows);
  const json d = json::parse(json_of(m));
  EXPECT_EQ(d.at("format"), 1);
  EXPECT_DOUBLE_EQ(d.at("copy").at("gb_per_s"), 2.0 * (1 << 30) / 1e-3 / 1e9);
  ASSERT_EQ(d.at("rows").size(), 3u);
  for (const json& row : d.at("rows")) {
    for (const auto& [name, value] : d.at("rows").at(0).items())
      EXPECT_TRUE(row.contains(name)) << name;
    EXPECT_EQ(row.size(), d.at("rows").at(0).size());
  }
  const json& ours = d.at("rows").at(0);
  EXPECT_DOUBLE_EQ(ours.at("figure"), 9152 / 1e-6 / 1e9);
  EXPECT_EQ(ours.at("unit"), "GB/s");
  EXPECT_EQ(ours.at("state"), "cold");
  EXPECT_DOUBLE_EQ(ours.at("warm").at("gb_per_s"), 9152 / 5e-7 / 1e9);
  const json& red = d.at("rows").at(1);
  EXPECT_TRUE(red.at("figure").is_null());
  EXPECT_TRUE(red.at("cold").is_null());
  const json& torch = d.at("rows").at(2);
  EXPECT_EQ(torch.at("foreign"), true);
  EXPECT_EQ(torch.at("shape"), "qkv");
  EXPECT_DOUBLE_EQ(torch.at("figure"), 9152 / 2e-6 / 1e9);
  EXPECT_THAT(text_of(m), HasSubstr("(foreign)"));
}

TEST(BenchForeign, WhatIsWrongIsNamed) {
  const auto wrong = [](const char* text) {
    const auto read = read_foreign(text);
    return read ? std::string() : read.error().text;
  };
  EXPECT_THAT(wrong("{"), HasSubstr("not JSON"));
  EXPECT_THAT(wrong("{}"), HasSubstr("rows is missing"));
  EXPECT_THAT(wrong(R"({"rows": [{"who": "x", "n": 64, "k": 256, "m": 1, "g": 128}]})"),
              HasSubstr("rows[0].seconds is missing"));
  EXPECT_THAT(
      wrong(R"({"rows": [{"who": "x", "n": 64, "k": 256, "m": 1, "g": 128, "seconds": 0}]})"),
      HasSubstr("seconds is 0; legal: above 0"));
  EXPECT_THAT(wrong(R"({"rows": [{"who": "x", "n": 64, "k": 0, "m": 1, "g": 128, "seconds": 1}]})"),
              HasSubstr("legal: from 1"));
}

Asked asked() {
  return {.device = "cuda",
          .kernels = {},
          .shapes = {"qkv", "down"},
          .model = "Qwen3-8B",
          .m = {},
          .act = {"f16"},
          .zp = {"packed"},
          .lines = {}};
}

// 12288 * 3 activations are more than decode holds.
TEST(BenchPlan, TheRouteChoosesTheKernel) {
  const auto plan = bench::plan(asked());
  ASSERT_TRUE(plan);
  std::vector<std::string> kernels;
  for (const Wanted& w : *plan) kernels.push_back(w.shape + " " + w.value.kernel);
  EXPECT_THAT(kernels, ElementsAre("qkv decode", "qkv decode", "qkv decode", "qkv decode",
                                   "qkv decode", "down decode", "down decode", "down chunked",
                                   "down chunked", "down chunked"));
  EXPECT_EQ(plan->front().value.problem.n, 6144);
  EXPECT_EQ(plan->front().value.problem.k, 4096);
  EXPECT_EQ(plan->front().value.device, "cuda");
}

TEST(BenchPlan, WhatIsWrongIsNamed) {
  const auto wrong = [](auto change) {
    Asked a = asked();
    change(a);
    const auto plan = bench::plan(a);
    return plan ? std::string() : plan.error().text;
  };
  EXPECT_THAT(wrong([](Asked& a) { a.shapes = {"64"}; }), HasSubstr("--shapes: '64'"));
  EXPECT_THAT(wrong([](Asked& a) { a.shapes = {"64x0"}; }), HasSubstr("--shapes: '64x0'"));
  EXPECT_THAT(wrong([](Asked& a) { a.kernels = {"x"}; }), HasSubstr("--kernel: there is no 'x'"));
  EXPECT_THAT(wrong([](Asked& a) { a.m = {0}; }), HasSubstr("--m: 0; legal: 1 to"));
  EXPECT_THAT(wrong([](Asked& a) { a.act = {"f8"}; }), HasSubstr("--act"));
  EXPECT_THAT(wrong([](Asked& a) { a.model = "x"; }), HasSubstr("--model: there is no 'x'"));
  EXPECT_THAT(wrong([](Asked& a) { a.lines = {"decode module=/x.so"}; }), HasSubstr("--case"));
}

}  // namespace
}  // namespace w4::bench
