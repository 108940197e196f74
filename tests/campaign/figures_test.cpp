// Figures of the shipped kernels where they can be said by hand, and the floor on instantiations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/figure_rows.h"
#include "campaign/instantiations.h"

namespace w4 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Figures, LeastBytesCountEveryTensorOnce) {
  const auto of = [](const char* line) { return least_bytes(parse_case(line)->problem); };
  // Weights, scales, activations, output.
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64"), 8192u + 64 * 4 * 2 + 3 * 256 * 2 + 3 * 64 * 2);
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64 zp=packed"),
            of("decode m=3 n=64 k=256 g=64") + 8 * 4 * 4);
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64 zp=unpacked"),
            of("decode m=3 n=64 k=256 g=64") + 64 * 4 * 2);
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64 bias=mxn"),
            of("decode m=3 n=64 k=256 g=64") + 3 * 64 * 2);
  EXPECT_EQ(of("decode m=0 n=64"), 0u);
}

// K is whole passes of the lanes and every row is whole: nothing is done twice or for nothing.
TEST(Figures, DecodeDoesEachProductOnceAndReadsEachWeightOnce) {
  for (const char* kernel : {"decode", "chunked"}) {
    for (int m = 1; m <= 5; ++m) {
      const std::string line =
          fmt::format("{} m={} n=128 k=2048 g=128 zp=packed cus=2 checks=none", kernel, m);
      SCOPED_TRACE(line);
      const FigureRow r = count_case(*parse_case(line));
      ASSERT_TRUE(r.green) << r.verdict;
      EXPECT_EQ(r.dot2_over_least(), 1.0);
      EXPECT_EQ(r.counted.wmma, 0u);
      EXPECT_EQ(r.counted.workgroups, 2u);
      EXPECT_EQ(r.counted.waves, 32u);
      EXPECT_EQ(r.barriers_per_wave(), 1.0);
      EXPECT_EQ(r.counted.scratch, 0u);
      // Both blocks stage all activations; every tensor starts at a line and fills it.
      EXPECT_EQ(r.footprint_over_least(), 1.0);
      // Every 16-byte piece of act goes to LDS once a block and from there once a tile of rows.
      const uint64_t pieces = static_cast<uint64_t>(m) * 2048 / 8 / 32;
      EXPECT_GE(r.counted.lds.wide, 2 * pieces);
    }
  }
}

// contract.md 6.6: V3 keeps pieces of 8 elements side by side over the lanes; V1's lanes read 32
// bytes each from one place, which is two words a bank for every access of 16 bytes.
TEST(Figures, OnlyTheLayoutOfV3IsFreeOfBankConflicts) {
  const auto cycles = [](const char* kernel) {
    const FigureRow r =
        count_case(*parse_case(fmt::format("{} m=2 n=64 k=2048 g=64 cus=1 checks=none", kernel)));
    EXPECT_TRUE(r.green) << r.verdict;
    return r.lds_cycles_over_least();
  };
  EXPECT_EQ(cycles("decode"), 2.0);
  EXPECT_EQ(cycles("chunked"), 1.0);
}

TEST(Figures, ARowThatIsNotGreenSaysSo) {
  const FigureRow r = count_case(*parse_case("decode m=6"));
  EXPECT_FALSE(r.green);
  EXPECT_THAT(figures_text({r}), HasSubstr("not green: "));
}

Verdict launched(std::vector<std::string> symbols) {
  Verdict v;
  v.ran.symbols = std::move(symbols);
  return v;
}

TEST(Floors, WhatNeverRanIsNamed) {
  const Expectation e[] = {decode_expectation()};
  std::vector<std::string> all;
  for (const char* act : {"f16", "bf16"}) {
    for (const int g : {32, 64, 128}) {
      for (const ExpectedKernel& k : e[0].kernels(act, g)) all.push_back(k.symbol);
    }
  }
  ASSERT_EQ(all.size(), 558u);
  Instantiations ran(e);
  EXPECT_THAT(ran.missing(), IsEmpty());  // nothing was to run
  ran.add("gfx1151", launched(all));
  EXPECT_THAT(ran.missing(), IsEmpty());
  EXPECT_EQ(ran.ran(), 558u);
  const std::string gone = all.back();
  all.pop_back();
  ran.add("gfx1201", launched(all));
  EXPECT_THAT(ran.missing(),
              ElementsAre("decode on gfx1201: 1 of 558 instantiations never ran: " + gone));
  ran.add("gfx1100", launched({}));
  ASSERT_EQ(ran.missing().size(), 2u);
  EXPECT_THAT(ran.missing()[0], HasSubstr("decode on gfx1100: 558 of 558"));
}

}  // namespace
}  // namespace w4
