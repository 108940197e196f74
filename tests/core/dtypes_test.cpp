#include "core/dtypes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace w4 {
namespace {

// An independent model: all non-negative finite values of a format as exact doubles, found with
// ldexp; rounding is a search among them with the exact midpoint as judge.
class SlowFormat {
 public:
  SlowFormat(int mantissa, int exponent) {
    const int bias = (1 << (exponent - 1)) - 1;
    for (int e = 0; e < (1 << exponent) - 1; ++e) {
      for (int f = 0; f < 1 << mantissa; ++f) {
        values_.push_back(e == 0 ? std::ldexp(f, 1 - bias - mantissa)
                                 : std::ldexp((1 << mantissa) + f, e - bias - mantissa));
      }
    }
    beyond_ = std::ldexp(1.0, (1 << exponent) - 1 - bias);
  }
  uint16_t inf() const { return static_cast<uint16_t>(values_.size()); }
  double value(uint16_t magnitude) const { return values_[magnitude]; }

  uint16_t round(double d) const {  // not for NaN
    const uint16_t sign = std::signbit(d) ? 0x8000 : 0;
    const double a = std::fabs(d);
    const auto above = std::ranges::upper_bound(values_, a);
    const auto low = static_cast<size_t>(above - values_.begin()) - 1;
    const double high_value = low + 1 == values_.size() ? beyond_ : values_[low + 1];
    const double middle = values_[low] + (high_value - values_[low]) / 2;  // exact
    const bool up = a > middle || (a == middle && low % 2 == 1);
    return static_cast<uint16_t>(sign | (low + (up ? 1 : 0)));
  }

 private:
  double beyond_;
  std::vector<double> values_;
};

const SlowFormat& slow(DType t) {
  static const SlowFormat f16(10, 5), bf16(7, 8);
  return t == DType::f16 ? f16 : bf16;
}
uint16_t from_f32(DType t, float f) { return t == DType::f16 ? f32_to_f16(f) : f32_to_bf16(f); }
float to_f32(DType t, uint16_t b) { return t == DType::f16 ? f16_to_f32(b) : bf16_to_f32(b); }

class Half : public testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(All, Half, testing::Values(DType::f16, DType::bf16),
                         [](const auto& i) { return std::string(name_of(i.param)); });

TEST_P(Half, WidenedValuesAreTheModels) {
  const DType t = GetParam();
  for (uint32_t b = 0; b < 0x8000; ++b) {
    const auto bits = static_cast<uint16_t>(b);
    if (bits < slow(t).inf()) {
      ASSERT_EQ(to_f32(t, bits), slow(t).value(bits)) << b;
      ASSERT_EQ(to_f32(t, bits | 0x8000), -slow(t).value(bits)) << b;
      ASSERT_TRUE(std::signbit(to_f32(t, bits | 0x8000)));
    } else {
      ASSERT_EQ(std::isinf(to_f32(t, bits)), bits == slow(t).inf());
      ASSERT_EQ(std::isnan(to_f32(t, bits)), bits > slow(t).inf());
    }
  }
}

TEST_P(Half, EveryPatternSurvivesTheRoundTrip) {
  const DType t = GetParam();
  const uint16_t quiet = t == DType::f16 ? 0x200 : 0x40;
  for (uint32_t b = 0; b < 0x10000; ++b) {
    const auto bits = static_cast<uint16_t>(b);
    const auto expected = static_cast<uint16_t>(is_nan(t, bits) ? bits | quiet : bits);
    ASSERT_EQ(from_f32(t, to_f32(t, bits)), expected) << b;
    if (!is_nan(t, bits)) ASSERT_EQ(from_f64(t, to_f64(t, bits)), bits) << b;
  }
}

TEST_P(Half, NarrowingAgreesWithTheModelAtValuesMidpointsAndTheirNeighbours) {
  const DType t = GetParam();
  const float inf = std::numeric_limits<float>::infinity();
  const double dinf = std::numeric_limits<double>::infinity();
  for (uint32_t b = 0; b + 1 < slow(t).inf(); ++b) {
    const double here = slow(t).value(static_cast<uint16_t>(b));
    const double next = slow(t).value(static_cast<uint16_t>(b + 1));
    for (double d : {here, here + (next - here) / 2}) {
      for (double sign : {1.0, -1.0}) {
        const double v = sign * d;
        for (double x : {v, std::nextafter(v, dinf), std::nextafter(v, -dinf)}) {
          ASSERT_EQ(from_f64(t, x), slow(t).round(x)) << b << " " << x;
        }
        const auto f = static_cast<float>(v);  // exact but for bf16 subnormal midpoints' neighbours
        for (float x : {f, std::nextafter(f, inf), std::nextafter(f, -inf)}) {
          ASSERT_EQ(from_f32(t, x), slow(t).round(x)) << b << " " << x;
        }
      }
    }
  }
}

TEST_P(Half, NarrowingAgreesWithTheModelOnRandomPatterns) {
  const DType t = GetParam();
  std::mt19937_64 rng(7);
  for (int i = 0; i < 300000; ++i) {
    const auto f = std::bit_cast<float>(static_cast<uint32_t>(rng()));
    if (!std::isnan(f)) ASSERT_EQ(from_f32(t, f), slow(t).round(f)) << f;
    const auto d = std::bit_cast<double>(rng());
    if (!std::isnan(d)) ASSERT_EQ(from_f64(t, d), slow(t).round(d)) << d;
    // Doubles within the format's range are rare above: make some.
    const double near =
        std::ldexp(static_cast<double>(rng() >> 11), static_cast<int>(rng() % 90) - 110);
    ASSERT_EQ(from_f64(t, near), slow(t).round(near)) << near;
  }
}

TEST(Dtypes, OverflowStartsHalfAStepAboveTheLargest) {
  EXPECT_EQ(f32_to_f16(65519.996f), 0x7BFF);
  EXPECT_EQ(f32_to_f16(65520.0f), 0x7C00);
  EXPECT_EQ(f64_to_f16(-65520.0), 0xFC00);
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_EQ(f64_to_bf16(0x1.FEp127), 0x7F7F);
  EXPECT_EQ(f64_to_bf16(1e300), 0x7F80);
  EXPECT_EQ(f64_to_f16(5e-324), 0);
  EXPECT_EQ(f64_to_f16(-5e-324), 0x8000);
}

TEST(Dtypes, DoubleIsRoundedOnce) {
  // Just above a tie; through fp32 the excess is lost and the tie goes to even, below.
  EXPECT_EQ(f64_to_f16(1 + 0x1p-11 + 0x1p-40), 0x3C01);
  EXPECT_EQ(f32_to_f16(static_cast<float>(1 + 0x1p-11 + 0x1p-40)), 0x3C00);
  EXPECT_EQ(f64_to_bf16(1 + 0x1p-8 + 0x1p-40), 0x3F81);
  EXPECT_EQ(f32_to_bf16(static_cast<float>(1 + 0x1p-8 + 0x1p-40)), 0x3F80);
  // Just below a tie; through fp32 it becomes the tie and goes to even, above.
  EXPECT_EQ(f64_to_f16(1 + 3 * 0x1p-11 - 0x1p-40), 0x3C01);
  EXPECT_EQ(f32_to_f16(static_cast<float>(1 + 3 * 0x1p-11 - 0x1p-40)), 0x3C02);
}

TEST(Dtypes, NanKeepsItsPayloadAndBecomesQuiet) {
  EXPECT_EQ(std::bit_cast<uint32_t>(f16_to_f32(0x7C01)), 0x7FC02000u);
  EXPECT_EQ(std::bit_cast<uint32_t>(bf16_to_f32(0xFF81)), 0xFFC10000u);
  EXPECT_EQ(f32_to_f16(std::bit_cast<float>(0xFF802000u)), 0xFE01);
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x7F800001u)), 0x7FC0);  // no room: still a NaN
  EXPECT_EQ(f64_to_f16(std::bit_cast<double>(uint64_t{0x7FF0040000000000})), 0x7E01);
}

