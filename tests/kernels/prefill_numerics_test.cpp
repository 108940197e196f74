// The declarations of the prefill kernels, pinned by hand-computed values.
#include <gtest/gtest.h>

#include <cmath>

#include "core/dtypes.h"
#include "kernels/numerics.h"

namespace w4 {
namespace {

TEST(PrefillNumerics, TheProductIsRoundedOnceAndTheDifferenceIsExact) {
  const w4_numerics& p = kPrefillNumerics;
  // 7 * (1 + 2^-10) = 7 + 7*2^-10; fp16 keeps multiples of 2^-8 there: 7 + 2*2^-8 by 1.75.
  EXPECT_EQ(p.weight(W4_F16, 15, 8, 1 + 0x1p-10), 7 + 2 * 0x1p-8);
  // A tie: 3 * (1 + 2^-10) = 3 + 1.5 * 2^-9 goes to the even neighbour above.
  EXPECT_EQ(p.weight(W4_F16, 11, 8, 1 + 0x1p-10), 3 + 2 * 0x1p-9);
  EXPECT_EQ(p.weight(W4_BF16, 15, 8, 1 + 0x1p-7), 7 + 2 * 0x1p-5);
  EXPECT_EQ(p.weight(W4_F16, 5, 5, 65504), 0);
  // Overflow, though a sum with it might be finite.
  EXPECT_EQ(p.weight(W4_F16, 15, 0, 65504), INFINITY);
  EXPECT_EQ(p.weight(W4_F16, 0, 15, 65504), -INFINITY);
  // A zero point that is no integer: 15 - 2^-11 rounds to 15 first.
  EXPECT_EQ(p.weight(W4_F16, 15, 0x1p-11, 1), 15);
  EXPECT_EQ(p.weight(W4_BF16, 15, 0x1p-5, 1), 15);
}

TEST(PrefillNumerics, TheBiasIsAddedAfterTheSumWasRounded) {
  const w4_numerics& p = kPrefillNumerics;
  // 1 + 2^-11 rounds to 1 (a tie); with the bias added before it would be 1 + 2^-10.
  EXPECT_EQ(p.store(W4_F16, 1 + 0x1p-11, 0x1p-20, 1), f64_to_f16(1));
  EXPECT_EQ(p.store(W4_F16, 1 + 0x1p-11, 0x1p-20, 0), f64_to_f16(1));
  EXPECT_EQ(p.store(W4_F16, 65519, 32, 1), 0x7c00);  // 65504 + 32 is past the last one
  EXPECT_EQ(p.store(W4_F16, 65520, -65504, 1), 0x7c00);
  EXPECT_EQ(p.store(W4_BF16, 256, 1, 1), f64_to_bf16(256));  // a tie to even
  EXPECT_EQ(p.store(W4_BF16, 256, 3, 1), f64_to_bf16(260));
}

TEST(PrefillNumerics, TheCarrierRoundsProductAndTermByThemselves) {
  const w4_numerics& p = kPrefillCarrierNumerics;
  const double s = 1 + 0x1p-10;
  for (int z = 0; z < 16; z++) EXPECT_EQ(p.weight(W4_F16, z, z, s), 0) << z;
  // fl(15 s) = 15 + 2*2^-7, fl(14 s) = 14 + 2*2^-7 (14 * 2^-10 = 1.75 * 2^-7): 1, not s.
  EXPECT_EQ(p.weight(W4_F16, 15, 14, s), 1);
  EXPECT_EQ(kPrefillNumerics.weight(W4_F16, 15, 14, s), s);
  // z s below 65520 rounds down, from there on it is infinite (contract.md 11.4).
  EXPECT_EQ(p.weight(W4_F16, 0, 15, 4366), -65504);  // 65490
  EXPECT_EQ(p.weight(W4_F16, 0, 15, 4368), -INFINITY);
  EXPECT_EQ(p.weight(W4_BF16, 15, 14, 1 + 0x1p-7), 1 + 0x1p-7);
}

TEST(PrefillNumerics, ChainsCountProducts) {
  const w4_chain c = kPrefillNumerics.chain(W4_BF16, 64, 64, 4096, 128, 20);
  EXPECT_EQ(c.unit, W4_UNIT_WMMA);
  EXPECT_EQ(c.steps, 4096);
  EXPECT_EQ(c.chunk, 16);
  EXPECT_EQ(c.offset_trick, 0);
}

}  // namespace
}  // namespace w4
