// The declaration of decode, pinned by hand-computed values: what is rounded, and what is not.
#include "kernels/numerics.h"

#include <gtest/gtest.h>

#include "core/dtypes.h"

namespace w4 {
namespace {

const w4_numerics& kDecode = kDecodeNumerics;

TEST(DecodeNumerics, IntegerZeroPointsAreExactAndTheScaleIsNotRoundedIn) {
  const double s = 0.1;  // not a 16-bit number: any rounding of the product would show
  for (int q = 0; q < 16; q++) {
    for (int z = 0; z < 16; z++) {
      EXPECT_EQ(kDecode.weight(W4_F16, q, z, s), (q - z) * s);
      EXPECT_EQ(kDecode.weight(W4_BF16, q, z, s), (q - z) * s);
    }
  }
}

TEST(DecodeNumerics, OtherZeroPointsAreSubtractedInTheKernelsFormat) {
  // 15 - 2^-11 needs 15 bits: fp16 has 11, and keeps multiples of 2^-7 there.
  EXPECT_EQ(kDecode.weight(W4_F16, 15, 0x1p-11, 1), 15);
  EXPECT_EQ(kDecode.weight(W4_F16, 15, 1.5, 2), 27);
  // fp32 keeps 128 + 2^-11, and drops 2^-20.
  EXPECT_EQ(kDecode.weight(W4_BF16, 15, 0x1p-11, 1), 15 - 0x1p-11);
  EXPECT_EQ(kDecode.weight(W4_BF16, 15, 0x1p-20, 1), 15);
}

TEST(DecodeNumerics, TheBiasIsAddedInFp32BeforeTheOneRounding) {
  // 1 + 2^-11 is a tie in fp16 (to 1); with the bias added after rounding the answer would be 1.
  EXPECT_EQ(kDecode.store(W4_F16, 1 + 0x1p-11, 0x1p-20, 1), f64_to_f16(1 + 0x1p-10));
  EXPECT_EQ(kDecode.store(W4_F16, 1 + 0x1p-11, 0x1p-20, 0), f64_to_f16(1));
  EXPECT_EQ(kDecode.store(W4_F16, 65519, 0, 1), 0x7bff);
  EXPECT_EQ(kDecode.store(W4_F16, 65520, 0, 1), 0x7c00);
  EXPECT_EQ(kDecode.store(W4_BF16, 1 + 0x1p-8, 0, 0), f64_to_bf16(1));
}

TEST(DecodeNumerics, ChainsCountWhatTheLongestLaneDoes) {
  // K = 512: one chunk in lane 0: 8 dot2, 1 scale fma, 5 additions.
  const w4_chain one = kDecode.chain(W4_F16, 1, 64, 512, 128, 20);
  EXPECT_EQ(one.unit, W4_UNIT_DOT2);
  EXPECT_EQ(one.steps, 14);
  EXPECT_EQ(one.chunk, 16);
  EXPECT_EQ(one.chunks, 1);
  EXPECT_EQ(one.offset_trick, 0);
  EXPECT_EQ(kDecode.chain(W4_F16, 1, 64, 544, 32, 20).chunks, 2);
  EXPECT_EQ(kDecode.chain(W4_F16, 5, 64, 4096, 128, 20).steps, 21);
  const w4_chain bf16 = kDecode.chain(W4_BF16, 1, 64, 4096, 128, 20);
  EXPECT_EQ(bf16.steps, 22);
  EXPECT_EQ(bf16.chunks, 8);
  EXPECT_EQ(bf16.offset_trick, 1);
}

TEST(ChunkedNumerics, AChunkOf32IsDeclaredWhereOneMayRun) {
  const w4_numerics& chunked = kChunkedNumerics;
  // M = 2, K = 65536: 128 chunks of 16 a lane; 8 dot2, 128 fma, 5 additions.
  const w4_chain two = chunked.chain(W4_F16, 2, 64, 65536, 128, 20);
  EXPECT_EQ(two.unit, W4_UNIT_DOT2);
  EXPECT_EQ(two.chunk, 16);
  EXPECT_EQ(two.chunks, 128);
  EXPECT_EQ(two.steps, 141);
  EXPECT_EQ(two.offset_trick, 0);
  // M = 1 within the array: as long as a chunk of 32, as many as of 16.
  const w4_chain one = chunked.chain(W4_BF16, 1, 64, 32768, 128, 20);
  EXPECT_EQ(one.chunk, 32);
  EXPECT_EQ(one.chunks, 64);
  EXPECT_EQ(one.steps, 16 + 1 + 64 + 5);
  EXPECT_EQ(one.offset_trick, 1);
  EXPECT_EQ(chunked.chain(W4_F16, 1, 64, 32800, 32, 20).chunk, 16);
}

TEST(ChunkedNumerics, WeightsAreExactAndTheBiasIsAddedBeforeTheOneRounding) {
  const w4_numerics& chunked = kChunkedNumerics;
  for (int q = 0; q < 16; q++) {
    for (int z = 0; z < 16; z++) {
      EXPECT_EQ(chunked.weight(W4_F16, q, z, 0.1), (q - z) * 0.1);
      EXPECT_EQ(chunked.weight(W4_BF16, q, z, 0.1), (q - z) * 0.1);
    }
  }
  EXPECT_EQ(chunked.store(W4_F16, 1 + 0x1p-11, 0x1p-20, 1), f64_to_f16(1 + 0x1p-10));
  EXPECT_EQ(chunked.store(W4_BF16, 1 + 0x1p-8, 0, 0), f64_to_bf16(1));
}

}  // namespace
}  // namespace w4