TEST_P(Half, StepsWalkTheNumberLine) {
  const DType t = GetParam();
  const uint16_t inf = slow(t).inf();
  const auto minus_inf = static_cast<uint16_t>(inf | 0x8000);
  EXPECT_EQ(step_toward(t, 0x8000, 1), 0x0001);
  EXPECT_EQ(step_toward(t, 0x0000, -1), 0x8001);
  EXPECT_EQ(step_toward(t, 0x8001, 1), 0x0000);
  EXPECT_EQ(step_toward(t, inf - 1, 1), inf);
  EXPECT_EQ(step_toward(t, inf, 1), inf);
  EXPECT_EQ(step_toward(t, inf, -1), inf - 1);
  EXPECT_EQ(step_toward(t, 0x1234, std::numeric_limits<int>::max()), inf);
  EXPECT_EQ(step_toward(t, 0x1234, std::numeric_limits<int>::min()), minus_inf);
  EXPECT_EQ(step_toward(t, inf + 1, 5), inf + 1);
  uint16_t at = minus_inf;
  double last = to_f64(t, at);
  int64_t steps = 0;
  while (at != inf) {
    at = step_toward(t, at, 1);
    ASSERT_GT(to_f64(t, at), last);
    last = to_f64(t, at);
    ++steps;
  }
  EXPECT_EQ(steps, 2 * int64_t{inf});
}

TEST_P(Half, UlpsCountSteps) {
  const DType t = GetParam();
  EXPECT_EQ(ulps_between(t, 0x0000, 0x8000), 0);
  EXPECT_EQ(ulps_between(t, 0x0001, 0x8001), 2);
  std::mt19937 rng(3);
  for (int i = 0; i < 1000; ++i) {
    const auto from = static_cast<uint16_t>(rng() % slow(t).inf());
    const int steps = static_cast<int>(rng() % 200) - 100;
    const uint16_t to = step_toward(t, from, steps);
    if (!is_inf(t, to)) {
      ASSERT_EQ(ulps_between(t, from, to), std::abs(steps));
      ASSERT_EQ(ulps_between(t, to, from), std::abs(steps));
    }
  }
}

TEST(Dtypes, NamesAndSizes) {
  for (DType t : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::u8, DType::i32,
                  DType::u32, DType::i64}) {
    EXPECT_EQ(dtype_from(name_of(t)), t);
  }
  EXPECT_EQ(dtype_from("fp16"), std::nullopt);
  EXPECT_EQ(bytes_of(DType::bf16), 2);
  EXPECT_EQ(bytes_of(DType::i64), 8);
  EXPECT_EQ(bytes_of(DType::u8), 1);
  EXPECT_EQ(bytes_of(DType::u32), 4);
  // Unit roundoff is half the distance from 1 to its neighbour.
  for (DType t : {DType::f16, DType::bf16}) {
    const uint16_t one = from_f64(t, 1);
    EXPECT_EQ(2 * unit_roundoff(t), to_f64(t, step_toward(t, one, 1)) - 1);
  }
  EXPECT_EQ(2 * unit_roundoff(DType::f32), std::numeric_limits<float>::epsilon());
}

}  // namespace
}  // namespace w4
