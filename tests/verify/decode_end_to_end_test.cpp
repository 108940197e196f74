// The decode kernels' own code on the emulated archs: no alarm anywhere in the small shapes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/contract.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

constexpr const char* kArchs[] = {"gfx1151", "gfx1201", "gfx1100"};

class EndToEnd : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  std::string where() const {
    return fmt::format(" device={} fp={}", std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
  // The line and the verdict where it is not green.
  void expect_green(const std::string& line) {
    const auto c = parse_case(line + where());
    ASSERT_TRUE(c.has_value()) << line << ": " << c.error().text;
    const Verdict v = run_case(*c, context_);
    EXPECT_TRUE(v.green()) << to_string(v);
  }
  Context context_;
};

TEST_P(EndToEnd, EachConfigurationOnce) {
  for (const char* act : {"f16", "bf16"}) {
    for (const char* zp : {"none", "packed", "unpacked"}) {
      for (const int g : {32, 64, 128}) {
        for (int m = 1; m <= 5; ++m) {
          for (const char* bias : {"none", "mxn"}) {
            expect_green(fmt::format("decode m={} n=24 k=640 g={} act={} zp={} bias={} seed={}", m,
                                     g, act, zp, bias, m * g));
          }
        }
      }
    }
  }
}

TEST_P(EndToEnd, EveryFill) {
  for (const Fill fill : all_fills()) {
    for (const char* act : {"f16", "bf16"}) {
      // Enough outputs that a fill which promises signal shows it.
      expect_green(fmt::format("decode m=3 n=64 k=1024 g=64 zp=packed bias=n act={} fill={}", act,
                               name_of(fill)));
    }
  }
}

TEST_P(EndToEnd, SourcesPadsOffsetsAndSchedules) {
  for (const char* src : {"shuffled", "ct", "awq", "gptq1", "gptq2"}) {
    for (const char* zp : {"none", "packed", "unpacked"}) {
      expect_green(
          fmt::format("decode m=2 n=16 k=256 g=32 src={} zp={} wpad=12 spad=3 sched=rev", src, zp));
    }
  }
  expect_green(
      "decode m=4 n=24 k=512 g=64 zp=packed bias=1xn aoff=48 woff=4 soff=2 zoff=12 boff=6 yoff=10 "
      "sched=random:9");
  for (const int cus : {1, 2, 7, 20, 48, 10000}) {
    expect_green(fmt::format("decode m=5 n=41 k=256 g=128 bias=mx1 cus={}", cus));
  }
}

TEST_P(EndToEnd, BothSidesOfTheLdsEdge) {
  for (int m = 1; m <= 5; ++m) {
    const int64_t fits = kLdsElements / m / 32 * 32;
    for (const int64_t k : {fits, fits + 32, kSoftLdsElements / m / 32 * 32}) {
      expect_green(fmt::format("decode m={} n=9 k={} g=32", m, k));
    }
    expect_green(fmt::format("decode m={} n=9 k={} g=32", m, kSoftLdsElements / m / 32 * 32 + 32));
  }
}

INSTANTIATE_TEST_SUITE_P(Archs, EndToEnd,
                         testing::Combine(testing::ValuesIn(kArchs),
                                          testing::Values("ieee", "gfx1151", "gfx1201")),
                         [](const auto& p) {
                           return fmt::format("{}_fp_{}", std::get<0>(p.param),
                                              std::get<1>(p.param));
                         });

// The one that the issue prints.
TEST(Refusal, NamesTheClauseAndTouchesNothing) {
  Context context;
  const Verdict v = run_case(*parse_case("decode m=1 n=64 k=100 g=64"), context);
  const auto* refused = std::get_if<Refused>(&v.primary());
  ASSERT_NE(refused, nullptr) << to_string(v);
  EXPECT_EQ(refused->clause, "k.group");
  EXPECT_TRUE(refused->untouched);
  EXPECT_TRUE(v.green());
}

}  // namespace
}  // namespace w4
