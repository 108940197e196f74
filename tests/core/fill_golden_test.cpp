// Frozen on purpose: a case line must mean the same data on every machine and in ten years. The
// figures come from a second implementation of the recipes (Python, exact fractions). If one of
// these fails, the change is wrong, not the figure: old lines in stores and corpora would lie.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "core/fill.h"

namespace w4 {
namespace {

TEST(FillGolden, CounterBits) {
  EXPECT_EQ(counter_bits(1, 1, 0, 0), 0xb6bec5aaa7902ef9u);
  EXPECT_EQ(counter_bits(1, 2, 3, 5), 0x481427679515baa6u);
  EXPECT_EQ(counter_bits(0xFFFFFFFFFFFFFFFFu, 5, -1, int64_t{1} << 40), 0xb628d8fcb694f992u);
}

using Bits = std::vector<int>;
using At = std::vector<std::pair<int64_t, int>>;

struct Golden {
  Fill fill;
  DType t;
  Bits act, code, scale, zero, bias;
};

// seed 7; act(1,k) and code(3,k) at k = 0 1 7 31 100 4095; scale(3,g) at g = 0 1 7 31;
// zero(n,2) and bias(0,n) at n = 0 1 7 31.
TEST(FillGolden, ValuesOfEveryTensor) {
  const std::vector<Golden> all{{Fill::flat,
                                 DType::f16,
                                 {0xACCA, 0x3E37, 0x3510, 0xB762, 0x382A, 0x3699},
                                 {13, 8, 6, 0, 15, 15},
                                 {0x1F78, 0x2280, 0x21B8, 0x2068},
                                 {14, 9, 11, 13},
                                 {0x3C30, 0xBE00, 0xD4E0, 0x3C60}},
                                {Fill::normal,
                                 DType::f16,
                                 {0xA132, 0x2937, 0x183E, 0xA5B1, 0x2054, 0x1D32},
                                 {10, 6, 6, 2, 15, 13},
                                 {0x1778, 0x2280, 0x39B8, 0x4068},
                                 {14, 9, 11, 13},
                                 {0x3C30, 0xBE00, 0xD4E0, 0x3C60}},
                                {Fill::integer,
                                 DType::f16,
                                 {0, 0, 0, 0, 0, 0},
                                 {13, 8, 6, 0, 15, 15},
                                 {0x4000, 0x3C00, 0x4000, 0x4000},
                                 {14, 9, 11, 13},
                                 {0xDDA0, 0xDD2C, 0xD8E8, 0xDA30}},
                                {Fill::flat,
                                 DType::bf16,
                                 {0xBD99, 0x3FC7, 0x3EA2, 0xBEEC, 0x3F05, 0x3ED3},
                                 {13, 8, 6, 0, 15, 15},
                                 {0x3BEF, 0x3C50, 0x3C37, 0x3C0D},
                                 {14, 9, 11, 13},
                                 {0x3F86, 0xBFC0, 0xC29C, 0x3F8C}},
                                {Fill::normal,
                                 DType::bf16,
                                 {0xBC26, 0x3D27, 0x3B08, 0xBCB6, 0x3C0A, 0x3BA6},
                                 {10, 6, 6, 2, 15, 13},
                                 {0x3AEF, 0x3C50, 0x3F37, 0x400D},
                                 {14, 9, 11, 13},
                                 {0x3F86, 0xBFC0, 0xC29C, 0x3F8C}},
                                {Fill::integer,
                                 DType::bf16,
                                 {0, 0, 0, 0, 0, 0},
                                 {9, 4, 10, 4, 11, 11},
                                 {0x4000, 0x3F80, 0x4000, 0x4000},
                                 {10, 5, 7, 9},
                                 {0x4160, 0x422C, 0xC1C8, 0xC25C}},
                                {Fill::uniform,
                                 DType::f16,
                                 {0xACCA, 0x3E37, 0x3510, 0xB762, 0x382A, 0x3699},
                                 {13, 8, 6, 0, 15, 15},
                                 {0x1E6F, 0x23D0, 0x1FB7, 0x1D8D},
                                 {14, 10, 14, 1},
                                 {0x3C30, 0xBE00, 0xD4E0, 0x3C60}},
                                {Fill::uniform,
                                 DType::bf16,
                                 {0xBD99, 0x3FC7, 0x3EA2, 0xBEEC, 0x3F05, 0x3ED3},
                                 {13, 8, 6, 0, 15, 15},
                                 {0x3BEF, 0x3C50, 0x3BB7, 0x3B8D},
                                 {14, 10, 14, 1},
                                 {0x3F86, 0xBFC0, 0xC29C, 0x3F8C}}};
  for (const Golden& g : all) {
    const Filler f(g.fill, 7, g.t, 4096, 128);
    Bits act, code, scale, zero, bias;
    for (int64_t k : {0, 1, 7, 31, 100, 4095})
      act.push_back(f.act(1, k)), code.push_back(f.code(3, k));
    for (int64_t i : {0, 1, 7, 31}) {
      scale.push_back(f.scale(3, i));
      zero.push_back(f.zero(i, 2));
      bias.push_back(f.bias(0, i));
    }
    SCOPED_TRACE(std::string(name_of(g.fill)) + " " + std::string(name_of(g.t)));
    EXPECT_EQ(act, g.act);
    EXPECT_EQ(code, g.code);
    EXPECT_EQ(scale, g.scale);
    EXPECT_EQ(zero, g.zero);
    EXPECT_EQ(bias, g.bias);
  }
}

At nonzeros(const Filler& f, int64_t m, int64_t end) {
  At found;
  for (int64_t k = 0; k < end; ++k) {
    if (f.act(m, k) != 0) found.emplace_back(k, f.act(m, k));
  }
  return found;
}

TEST(FillGolden, PlacesOfTheSparseFills) {
  EXPECT_EQ(
      nonzeros(Filler(Fill::integer, 7, DType::f16, 4096, 128), 1, 300),
      (At{{2, 0xbc00},   {5, 0x3c00},   {10, 0x3c00},  {15, 0xbc00},  {19, 0xbc00},  {22, 0xbc00},
          {25, 0x3c00},  {30, 0x3c00},  {38, 0xbc00},  {41, 0x3c00},  {49, 0xbc00},  {58, 0xbc00},
          {73, 0x3c00},  {93, 0x3c00},  {111, 0xbc00}, {117, 0xbc00}, {131, 0xbc00}, {181, 0x3c00},
          {215, 0x3c00}, {255, 0x3c00}, {279, 0x3c00}}));
  EXPECT_EQ(
      nonzeros(Filler(Fill::integer, 7, DType::bf16, 4096, 128), 1, 300),
      (At{{2, 0xbf80}, {17, 0x3f80}, {34, 0xbf80}, {91, 0x3f80}, {235, 0xbf80}, {266, 0xbf80}}));
  EXPECT_EQ(nonzeros(Filler(Fill::lane, 7, DType::f16, 4096, 128), 0, 180), (At{{0, 0x4000},
                                                                                {1, 0x3c00},
                                                                                {27, 0x4400},
                                                                                {33, 0x4800},
                                                                                {50, 0x4c00},
                                                                                {65, 0x4000},
                                                                                {91, 0x4400},
                                                                                {105, 0x4800},
                                                                                {121, 0x4c00},
                                                                                {142, 0x4000},
                                                                                {157, 0x4400},
                                                                                {173, 0x4800}}));
}

TEST(FillGolden, PlacesOfOnehot) {
  const std::vector<std::pair<int64_t, double>> all{{3851, 2}, {2237, 4}, {1870, 1},
                                                    {3286, 4}, {3882, 1}, {1626, 1}};
  const Filler f(Fill::onehot, 7, DType::f16, 4096, 128);
  for (size_t m = 0; m < all.size(); ++m) {
    EXPECT_EQ(nonzeros(f, static_cast<int64_t>(m), 4096),
              (At{{all[m].first, from_f64(DType::f16, all[m].second)}}));
  }
  const std::vector<int64_t> places{228, 274, 50, 134, 109, 18};
  for (size_t m = 0; m < places.size(); ++m) {
    const At found =
        nonzeros(Filler(Fill::onehot, 7, DType::f16, 300, 32), static_cast<int64_t>(m), 300);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].first, places[m]);
  }
}

