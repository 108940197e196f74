#include "core/fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/gauss.h"

namespace w4 {
namespace {

constexpr DType kTypes[] = {DType::f16, DType::bf16};

// A problem in doubles, as the twin sees it: small enough to be exact for the structured fills.
struct Data {
  Data(Fill fill, uint64_t seed, DType t_, int64_t k_, int64_t g_)
      : f(fill, seed, t_, k_, g_), t(t_), k(k_), g(g_) {}
  Filler f;
  DType t;
  int64_t k, g;

  double act(int64_t m, int64_t i) const { return to_f64(t, f.act(m, i)); }
  double scale(int64_t n, int64_t i) const { return to_f64(t, f.scale(n, i / g)); }
  double bias(int64_t row, int64_t n) const { return to_f64(t, f.bias(row, n)); }
  double weight(int64_t n, int64_t i, bool symmetric) const {
    return (f.code(n, i) - (symmetric ? 8 : f.zero(n, i / g))) * scale(n, i);
  }
  std::vector<double> row(int64_t m) const {
    std::vector<double> a;
    for (int64_t i = 0; i < k; ++i) a.push_back(act(m, i));
    return a;
  }
  double out(int64_t m, int64_t n, bool symmetric) const {
    double y = 0;
    for (int64_t i = 0; i < k; ++i) {
      if (const double a = act(m, i); a != 0) y += a * weight(n, i, symmetric);
    }
    return y;
  }
};

TEST(Fill, NamesGoBothWays) {
  EXPECT_EQ(all_fills().size(), 9u);
  for (Fill f : all_fills()) EXPECT_EQ(fill_from(name_of(f)), f);
  EXPECT_EQ(fill_from("zeros"), std::nullopt);
  EXPECT_TRUE(is_random(Fill::cancel) && !is_random(Fill::lane) && !is_random(Fill::constant));
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

// The promise of the fill, whatever the order of summation: the sum of all magnitudes, bias
// included, is an integer that the act dtype holds exactly.
TEST(IntegerFill, EverySumIsExactInAnyOrder) {
  for (DType t : kTypes) {
    const double most = t == DType::f16 ? 2048 : 256;
    double largest = 0;
    for (int64_t k :
         {16, 32, 48, 64, 96, 128, 160, 256, 1024, 1216, 4096, 9728, 39296, 131072, 131200}) {
      for (uint64_t seed : {1, 2, 77}) {
        const Data d(Fill::integer, seed, t, k, 32);
        for (int64_t m = 0; m < 3; ++m) {
          std::vector<int64_t> places;
          for (int64_t i = 0; i < k; ++i) {
            const double a = d.act(m, i);
            ASSERT_TRUE(a == 0 || a == 1 || a == -1);
            if (a != 0) places.push_back(i);
          }
          ASSERT_FALSE(places.empty());
          for (int64_t n = 0; n < 64; ++n) {
            for (bool symmetric : {false, true}) {
              double magnitude = std::fabs(d.bias(m, n));
              ASSERT_EQ(magnitude, std::floor(magnitude));
              for (int64_t i : places) {
                const double w = d.weight(n, i, symmetric);
                ASSERT_EQ(w, std::floor(w));
                ASSERT_EQ(to_f64(t, from_f64(t, w)), w);  // also where weights are rounded
                magnitude += std::fabs(w);
              }
              ASSERT_LE(magnitude, most) << "k=" << k << " seed=" << seed << " n=" << n;
              largest = std::max(largest, magnitude);
            }
          }
        }
      }
    }
    EXPECT_GT(largest, most / 4);  // the bound is used, not only kept
  }
}

TEST(IntegerFill, NonzerosPerRowAreBoundedByConstruction) {
  for (const auto& [t, per_block] : {std::pair{DType::f16, 4}, std::pair{DType::bf16, 1}}) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const Filler f(Fill::integer, seed, t, 140000, 32);
      std::vector<int64_t> ends{16};
      for (int64_t e = 32; e <= 131072; e *= 2) ends.push_back(e);
      ASSERT_EQ(ends.size(), 14u);
      int64_t k = 0;
      for (int64_t end : ends) {
        int count = 0;
        for (; k < end; ++k) count += f.act(2, k) != 0;
        ASSERT_EQ(count, per_block) << "block ending at " << end;
      }
      for (; k < 140000; ++k) ASSERT_EQ(f.act(2, k), 0);
    }
  }
}

TEST(IntegerFill, BiasIsDistinctPerChannel) {
  for (const auto& [t, range] : {std::pair{DType::f16, 737}, std::pair{DType::bf16, 121}}) {
    const Data d(Fill::integer, 4, t, 256, 32);
    std::set<double> seen;
    for (int64_t n = 0; n < range; ++n) ASSERT_TRUE(seen.insert(d.bias(0, n)).second);
  }
}

TEST(OnehotFill, OneNonzeroPerRowSpreadOverK) {
  for (int64_t k : {1, 16, 96, 1000, 4096}) {
    std::vector<int> eighths(8);
    for (int64_t m = 0; m < 400; ++m) {
      const Data d(Fill::onehot, 5, DType::bf16, k, 32);
      int64_t place = -1;
      for (int64_t i = 0; i < k; ++i) {
        const double a = d.act(m, i);
        if (a == 0) continue;
        ASSERT_EQ(place, -1) << "two places in row " << m;
        ASSERT_TRUE(a == 1 || a == 2 || a == 4);
        place = i;
      }
      ASSERT_GE(place, 0) << "none in row " << m;
      ++eighths[static_cast<size_t>(place * 8 / k)];
    }
    if (k >= 16) {
      for (int c : eighths) EXPECT_NEAR(c, 50, 6 * 6.7) << k;  // six sigma of (400, 1/8)
    }
  }
}

TEST(LaneFill, OutputsAreDistinctPowersOfTwoAndEveryLaneShows) {
  for (DType t : kTypes) {
    for (int64_t k : {64, 512, 1024, 8192}) {
      const Data d(Fill::lane, 6, t, k, 32);
      std::set<int64_t> lanes, late_lanes;
      const std::vector<double> a = d.row(0), b = d.row(1);
      for (int64_t n = 0; n < 616; ++n) {
        int64_t seen = 0;
        for (int64_t i = 0; i < k; ++i) {
          ASSERT_EQ(b[static_cast<size_t>(i)], -a[static_cast<size_t>(i)]);
          const double term = a[static_cast<size_t>(i)] * d.weight(n, i, true);
          ASSERT_EQ(d.f.zero(n, i / 32), 8);
          if (term == 0) continue;
          const auto bit = static_cast<int64_t>(term);
          ASSERT_TRUE(bit > 0 && (bit & (bit - 1)) == 0) << term;
          ASSERT_EQ(seen & bit, 0) << "two lanes share a bit: n=" << n << " k=" << i;
          seen |= bit;
          if (bit > 1) (i < 512 ? lanes : late_lanes).insert(i / 16 % 32);
        }
        ASSERT_TRUE(seen >= 1 && seen <= 255) << seen;
      }
      EXPECT_EQ(static_cast<int64_t>(lanes.size()), std::min<int64_t>(k / 16, 32)) << k;
      if (k >= 8192) EXPECT_EQ(late_lanes.size(), 32u) << k;
    }
  }
}

TEST(CancelFill, ActCancelsWithinEach32AndOutputsAreSmallButNotZero) {
  for (DType t : kTypes) {
    const Data d(Fill::cancel, 7, t, 4096, 32);
    const std::vector<double> a = d.row(0);
    for (size_t begin = 0; begin < a.size(); begin += 32) {
      std::multiset<double> plus, minus;
      for (size_t i = begin; i < begin + 32; ++i) {
        if (a[i] > 0) plus.insert(a[i]);
        if (a[i] < 0) minus.insert(-a[i]);
      }
      ASSERT_EQ(plus, minus);
    }
    for (int64_t n = 0; n < 8; ++n) {
      double y = 0, s = 0;
      for (int64_t i = 0; i < 4096; ++i) {
        const double term = a[static_cast<size_t>(i)] * d.weight(n, i, false);
        y += term, s += std::fabs(term);
      }
      EXPECT_NE(y, 0);
      EXPECT_LT(std::fabs(y), s / 100);
    }
  }
}

TEST(ExtremeFill, HoldsTheEndsOfTheRange) {
  for (DType t : kTypes) {
    const Data d(Fill::extreme, 8, t, 1024, 32);
    const bool half = t == DType::f16;
    const std::vector<double> a = d.row(0);
    const auto has = [&a](double v) { return std::ranges::find(a, v) != a.end(); };
    EXPECT_TRUE(has(half ? 65504 : 0x1p110));
    EXPECT_TRUE(has(half ? -0x1p-24 : -0x1p-133));
    EXPECT_TRUE(has(0));
    std::set<double> scales;
    for (int64_t n = 0; n < 256; ++n) scales.insert(to_f64(t, d.f.scale(n, 0)));
    EXPECT_TRUE(scales.contains(0));
    EXPECT_TRUE(scales.contains(half ? 0x1p-24 : 0x1p-133));
    // bf16: the offset form of decode must not overflow (oracles.md 3).
    for (int64_t i = 0; i < 1024 && !half; i += 32) {
      double sum = 0;
      for (int64_t j = i; j < i + 32; ++j) sum += std::fabs(a[static_cast<size_t>(j)]);
      ASSERT_LT(143 * sum, 0x1p127);
    }
  }
}

TEST(SpecialFill, EveryClassIsPlantedInItsRows) {
  for (DType t : kTypes) {
    std::map<std::string, int> rows;
    for (int64_t m = 0; m < 64; ++m) {
      const Data d(Fill::special, 1, t, 512, 32);
      int nan = 0, plus = 0, minus = 0, zeros = 0;
      for (double a : d.row(m)) {
        nan += std::isnan(a);
        plus += a > 0 && std::isinf(a);
        minus += a < 0 && std::isinf(a);
        zeros += a == 0 && std::signbit(a);
      }
      ASSERT_LE(nan + plus + minus, 1);
      ++rows[nan ? "nan" : plus ? "+inf" : minus ? "-inf" : zeros > 20 ? "-0" : "nothing"];
    }
    EXPECT_EQ(rows.size(), 4u);
    EXPECT_FALSE(rows.contains("nothing"));
  }
}

TEST(ConstantFill, IsConstant) {
  const Filler f(Fill::constant, 1, DType::f16, 256, 32), g(Fill::constant, 2, DType::f16, 64, 64);
  EXPECT_EQ(f.act(0, 0), g.act(3, 77));
  EXPECT_EQ(f.code(0, 0), g.code(3, 77));
  EXPECT_EQ(f.zero(0, 0), g.zero(3, 7));
  EXPECT_EQ(f.scale(0, 0), g.scale(3, 7));
  EXPECT_EQ(f.bias(0, 0), g.bias(3, 7));
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
