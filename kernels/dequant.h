// From a lane's 16 codes (two shuffled words) and 16 activations to the chunk's partial sum
//   sum_i act[i] * (q[i] - z),
// by the magic constants of contract.md 6.10: the codes become 16-bit numbers by OR-ing exponent
// bits over them, without an integer conversion. The scale is applied to the fp32 partial.
#pragma once

#include "kernels/device.h"

namespace w4::device {

enum class Zp { symmetric, packed, unpacked };

// 16 activations as two 16-byte pieces.
struct Chunk {
  Words4 half[2];
  W4_DEVICE uint32_t pair(int i) const { return half[i / 4][i % 4]; }  // elements 2i, 2i+1
};

// z of one (n, g), in the form the arithmetic of type T wants.
template <class T, Zp zp>
struct ZeroPoint;
template <Zp zp>
struct ZeroPoint<Half, zp> {
  Half z;
};
template <Zp zp>
struct ZeroPoint<Bf16, zp> {
  float offset;  // 128 + z: the factor of the activation sum
};

// The zero points of row n. Packed: row n sits in words [n div 8, g] at bits 4*(n mod 8).
template <class T, Zp zp>
struct ZeroRow {
  const uint32_t* words;
  const T* numbers;
  uint32_t shift;

  ZeroRow() = default;
  W4_DEVICE ZeroRow(const void* zp_base, int64_t stride, uint32_t n)
      : words(static_cast<const uint32_t*>(zp_base) + (n / 8) * stride),
        numbers(static_cast<const T*>(zp_base) + n * stride),
        shift(4 * (n % 8)) {}

  W4_DEVICE ZeroPoint<T, zp> at(uint32_t g) const {
    if constexpr (zp == Zp::packed) return from((words[g] >> shift) & 15u);
    if constexpr (zp == Zp::unpacked) return from(numbers[g]);
    return from(8u);
  }

 private:
  W4_DEVICE static ZeroPoint<T, zp> from(uint32_t code) {
    if constexpr (sizeof(ZeroPoint<T, zp>) == sizeof(Half)) {
      return {static_cast<Half>(static_cast<uint16_t>(code))};
    } else {
      return {128.0f + static_cast<float>(code)};
    }
  }
  W4_DEVICE static ZeroPoint<T, zp> from(Half number) { return {number}; }
  W4_DEVICE static ZeroPoint<T, zp> from(Bf16 number) { return {128.0f + to_float(number)}; }
};

// Sum of a chunk's activations; only bf16 needs it.
template <class T>
struct ActSum;
template <>
struct ActSum<Half> {
  ActSum() = default;
  W4_DEVICE explicit ActSum(const Chunk&) {}
};
template <>
struct ActSum<Bf16> {
  float sum;
  ActSum() = default;
  W4_DEVICE explicit ActSum(const Chunk& act) : sum(0.0f) {
    constexpr uint32_t kOnes = 0x3f803f80;
#pragma unroll
    for (int i = 0; i < 8; i++) sum = dot2_bf16(act.pair(i), kOnes, sum);
  }
};

template <class T>
struct Weights;

// fp16: q - z in fp16, exact for every integer z in 0..15 (checked in contract.md 6.10).
template <>
struct Weights<Half> {
  Half2 w[8];

  template <Zp zp>
  W4_DEVICE Weights(Words2 words, const ZeroPoint<Half, zp>& zero) {
    // -1024 - bias and -64 - bias: the symmetric constants take the 8 along.
    constexpr Half kLo = zp == Zp::symmetric ? -1032 : -1024;
    constexpr Half kHi = zp == Zp::symmetric ? -72 : -64;
    constexpr Half kSixteenth = 0.0625f16;
#pragma unroll
    for (int i = 0; i < 2; i++) {
#pragma unroll
      for (int j = 0; j < 2; j++) {
        const uint32_t word = words[i] >> (8 * j);
        const Half2 lo = __builtin_bit_cast(Half2, (word & 0x000f000fu) | 0x64006400u);
        const Half2 hi = __builtin_bit_cast(Half2, (word & 0x00f000f0u) | 0x64006400u);
        w[4 * i + 2 * j] = lo + Half2{kLo, kLo};
        w[4 * i + 2 * j + 1] = fma(hi, Half2{kSixteenth, kSixteenth}, Half2{kHi, kHi});
      }
    }
    if constexpr (zp != Zp::symmetric) {
#pragma unroll
      for (int i = 0; i < 8; i++) w[i] = w[i] - Half2{zero.z, zero.z};
    }
  }

  template <Zp zp>
  W4_DEVICE float dot(const Chunk& act, const ActSum<Half>&, const ZeroPoint<Half, zp>&) const {
    float partial = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++) {
      partial = dot2(__builtin_bit_cast(Half2, act.pair(i)), w[i], partial);
    }
    return partial;
  }
};

// bf16: 128 + q, exact; (128 + z) * sum(act) is taken off the partial.
template <>
struct Weights<Bf16> {
  uint32_t w[8];

  template <Zp zp>
  W4_DEVICE Weights(Words2 words, const ZeroPoint<Bf16, zp>&) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      w[i] = ((words[i / 4] >> (4 * (i % 4))) & 0x000f000fu) | 0x43004300u;
  }

  template <Zp zp>
  W4_DEVICE float dot(const Chunk& act, const ActSum<Bf16>& act_sum,
                      const ZeroPoint<Bf16, zp>& zero) const {
    float partial = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++) partial = dot2_bf16(act.pair(i), w[i], partial);
    return fma(-zero.offset, act_sum.sum, partial);
  }
};

}  // namespace w4::device