TEST(FillGolden, RowsOfSpecial) {
  const Filler f(Fill::special, 7, DType::f16, 4096, 128);  // planted where onehot has its place
  EXPECT_EQ(f.act(0, 3851), 0x7C00);
  EXPECT_EQ(f.act(2, 1870), 0xFC00);
  EXPECT_EQ(f.act(3, 3286), 0x7E00);
}

TEST(FillGolden, ActOfExtreme) {
  const Filler f(Fill::extreme, 7, DType::f16, 4096, 128);
  Bits act;
  for (int64_t k = 0; k < 10; ++k) act.push_back(f.act(1, k));
  EXPECT_EQ(act,
            (Bits{0x8001, 0x83ff, 0xb400, 0xbc00, 0xbc00, 0x83ff, 0xbc00, 0x8400, 0x3ff, 0x3c00}));
}

TEST(FillGolden, PairsOfCancel) {
  const Filler f(Fill::cancel, 7, DType::f16, 4096, 128);
  Bits act;
  for (int64_t k : {0, 1, 16, 17, 40, 41, 56}) act.push_back(f.act(1, k));
  EXPECT_EQ(act, (Bits{0xc532, 0x4d37, 0x4532, 0xcd37, 0x3f4a, 0xbf4a, 0xc937}));
}

}  // namespace
}  // namespace w4
