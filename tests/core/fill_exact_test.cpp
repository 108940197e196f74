// The fills whose answers are known: sums that no order rounds, single elements, cancelling pairs,
// ends of the range, planted values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/core/fill_data.h"

namespace w4 {
namespace {

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
    // The first row that is not of small numbers alone.
    std::vector<double> a = d.row(0);
    for (int64_t m = 1; std::ranges::max(a) < 1; ++m) a = d.row(m);
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

// What is lost of a small number shows only where no large one stands beside it.
TEST(ExtremeFill, HasRowsOfSmallNumbersAlone) {
  for (DType t : kTypes) {
    const Data d(Fill::extreme, 1, t, 256, 32);
    int small = 0;
    for (int64_t m = 0; m < 64; ++m) {
      const std::vector<double> a = d.row(m);
      double most = 0;
      for (const double v : a) most = std::max(most, std::fabs(v));
      EXPECT_GT(most, 0);
      small += most <= (t == DType::f16 ? 0x1p-14 : 0x1p-59);
    }
    EXPECT_GT(small, 8);
    EXPECT_LT(small, 32);
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

}  // namespace
}  // namespace w4
