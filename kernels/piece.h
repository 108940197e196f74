// From one word of codes and 8 activations to their part of a chunk's partial sum
//   sum_i act[i] * (q[i] - z),
// by the magic constants of contract.md 6.10 with the zero point folded into them: q - z costs no
// more with a zero point than without. A chunk of A elements is A/8 pieces, taken in order of k.
#pragma once

#include "kernels/dequant.h"

namespace w4::device {

inline constexpr int kPiece = 8;  // activations in a 16-byte load, codes in a word

// z of one (n, g) as the arithmetic of T wants it. On input: 0..15; 8 where symmetric.
template <class T, Zp zp>
struct FoldedZero;

// fp16: 1024 + q - (1024 + z), and (1024 + 16 q) / 16 - (64 + z): one unit in the last place is 1
// at 1024 and 1/16 at 64, so z is added to the bits. Exact for every q and z.
template <>
struct FoldedZero<Half, Zp::symmetric> {
  FoldedZero() = default;
  W4_DEVICE explicit FoldedZero(uint32_t) {}
  W4_DEVICE Half2 lo() const { return {-1032, -1032}; }
  W4_DEVICE Half2 hi() const { return {-72, -72}; }
};
template <>
struct FoldedZero<Half, Zp::packed> {
  uint32_t low, high;
  FoldedZero() = default;
  W4_DEVICE explicit FoldedZero(uint32_t z)
      : low(0xe400e400u + z * 0x00010001u), high(0xd400d400u + z * 0x00100010u) {}
  W4_DEVICE Half2 lo() const { return __builtin_bit_cast(Half2, low); }
  W4_DEVICE Half2 hi() const { return __builtin_bit_cast(Half2, high); }
};
template <Zp zp>
struct FoldedZero<Bf16, zp> {
  float offset;  // 128 + z: the factor of the chunk's activation sum
  FoldedZero() = default;
  W4_DEVICE explicit FoldedZero(uint32_t z) : offset(128.0f + static_cast<float>(z)) {}
};

// The sum over a chunk's activations as it grows piece by piece; only bf16 needs it.
template <class T>
struct PieceSum;
template <>
struct PieceSum<Half> {
  W4_DEVICE void add(Words4) {}
};
template <>
struct PieceSum<Bf16> {
  float sum = 0.0f;
  W4_DEVICE void add(Words4 act) {
    constexpr uint32_t kOnes = 0x3f803f80;
#pragma unroll
    for (int i = 0; i < 4; i++) sum = dot2_bf16(act[i], kOnes, sum);
  }
};

// 8 codes as four pairs (k0,k1) … (k6,k7) of the shuffled word. add(): the piece's products onto
// `partial`. finish(): what the whole chunk's partial still lacks.
template <class T>
struct Piece;

template <>
struct Piece<Half> {
  Half2 w[4];

  template <Zp zp>
  W4_DEVICE Piece(uint32_t word, const FoldedZero<Half, zp>& zero) {
    constexpr Half kSixteenth = 0.0625f16;
#pragma unroll
    for (int j = 0; j < 2; j++) {
      const uint32_t shifted = word >> (8 * j);
      const Half2 lo = __builtin_bit_cast(Half2, (shifted & 0x000f000fu) | 0x64006400u);
      const Half2 hi = __builtin_bit_cast(Half2, (shifted & 0x00f000f0u) | 0x64006400u);
      w[2 * j] = lo + zero.lo();
      w[2 * j + 1] = fma(hi, Half2{kSixteenth, kSixteenth}, zero.hi());
    }
  }
  W4_DEVICE float add(Words4 act, float partial) const {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const uint32_t pair = act[i];
      partial = dot2(__builtin_bit_cast(Half2, pair), w[i], partial);
    }
    return partial;
  }
  template <Zp zp>
  W4_DEVICE static float finish(float partial, const PieceSum<Half>&, const FoldedZero<Half, zp>&) {
    return partial;
  }
};

// bf16: 128 + q, exact; (128 + z) * sum(act) is taken off the chunk's partial.
template <>
struct Piece<Bf16> {
  uint32_t w[4];

  template <Zp zp>
  W4_DEVICE Piece(uint32_t word, const FoldedZero<Bf16, zp>&) {
#pragma unroll
    for (int i = 0; i < 4; i++) w[i] = ((word >> (4 * i)) & 0x000f000fu) | 0x43004300u;
  }
  W4_DEVICE float add(Words4 act, float partial) const {
#pragma unroll
    for (int i = 0; i < 4; i++) partial = dot2_bf16(act[i], w[i], partial);
    return partial;
  }
  template <Zp zp>
  W4_DEVICE static float finish(float partial, const PieceSum<Bf16>& act,
                                const FoldedZero<Bf16, zp>& zero) {
    return fma(-zero.offset, act.sum, partial);
  }
};

}  // namespace w4::device
