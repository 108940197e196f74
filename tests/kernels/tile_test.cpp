// The instantiation of a call against the tables of contract.md 6.9 and 15, which were computed
// from the public sources, not from this code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "core/contract.h"
#include "kernels/decode_checks.h"
#include "kernels/decode_tile.h"
#include "tests/kernels/call_of.h"

namespace w4 {
namespace {

constexpr int64_t kArray = 32768;

struct Row {
  const char* layer;
  int64_t n, k, cus;
  std::array<const char*, 5> variant;  // M = 1..5
};

constexpr Row kRows[] = {
    {"Qwen3-4B qkv",
     6144,
     2560,
     20,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W16", "S Y4U1W16", "S Y4U1W16"}},
    {"Qwen3-4B qkv",
     6144,
     2560,
     32,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W16", "S Y4U1W16", "S Y4U1W16"}},
    {"Qwen3-4B qkv",
     6144,
     2560,
     48,
     {"S Y2U4W16", "S Y2U2W16", "S Y2U2W16", "S Y2U2W16", "S Y2U2W16"}},
    {"Qwen3-4B gate_up",
     19456,
     2560,
     20,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W16", "S Y4U1W16", "S Y4U1W16"}},
    {"Qwen3-4B gate_up",
     19456,
     2560,
     32,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W16", "S Y4U1W16", "S Y4U1W16"}},
    {"Qwen3-4B gate_up",
     19456,
     2560,
     48,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W15", "S Y4U1W15", "S Y4U1W15"}},
    {"Qwen3-8B down",
     4096,
     12288,
     20,
     {"S Y2U4W15", "S Y2U2W15", "Md Y4U1W13", "rejected", "rejected"}},
    {"Qwen3-8B down",
     4096,
     12288,
     32,
     {"S Y2U4W16", "S Y2U2W16", "Md Y4U1W16", "rejected", "rejected"}},
    {"Qwen3-8B down",
     4096,
     12288,
     48,
     {"S Y1U4W15", "S Y2U2W15", "Md Y4U2W11", "rejected", "rejected"}},
    {"Qwen2.5-7B gate_up",
     37888,
     3584,
     20,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W16", "S Y4U1W16", "S Y4U1W16"}},
    {"Qwen2.5-7B gate_up",
     37888,
     3584,
     32,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W16", "S Y4U1W16", "S Y4U1W16"}},
    {"Qwen2.5-7B gate_up",
     37888,
     3584,
     48,
     {"S Y2U4W16", "S Y2U2W16", "S Y4U1W16", "S Y4U1W16", "S Y4U1W16"}},
    {"Qwen2.5-7B down",
     3584,
     18944,
     20,
     {"S Y2U4W15", "Md Y4U1W15", "rejected", "rejected", "rejected"}},
    {"Qwen2.5-7B down",
     3584,
     18944,
     32,
     {"S Y1U4W16", "Md Y4U2W14", "rejected", "rejected", "rejected"}},
    {"Qwen2.5-7B down",
     3584,
     18944,
     48,
     {"S Y1U4W15", "Md Y4U2W10", "rejected", "rejected", "rejected"}},
    {"Gemma-3-4B down",
     2560,
     10240,
     20,
     {"S Y2U4W16", "S Y2U2W16", "S Y2U4W16", "rejected", "rejected"}},
    {"Gemma-3-4B down",
     2560,
     10240,
     32,
     {"S Y1U4W16", "S Y2U2W14", "S Y2U4W14", "rejected", "rejected"}},
    {"Gemma-3-4B down",
     2560,
     10240,
     48,
     {"S Y1U4W14", "S Y2U2W14", "S Y2U4W14", "rejected", "rejected"}},
    {"SmolLM2 o",
     2048,
     2048,
     20,
     {"S Y1U4W15", "S Y2U2W13", "S Y2U4W13", "S Y2U4W13", "S Y2U4W13"}},
    {"SmolLM2 o",
     2048,
     2048,
     32,
     {"S Y1U4W16", "S Y2U2W16", "S Y2U4W16", "S Y2U4W16", "S Y2U4W16"}},
    {"SmolLM2 o",
     2048,
     2048,
     48,
     {"S Y1U4W15", "S Y2U2W11", "S Y2U4W11", "S Y2U4W11", "S Y2U4W11"}},
    {"Qwen2.5-0.5B qkv",
     1152,
     896,
     20,
     {"S Y1U4W15", "S Y2U2W15", "S Y2U4W15", "S Y2U4W15", "S Y2U4W15"}},
    {"Qwen2.5-0.5B qkv",
     1152,
     896,
     32,
     {"S Y1U4W12", "S Y2U2W9", "S Y2U4W9", "S Y2U4W9", "S Y2U4W9"}},
    {"Qwen2.5-0.5B qkv",
     1152,
     896,
     48,
     {"S Y1U4W12", "S Y2U2W12", "S Y2U4W12", "S Y2U4W12", "S Y2U4W12"}},
};

std::string variant(int64_t m, const Row& r) {
  if (m * r.k > kSoftLdsElements) return "rejected";
  const DecodePlan p = plan_decode(m, r.n, r.k, r.cus, kArray, {});
  return fmt::format("{} Y{}U{}W{}", p.form == DecodeForm::small ? "S" : "Md", p.y, p.u, p.waves);
}

TEST(DecodeTile, RealShapesGetTheVariantsOfTheContract) {
  for (const Row& r : kRows) {
    for (int64_t m = 1; m <= 5; m++) {
      EXPECT_EQ(variant(m, r), r.variant[static_cast<size_t>(m - 1)])
          << r.layer << " cus " << r.cus << " m " << m;
    }
  }
}

// G, M; the last K that fits the array, the first past it, the last accepted, the first refused.
struct Boundary {
  int64_t g, m, fits, past, accepted, refused;
};
constexpr Boundary kBoundaries[] = {
    {32, 1, 32768, 32800, 39296, 39328},  {32, 2, 16384, 16416, 19648, 19680},
    {32, 3, 10912, 10944, 13088, 13120},  {32, 4, 8192, 8224, 9824, 9856},
    {32, 5, 6528, 6560, 7840, 7872},      {64, 1, 32768, 32832, 39296, 39360},
    {64, 2, 16384, 16448, 19648, 19712},  {64, 3, 10880, 10944, 13056, 13120},
    {64, 4, 8192, 8256, 9792, 9856},      {64, 5, 6528, 6592, 7808, 7872},
    {128, 1, 32768, 32896, 39296, 39424}, {128, 2, 16384, 16512, 19584, 19712},
    {128, 3, 10880, 11008, 13056, 13184}, {128, 4, 8192, 8320, 9728, 9856},
    {128, 5, 6528, 6656, 7808, 7936},
};

std::string form(int64_t g, int64_t m, int64_t k) {
  Problem p;
  p.m = m;
  p.n = 64;
  p.k = k;
  p.g = g;
  const CallOf call(p);
  const Recorder recorder;
  if (const auto why = check_decode(call.call(), recorder.device)) return why->clause;
  return plan_decode(m, p.n, k, 20, kArray, {}).form == DecodeForm::small ? "small" : "medium";
}

TEST(DecodeTile, FormsChangeExactlyAtTheBoundaries) {
  for (const Boundary& b : kBoundaries) {
    SCOPED_TRACE(fmt::format("g {} m {}", b.g, b.m));
    EXPECT_EQ(form(b.g, b.m, b.fits), "small");
    EXPECT_EQ(form(b.g, b.m, b.past), "medium");
    EXPECT_EQ(form(b.g, b.m, b.accepted), "medium");
    EXPECT_EQ(form(b.g, b.m, b.refused), "lds.limit");
    EXPECT_EQ(b.fits + b.g, b.past);
    EXPECT_EQ(b.accepted + b.g, b.refused);
  }
}

TEST(DecodeTile, SmallOnlyWhereTheTileDividesN) {
  for (int64_t m = 1; m <= 5; m++) {
    for (int64_t n = 1; n <= 70; n++) {
      const DecodePlan p = plan_decode(m, n, 2560, 1, kArray, {});
      EXPECT_EQ(p.form == DecodeForm::small, n % p.y == 0) << m << " " << n << " y" << p.y;
    }
  }
}

// contract.md 6.4 as it is written there: r[i] = ceil(n / (d (16 - i))), the largest i with
// r[i] == r[0].
int mindiv_as_written(int64_t n, int64_t d) {
  int best = 0;
  const auto passes = [&](int i) { return (n + d * (16 - i) - 1) / (d * (16 - i)); };
  for (int i = 0; i <= 12; i++) {
    if (passes(i) == passes(0)) best = i;
  }
  return 16 - best;
}

TEST(DecodeTile, MindivIsTheLargestSavingWithoutAnotherPass) {
  for (int64_t n = 1; n < 6000; n += 1 + n / 40) {
    for (const int64_t d : {1, 2, 4, 20, 40, 80, 128, 192, 40000}) {
      EXPECT_EQ(mindiv(n, d), mindiv_as_written(n, d)) << n << " " << d;
    }
  }
}

TEST(DecodeTile, TheTableChoosesOnlyWhatExists) {
  for (int64_t m = 1; m <= 5; m++) {
    for (const int64_t n : {1, 2, 3, 4, 7, 64, 1152, 2560, 6145, 19456, 37888, 200001}) {
      for (const int64_t k : {32, 2048, 2080, 4064, 4096, 6528, 7840, 13088, 19648, 32768, 39296}) {
        if (m * k > kSoftLdsElements) continue;
        for (const int64_t cus : {1, 20, 32, 48, 10000}) {
          const DecodePlan p = plan_decode(m, n, k, cus, kArray, {});
          EXPECT_TRUE(decode_exists(p.form, m, p.y, p.u))
              << m << " " << n << " " << k << " " << cus;
          EXPECT_GE(
              p.blocks * p.waves * p.y * ((n + cus * p.waves * p.y - 1) / (cus * p.waves * p.y)), n)
              << "rows left over";
          EXPECT_LE(p.blocks, cus);
        }
      }
    }
  }
}

// contract.md 6.8 at the edges of its conditions; one CU, so that sYT is ceil(N/4).
TEST(DecodeTile, EachRowOfTheTableHoldsToItsEdge) {
  struct Edge {
    int64_t m, n, k;
    int y, u;
  };
  for (const Edge& e :
       {Edge{2, 116, 16416, 4, 2}, Edge{2, 117, 16416, 4, 1}, Edge{2, 117, 16384, 2, 2},
        Edge{4, 1917, 512, 4, 1}, Edge{3, 157, 512, 4, 1}, Edge{3, 156, 512, 2, 4},
        Edge{5, 156, 2048, 2, 4}, Edge{5, 156, 2080, 2, 2}, Edge{5, 156, 4064, 2, 2},
        Edge{5, 156, 4096, 2, 4}, Edge{2, 5000, 512, 2, 2}, Edge{1, 117, 512, 2, 4},
        Edge{1, 116, 512, 1, 4}, Edge{1, 116, 32800, 4, 2}}) {
    const Tile t = decode_tile(e.m, e.n, e.k, 1, kArray);
    EXPECT_EQ(t.y, e.y) << e.m << " " << e.n << " " << e.k;
    EXPECT_EQ(t.u, e.u) << e.m << " " << e.n << " " << e.k;
  }
}

TEST(DecodeTile, EveryTileOfAnMHasAMediumFormSoAnyCanBeForced) {
  for (int64_t m = 1; m <= 5; m++) {
    for (const int y : {1, 2, 4}) {
      for (const int u : {1, 2, 4}) {
        const bool small = decode_exists(DecodeForm::small, m, y, u);
        const bool medium = decode_exists(DecodeForm::medium, m, y, u);
        EXPECT_TRUE(medium || !small) << m << " y" << y << "u" << u;
        if (!medium) continue;
        const Tile tile{y, u, 16, 16};
        const DecodePlan fits = plan_decode(m, 64, 512, 20, kArray, tile);
        EXPECT_EQ(fits.form, small ? DecodeForm::small : DecodeForm::medium);
        EXPECT_EQ(plan_decode(m, 64, 32768 / m / 32 * 32 + 32, 20, kArray, tile).form,
                  DecodeForm::medium);
      }
    }
  }
}

// A launch counts work-items in 32 bits, 32 of them along x of a workgroup; fewer workgroups make
// the same rows.
TEST(DecodePlan, AGridIsNeverMoreThanALaunchCanCount) {
  constexpr int64_t kMost = 2147483647;
  const DecodePlan plan = plan_decode(1, kMost, 32, kMost, kArray, Tile{1, 4, 16, 16});
  EXPECT_EQ(plan.blocks, kMaxWorkgroups);
  EXPECT_EQ(persistent_blocks(40, 2, 5, 1000), 4);
  EXPECT_EQ(persistent_blocks(41, 2, 5, 1000), 5);
  EXPECT_EQ(persistent_blocks(41, 2, 5, 3), 3);
}

}  // namespace
}  // namespace w4
