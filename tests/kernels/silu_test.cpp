// silu by kernels/silu.h against the formula in double, for every number of both types, and the
// gate that the declaration replays.
#include "kernels/silu.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "core/dtypes.h"
#include "kernels/numerics.h"

namespace w4 {
namespace {

// Neighbouring numbers have neighbouring places.
int64_t place(uint16_t bits) { return (bits & 0x8000) != 0 ? -int64_t{bits & 0x7fff} : bits; }

double exact(double x) { return x / (1 + std::exp(-x)); }

TEST(Silu, OfEveryNumberIsWithinOneUlpOfTheFormula) {
  for (const DType t : {DType::f16, DType::bf16}) {
    int64_t worst = 0, off = 0;
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const double x = to_f64(t, static_cast<uint16_t>(bits));
      if (!std::isfinite(x)) continue;
      const float y = silu(static_cast<float>(x));
      const uint16_t got = t == DType::f16 ? f32_to_f16(y) : f32_to_bf16(y);
      const int64_t distance = std::abs(place(got) - place(from_f64(t, exact(x))));
      worst = std::max(worst, distance);
      off += distance != 0;
      EXPECT_LE(distance, 1) << name_of(t) << " " << x << ": " << y << ", exact " << exact(x);
    }
    EXPECT_LE(worst, 1);
    EXPECT_LT(off, 100) << "rounded otherwise than the formula";
  }
}

TEST(Silu, IsWithinFourUlpOfFp32) {
  for (double x = -85; x < 85; x += 0.0037) {
    const auto f = static_cast<float>(x);
    const double want = exact(f);
    const double ulp = std::ldexp(1, std::ilogb(want) - 23);
    EXPECT_LE(std::abs(silu(f) - want), 4 * ulp) << x;
  }
}

TEST(Silu, OfTheEndsOfTheRange) {
  const float inf = HUGE_VALF;
  EXPECT_EQ(silu(inf), inf);
  EXPECT_TRUE(std::isnan(silu(-inf)));
  EXPECT_TRUE(std::isnan(silu(NAN)));
  EXPECT_EQ(silu(0.0f), 0.0f);
  EXPECT_TRUE(std::signbit(silu(-0.0f)));
  EXPECT_EQ(silu(3.4e38f), 3.4e38f);
  EXPECT_EQ(silu(-3.4e38f), 0.0f);
}

// By hand: silu(1) = 0.731058…, 0x39d9 in fp16 (0.73095703), 0x3f3b in bf16 (0.73046875).
TEST(Gate, RoundsToTheTypeBeforeItMultipliesInIt) {
  const auto gate = kMoeNumerics.gate;
  ASSERT_NE(gate, nullptr);
  EXPECT_EQ(gate(W4_F16, 0x3c00, 0x3c00), 0x39d9);
  EXPECT_EQ(gate(W4_BF16, 0x3f80, 0x3f80), 0x3f3b);
  // 0.73095703125 * 1.0009765625 = 0.7316708…: a tie of fp16 would not be; the unrounded silu's
  // product 0.731772… has another neighbour in bf16's case below.
  EXPECT_EQ(gate(W4_F16, 0x3c00, 0x3c01),
            f64_to_f16(to_f64(DType::f16, 0x39d9) * to_f64(DType::f16, 0x3c01)));
  EXPECT_EQ(gate(W4_BF16, 0x3f80, 0x40ff),
            f64_to_bf16(to_f64(DType::bf16, 0x3f3b) * to_f64(DType::bf16, 0x40ff)));
  int different = 0;
  for (uint16_t up = 0x3c00; up < 0x4000; ++up) {
    const uint16_t once = f64_to_f16(exact(1) * to_f64(DType::f16, up));
    different += gate(W4_F16, 0x3c00, up) != once;
  }
  EXPECT_GT(different, 50) << "the rounding between silu and product shows nowhere";
}

}  // namespace
}  // namespace w4
