// Figures of the shipped kernels where they can be said by hand, and the floor on instantiations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/figure_rows.h"
#include "campaign/instantiations.h"
#include "core/contract.h"
#include "kernels/table.h"

namespace w4 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Figures, LeastBytesCountEveryTensorOnce) {
  const auto of = [](const char* line) { return least_of(*parse_case(line)).bytes; };
  // Weights, scales, activations, output.
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64"), 8192u + 64 * 4 * 2 + 3 * 256 * 2 + 3 * 64 * 2);
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64 zp=packed"),
            of("decode m=3 n=64 k=256 g=64") + 8 * 4 * 4);
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64 zp=unpacked"),
            of("decode m=3 n=64 k=256 g=64") + 64 * 4 * 2);
  EXPECT_EQ(of("decode m=3 n=64 k=256 g=64 bias=mxn"),
            of("decode m=3 n=64 k=256 g=64") + 3 * 64 * 2);
  EXPECT_EQ(of("decode m=0 n=64"), 0u);
  // Two bytes a weight and no scales; a word a group for scales and zero points.
  EXPECT_EQ(of("prefill_dense m=3 n=64 k=256 g=64 zp=packed bias=n"),
            64u * 256 * 2 + 64 * 2 + 3 * 256 * 2 + 3 * 64 * 2);
  EXPECT_EQ(of("prefill_carrier m=3 n=64 k=256 g=64 zp=packed"),
            8192u + 64 * 4 * 4 + 3 * 256 * 2 + 3 * 64 * 2);
  EXPECT_EQ(of("prefill m=3 n=64 k=256 g=64"), of("decode m=3 n=64 k=256 g=64"));
}

TEST(Figures, LeastOfExpertsIsWhatTheRoutingNeeds) {
  const auto of = [](std::string_view more) {
    return least_of(
        *parse_case(fmt::format("moe m=3 n=64 k=256 g=64 experts=6 topk=2 blockm=4 {}", more)));
  };
  constexpr uint64_t kExpert = 8192 + 64 * 4 * 2, kPacked = 8 * 4 * 4, kAct = 256 * 2,
                     kOut = 64 * 2;
  // Slots of experts 0 and 1, three each: a block each with one row of padding.
  const Least single = of("route=single");
  EXPECT_EQ(single.bytes, 2 * kExpert + 3 * kAct + 6 * kOut + 2 * 4 + 8 * 4);
  EXPECT_EQ(single.weights, 2.0 * 64 * 256);
  EXPECT_EQ(single.products, 6.0 * 64 * 256);
  EXPECT_EQ(of("route=single zp=packed").bytes, single.bytes + 2 * kPacked);
  // No sorted ids; the first block's padding is a row like others, the last one's is not there.
  const Least contiguous = of("route=single rows=contiguous");
  EXPECT_EQ(contiguous.bytes, 2 * kExpert + 7 * (kAct + kOut) + 2 * 4);
  EXPECT_EQ(contiguous.products, 7.0 * 64 * 256);
  // Zeros and ids alone: two blocks of six slots.
  const Least nowhere = of("route=nowhere");
  EXPECT_EQ(nowhere.bytes, 6 * kOut + 2 * 4 + 8 * 4);
  EXPECT_EQ(nowhere.weights, 0.0);
  EXPECT_EQ(nowhere.products, 0.0);
  // Gate and up of every slot, in blocks of one row.
  const Least silu =
      least_of(*parse_case("moe m=3 n=64 k=256 g=64 experts=6 topk=2 silu=1 route=single"));
  EXPECT_EQ(silu.bytes, 2 * kExpert + 6 * 2 * kAct + 6 * kOut + 6 * 4 + 6 * 4);
}

// Every expert has one full block: nothing is done twice or for nothing, and what padding costs is
// its share of the rows.
TEST(Figures, ExpertsReadTheirWeightsOnceAndPaddingShows) {
  for (const char* block : {"1", "2", "5"}) {
    const std::string line = fmt::format(
        "moe m={} n=128 k=2048 g=128 zp=packed experts=4 topk=2 blockm={} route=single cus=2 "
        "checks=none",
        block, block);
    SCOPED_TRACE(line);
    const FigureRow r = count_case(*parse_case(line));
    ASSERT_TRUE(r.green) << r.verdict;
    EXPECT_EQ(r.dot2_over_least(), 1.0);
    // Ids fill no whole line.
    EXPECT_GE(r.footprint_over_least(), 1.0);
    EXPECT_LE(r.footprint_over_least(), 1.01);
  }
  const FigureRow padded = count_case(*parse_case(
      "moe_prefill m=8 n=64 k=256 g=64 experts=4 topk=2 blockm=16 route=single checks=none"));
  ASSERT_TRUE(padded.green) << padded.verdict;
  EXPECT_EQ(padded.wmma_over_least(), 2.0);
  const FigureRow full = count_case(*parse_case(
      "moe_prefill m=16 n=64 k=256 g=64 experts=4 topk=2 blockm=16 route=single checks=none"));
  ASSERT_TRUE(full.green) << full.verdict;
  EXPECT_EQ(full.wmma_over_least(), 1.0);
}

TEST(Figures, EveryRowHasDefaultCasesThatAreLegal) {
  const w4_module& module = builtin_module();
  for (const bool every_tile : {false, true}) {
    const std::vector<Case> cases = default_figure_cases(every_tile);
    for (int32_t i = 0; i < module.kernel_count; ++i) {
      const w4_kernel& k = module.kernels[i];
      std::vector<std::string> declared;
      for (const char* const* c = k.clauses; *c != nullptr; ++c) declared.emplace_back(*c);
      size_t of_it = 0;
      for (const Case& c : cases) {
        if (c.kernel != k.name) continue;
        ++of_it;
        EXPECT_THAT(
            broken_clauses(declared, c.problem, resolve_reported(c.problem, *find_gpu(c.device))),
            IsEmpty())
            << to_string(c);
      }
      EXPECT_GT(of_it, 0u) << k.name;
    }
  }
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

// Each form of weights, and no other tensor, is read: every tensor starts at a line and fills it.
TEST(Figures, PrefillTouchesTheTensorsOfItsFormAndNoOthers) {
  for (const char* kernel : {"prefill", "prefill_dense", "prefill_carrier"}) {
    const FigureRow r = count_case(*parse_case(
        fmt::format("{} m=64 n=64 k=4096 g=64 zp=packed tile=bm64bn64bk32w4 checks=none", kernel)));
    ASSERT_TRUE(r.green) << r.verdict;
    EXPECT_EQ(r.footprint_over_least(), 1.0) << kernel;
    EXPECT_EQ(r.wmma_over_least(), 1.0) << kernel;
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

TEST(Figures, ARowThatLaunchesNothingSaysSo) {
  const FigureRow r = count_case(*parse_case("decode m=6"));
  EXPECT_FALSE(r.green);
  EXPECT_THAT(figures_text({r}), HasSubstr("launches nothing to count: refused"));
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
