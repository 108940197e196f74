#include "core/fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/gauss.h"
#include "tests/core/fill_data.h"

namespace w4 {
namespace {

TEST(Fill, NamesGoBothWays) {
  EXPECT_EQ(all_fills().size(), 10u);
  for (Fill f : all_fills()) EXPECT_EQ(fill_from(name_of(f)), f);
  EXPECT_EQ(fill_from("zeros"), std::nullopt);
  EXPECT_TRUE(is_random(Fill::cancel) && !is_random(Fill::lane) && !is_random(Fill::constant));
  EXPECT_TRUE(is_random(Fill::uniform) && promises_signal(Fill::uniform));
  EXPECT_TRUE(promises_signal(Fill::lane) && !promises_signal(Fill::cancel));
}

TEST(Fill, CodesAndZeroPointsAreNibblesAndValuesFinite) {
  for (Fill fill : all_fills()) {
    for (DType t : kTypes) {
      const Data d(fill, 3, t, 512, 32);
      for (int64_t n = 0; n < 64; ++n) {
        for (int64_t k = 0; k < 512; ++k) ASSERT_LE(d.f.code(n, k), 15);
        for (int64_t g = 0; g < 16; ++g) {
          ASSERT_LE(d.f.zero(n, g), 15);
          ASSERT_TRUE(std::isfinite(to_f64(t, d.f.scale(n, g)))) << name_of(fill);
        }
        ASSERT_TRUE(std::isfinite(d.bias(0, n))) << name_of(fill);
      }
      if (fill == Fill::special) continue;
      for (int64_t m = 0; m < 5; ++m) {
        for (double a : d.row(m)) ASSERT_TRUE(std::isfinite(a)) << name_of(fill);
      }
    }
  }
}

// A smaller K keeps the surviving elements; onehot and special as long as the place lies inside.
TEST(Fill, SmallerKKeepsTheElements) {
  for (Fill fill : all_fills()) {
    for (DType t : kTypes) {
      const Filler large(fill, 9, t, 640, 128), small(fill, 9, t, 256, 32);
      for (int64_t m = 0; m < 8; ++m) {
        bool inside = true;
        for (int64_t k = 256; k < 640; ++k) {
          if (fill == Fill::onehot) inside &= large.act(m, k) == 0;
          if (fill == Fill::special) {
            inside &= !is_nan(t, large.act(m, k)) && !is_inf(t, large.act(m, k));
          }
        }
        for (int64_t k = 0; inside && k < 256; ++k) {
          ASSERT_EQ(large.act(m, k), small.act(m, k)) << name_of(fill);
        }
      }
      for (int64_t n = 0; n < 16; ++n) {
        for (int64_t k = 0; k < 256; ++k) ASSERT_EQ(large.code(n, k), small.code(n, k));
        for (int64_t g = 0; g < 8; ++g) {
          ASSERT_EQ(large.scale(n, g), small.scale(n, g));
          ASSERT_EQ(large.zero(n, g), small.zero(n, g));
        }
        ASSERT_EQ(large.bias(0, n), small.bias(0, n));
      }
    }
  }
}

TEST(Fill, ARowOfCodesIsTheCodesOneByOne) {
  for (Fill fill : all_fills()) {
    for (DType t : {DType::f16, DType::bf16}) {
      const Filler f(fill, 21, t, 1024, 32);
      for (int64_t n : {0, 7, 1000}) {
        std::vector<uint8_t> row(1024);
        f.code_row(n, row);
        for (int64_t k = 0; k < 1024; ++k) {
          ASSERT_EQ(row[static_cast<size_t>(k)], f.code(n, k)) << name_of(fill) << " k " << k;
        }
      }
    }
  }
}

TEST(Fill, SeedsDiffer) {
  for (Fill fill : all_fills()) {
    if (fill == Fill::constant) continue;
    const Filler a(fill, 1, DType::f16, 4096, 128), b(fill, 2, DType::f16, 4096, 128);
    int differ = 0;
    for (int64_t m = 0; m < 4; ++m) {
      for (int64_t k = 0; k < 4096; ++k) differ += a.act(m, k) != b.act(m, k);
    }
    EXPECT_GT(differ, 0) << name_of(fill);
  }
}

// No tolerance: no output overflows fp16 except in extreme, and there only in some rows.
TEST(Fill, OutputsDoNotAllOverflow) {
  for (Fill fill : all_fills()) {
    if (fill == Fill::special) continue;
    for (const auto& [k, n] : {std::pair<int64_t, int64_t>{64, 64}, {4096, 32}, {39296, 16}}) {
      const Data d(fill, 1, DType::f16, k, 32);
      int over = 0, total = 0;
      for (int64_t m = 0; m < 2; ++m) {
        const std::vector<double> a = d.row(m);
        for (int64_t col = 0; col < n; ++col) {
          double y = d.bias(0, col);
          for (int64_t i = 0; i < k; ++i) y += a[static_cast<size_t>(i)] * d.weight(col, i, false);
          over += std::fabs(y) >= 65520;
          ++total;
        }
      }
      EXPECT_LE(over, fill == Fill::extreme ? total / 2 : 0) << name_of(fill) << " k=" << k;
    }
  }
}

TEST(FlatFill, ActIsGaussianWithANonZeroMean) {
  const Data d(Fill::flat, 1, DType::f16, 20000, 32);
  double sum = 0, squares = 0;
  for (double a : d.row(0)) sum += a, squares += a * a;
  const double mean = sum / 20000, sigma = std::sqrt(squares / 20000 - mean * mean);
  EXPECT_NEAR(mean, 0.25, 0.02);  // five standard errors of 0.5/sqrt(20000)
  EXPECT_NEAR(sigma, 0.5, 0.02);
}

TEST(FlatFill, ScalesStayWithinFourTimesAndZeroPointsVaryInEachOctet) {
  for (DType t : kTypes) {
    const Data d(Fill::flat, 1, t, 4096, 32);
    std::set<int> zeros;
    for (int64_t n = 0; n < 64; n += 8) {
      for (int64_t g = 0; g < 128; ++g) {
        std::set<int> octet;
        for (int64_t i = 0; i < 8; ++i) octet.insert(d.f.zero(n + i, g));
        ASSERT_EQ(octet.size(), 8u);
        zeros.insert(octet.begin(), octet.end());
        const double s = to_f64(t, d.f.scale(n, g));
        ASSERT_TRUE(s >= 0x1p-8 && s < 0x1p-6) << s;
      }
    }
    EXPECT_EQ(zeros.size(), 16u);
  }
}

TEST(FlatFill, CodesAreUniform) {
  const Filler f(Fill::flat, 1, DType::f16, 4096, 128);
  std::vector<int> count(16);
  for (int64_t n = 0; n < 16; ++n) {
    for (int64_t k = 0; k < 4096; ++k) ++count[f.code(n, k)];
  }
  for (int c : count) EXPECT_NEAR(c, 4096, 6 * 62);  // six sigma of a binomial (65536, 1/16)
}

TEST(FlatFill, BiasIsDistinctAndLoudInOneColumnOfEachOctet) {
  for (DType t : kTypes) {
    const Data d(Fill::flat, 1, t, 4096, 32);
    for (int64_t row = 0; row < 3; ++row) {
      for (int64_t n = 0; n < 256; n += 8) {
        int loud = 0;
        for (int64_t i = n; i < n + 8; ++i) loud += std::fabs(d.bias(row, i)) >= 64;
        ASSERT_EQ(loud, 1);
      }
      std::set<double> quiet;
      for (int64_t n = 0; n < 64; ++n) {
        const double b = std::fabs(d.bias(row, n));
        if (b < 64) ASSERT_TRUE(quiet.insert(b).second) << n;
      }
    }
    EXPECT_NE(d.bias(0, 5), d.bias(1, 5));
  }
}

// What a scale loses on its way through bf16, and what a zero point does to its neighbours.
TEST(UniformFill, ScalesUseTheWholeMantissaWithinFourTimes) {
  for (DType t : kTypes) {
    const Data d(Fill::uniform, 1, t, 4096, 32);
    const int places = t == DType::f16 ? 10 : 7;
    std::set<int> mantissas;
    std::map<int, int> octaves;
    for (int64_t n = 0; n < 128; ++n) {
      for (int64_t g = 0; g < 128; ++g) {
        const double s = to_f64(t, d.f.scale(n, g));
        ASSERT_TRUE(s >= 0x1p-8 && s < 0x1p-6) << s;
        mantissas.insert(d.f.scale(n, g) & ((1 << places) - 1));
        ++octaves[std::ilogb(s)];
      }
    }
    EXPECT_EQ(mantissas.size(), size_t{1} << places);
    for (const auto& [octave, count] : octaves) EXPECT_NEAR(count, 8192, 6 * 64) << octave;
  }
}

TEST(UniformFill, EveryPairOfNeighbouringZeroPointsComesUp) {
  const Filler f(Fill::uniform, 1, DType::f16, 4096, 128);
  for (const bool next_row : {true, false}) {
    std::vector<int> pairs(256);
    for (int64_t n = 0; n < 128; ++n) {
      for (int64_t g = 0; g < 128; ++g) {
        const int other = next_row ? f.zero(n + 1, g) : f.zero(n, g + 1);
        ++pairs[static_cast<size_t>(16 * f.zero(n, g) + other)];
      }
    }
    for (const int count : pairs) EXPECT_NEAR(count, 64, 6 * 8);  // six sigma of (16384, 1/256)
  }
}

TEST(UniformFill, CodesAreUniform) {
  const Filler f(Fill::uniform, 1, DType::f16, 4096, 128);
  std::vector<int> count(16);
  for (int64_t n = 0; n < 16; ++n) {
    for (int64_t k = 0; k < 4096; ++k) ++count[f.code(n, k)];
  }
  for (int c : count) EXPECT_NEAR(c, 4096, 6 * 62);
}

TEST(NormalFill, OutliersAreRareAndUpToAThousandTimes) {
  const Data d(Fill::normal, 1, DType::f16, 40000, 32);
  int over16 = 0, over100 = 0;
  double largest = 0;
  for (int64_t m = 0; m < 3; ++m) {
    for (double a : d.row(m)) {
      over16 += std::fabs(a) > 4 * 0x1p-6;  // beyond four sigma of the bulk
      over100 += std::fabs(a) > 100 * 0x1p-6;
      largest = std::max(largest, std::fabs(a));
    }
  }
  EXPECT_GT(over100, 20);
  EXPECT_LT(over16, 120000 / 200);
  EXPECT_GT(largest, 500 * 0x1p-6);
  EXPECT_LE(largest, 3300 * 0x1p-6);
}

TEST(NormalFill, OutliersAreWholeChannelsAndSingleElements) {
  const Data d(Fill::normal, 1, DType::f16, 40000, 32);
  std::vector<int> large(40000);  // rows of 16 in which a channel is large
  for (int64_t m = 0; m < 16; ++m) {
    for (int64_t k = 0; k < d.k; ++k) {
      large[static_cast<size_t>(k)] += std::fabs(d.act(m, k)) > 4 * 0x1p-6;
    }
  }
  EXPECT_GT(std::ranges::count_if(large, [](int c) { return c >= 8; }), 10);
  EXPECT_GT(std::ranges::count(large, 1), 100);
}

TEST(NormalFill, ScalesCoverEveryOctave) {
  for (DType t : kTypes) {
    const Data d(Fill::normal, 1, t, 4096, 32);
    std::map<int, int> octaves;
    for (int64_t n = 0; n < 32; ++n) {
      for (int64_t g = 0; g < 32; ++g) ++octaves[std::ilogb(to_f64(t, d.f.scale(n, g)))];
    }
    ASSERT_EQ(octaves.size(), 14u);
    EXPECT_EQ(octaves.begin()->first, -12);
    EXPECT_EQ(octaves.rbegin()->first, 1);
    for (const auto& [octave, count] : octaves) EXPECT_GT(count, 1024 / 14 / 2) << octave;
  }
}

// The table is the inverse of the normal distribution function: the area below each value of a
// fine grid is right.
TEST(Gauss, FollowsTheNormalDistribution) {
  for (uint64_t i = 0; i < 127; ++i) {
    for (uint64_t fraction : {0, 128, 255}) {
      const double x = static_cast<double>(gauss(i << 1 | fraction << 8)) / 4096;
      const double area = 0.5 * std::erfc(-x / std::sqrt(2.0));
      const double wanted =
          0.5 + (static_cast<double>(i) + static_cast<double>(fraction) / 256) / 256;
      EXPECT_NEAR(area, wanted, 0.0004) << i << " " << fraction;
      EXPECT_EQ(gauss(i << 1 | fraction << 8 | 1), -gauss(i << 1 | fraction << 8));
    }
  }
}

}  // namespace
}  // namespace w4
