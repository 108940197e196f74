// The weights of a GEMM tile in their forms, as the octets (8 elements of type T along K, in order)
// that go to LDS. Roundings of an element, q its code:
//   packed weights   fl(fl(q - z) * s), the difference exact for the integers 0..15
//   carrier, fp16    fl(fl(q * s) + b), b = fl(-z * s)        carrier, bf16    fl((q - z) * s)
//   dense            none
// (contract.md 7.5, 11.4, 11.5).
#pragma once

#include "kernels/dequant.h"
#include "kernels/device.h"

namespace w4::device {

// An element of fp16 is made by the magic constants of dequant.h, two at a time.
struct HalfCodes {
  Half2 low, high;  // what is added to 1024 + q and to 64 + q
  // 1024 + z and 64 + z taken off: bits count in steps of 1 and of 1/16 there.
  W4_DEVICE explicit HalfCodes(uint32_t z) {
    const uint32_t a = 0xe400u + z, b = 0xd400u + (z << 4);
    low = __builtin_bit_cast(Half2, a << 16 | a);
    high = __builtin_bit_cast(Half2, b << 16 | b);
  }
  // Elements 2i and 2i+1 of a word, q - z exactly.
  W4_DEVICE Half2 pair(uint32_t word, int i) const {
    constexpr Half kSixteenth = 0.0625f16;
    const uint32_t w = i < 2 ? word : word >> 8;
    if (i % 2 == 0) return __builtin_bit_cast(Half2, (w & 0x000f000fu) | 0x64006400u) + low;
    const Half2 x = __builtin_bit_cast(Half2, (w & 0x00f000f0u) | 0x64006400u);
    return fma(x, Half2{kSixteenth, kSixteenth}, high);
  }
};

// Code of element i of a word as a number: even elements in the low half, odd ones in the high.
W4_DEVICE float code_of(uint32_t word, int i) {
  const uint32_t bytes = i / 2 % 2 == 0 ? word & 0x0f0f0f0fu : word >> 4 & 0x0f0f0f0fu;
  return static_cast<float>(bytes >> (8 * (i / 4) + 16 * (i % 2)) & 0xffu);
}

// As round_to<Bf16> leaves them in the high half. A NaN that arithmetic on bf16 numbers gives has
// nothing in its low half that could carry.
W4_DEVICE uint32_t rounded_high(float f) {
  const uint32_t u = __builtin_bit_cast(uint32_t, f);
  return u + 0x7fffu + ((u >> 16) & 1u);
}
W4_DEVICE float rounded_bf16(float f) {
  return __builtin_bit_cast(float, rounded_high(f) & 0xffff0000u);
}

// From words of codes to elements. `code`: an integer zero point; `number`: one of type T.
template <class T, Zp zp>
struct Dequant;
template <Zp zp>
struct Dequant<Half, zp> {
  HalfCodes codes{0};
  Half2 scale, number;
  W4_DEVICE void set(Half s, uint32_t code, Half z) {
    codes = HalfCodes(zp == Zp::unpacked ? 0 : code);
    scale = Half2{s, s};
    number = Half2{z, z};
  }
  W4_DEVICE uint32_t pair(uint32_t word, int i) const {
    Half2 w = codes.pair(word, i);
    if constexpr (zp == Zp::unpacked) w = w - number;
    return __builtin_bit_cast(uint32_t, w* scale);
  }
};
template <Zp zp>
struct Dequant<Bf16, zp> {
  float scale, zero;
  W4_DEVICE void set(Bf16 s, uint32_t code, Bf16 z) {
    scale = to_float(s);
    zero = zp == Zp::unpacked ? to_float(z) : static_cast<float>(code);
  }
  // The product is exact in fp32: one rounding.
  W4_DEVICE float product(uint32_t word, int i) const {
    float w = code_of(word, i) - zero;
    if constexpr (zp == Zp::unpacked) w = rounded_bf16(w);
    return w * scale;
  }
  W4_DEVICE uint32_t pair(uint32_t word, int i) const {
    return high_halves(rounded_high(product(word, 2 * i)), rounded_high(product(word, 2 * i + 1)));
  }
};

// `count` words of a row from byte `at`, which is aligned to 4.
template <int count>
struct Words {
  uint32_t word[count];
  W4_DEVICE void load(const uint8_t* at) {
    if constexpr (count == 1) word[0] = load_aligned<uint32_t, 4>(at);
    if constexpr (count == 2) {
      const Words2 w = load_aligned<Words2, 4>(at);
      word[0] = w[0], word[1] = w[1];
    }
    if constexpr (count >= 4) {
#pragma unroll
      for (int i = 0; i < count; i += 4) {
        const Words4 w = load_aligned<Words4, 4>(at + 4 * i);
#pragma unroll
        for (int j = 0; j < 4; j++) word[i + j] = w[j];
      }
    }
  }
};

// Codes [N,K/2] bytes in shuffled order with scales and zero points [N,K/G]; strides in bytes and
// in elements.
template <class T, Zp zp>
struct PackedSource {
  const uint8_t* wei;
  const T* scale;
  const void* zp_base;
  int64_t wei_stride, scale_stride, zp_stride;

  template <int count>
  struct Octets {
    const uint8_t* row;
    const T* scale;
    const uint32_t* zp_words;
    const T* zp_numbers;
    uint32_t shift;
    Words<count> words;
    T s, number;
    uint32_t code;

    W4_DEVICE Octets(const PackedSource& o, uint32_t n)
        : row(o.wei + n * o.wei_stride),
          scale(o.scale + n * o.scale_stride),
          zp_words(static_cast<const uint32_t*>(o.zp_base) + (n / 8) * o.zp_stride),
          zp_numbers(static_cast<const T*>(o.zp_base) + n * o.zp_stride),
          shift(4 * (n % 8)) {}
    W4_DEVICE void load(uint32_t k, uint32_t group) {
      words.load(row + k / 2);
      s = scale[group];
      code = 8;
      number = T{};
      if constexpr (zp == Zp::packed) code = zp_words[group];
      if constexpr (zp == Zp::unpacked) number = zp_numbers[group];
    }
    W4_DEVICE Words4 octet(int i) const {
      Dequant<T, zp> d;
      d.set(s, zp == Zp::packed ? (code >> shift) & 15u : code, number);
      Words4 out;
#pragma unroll
      for (int j = 0; j < 4; j++) out[j] = d.pair(words.word[i], j);
      return out;
    }
  };
};

// Codes as above; one 32-bit word for each (n, g): the scale's bits, above them bias_eff (fp16) or
// z as an integer (bf16).
template <class T>
struct CarrierSource {
  const uint8_t* wei;
  const uint32_t* carrier;
  int64_t wei_stride, carrier_stride;

  template <int count>
  struct Octets {
    const uint8_t* row;
    const uint32_t* carrier;
    Words<count> words;
    uint32_t word;

    W4_DEVICE Octets(const CarrierSource& o, uint32_t n)
        : row(o.wei + n * o.wei_stride), carrier(o.carrier + n * o.carrier_stride) {}
    W4_DEVICE void load(uint32_t k, uint32_t group) {
      words.load(row + k / 2);
      word = carrier[group];
    }
    W4_DEVICE Words4 octet(int i) const {
      Words4 out;
#pragma unroll
      for (int j = 0; j < 4; j++) out[j] = pair(words.word[i], j, T{});
      return out;
    }

   private:
    W4_DEVICE uint32_t pair(uint32_t w, int j, Half) const {
      const auto s = __builtin_bit_cast(Half, static_cast<uint16_t>(word));
      const auto b = __builtin_bit_cast(Half, static_cast<uint16_t>(word >> 16));
      const Half2 product = HalfCodes(0).pair(w, j) * Half2{s, s};  // rounded before the sum
      return __builtin_bit_cast(uint32_t, product + Half2{b, b});
    }
    W4_DEVICE uint32_t pair(uint32_t w, int j, Bf16) const {
      Dequant<Bf16, Zp::packed> d;
      d.set(Bf16{static_cast<uint16_t>(word)}, word >> 16, {});
      return d.pair(w, j);
    }
  };
};

// Elements [N,K]; the stride in elements keeps rows at multiples of 4 bytes.
template <class T>
struct DenseSource {
  const T* wei;
  int64_t wei_stride;

  template <int count>
  struct Octets {
    const T* row;
    Words4 octets[count];

    W4_DEVICE Octets(const DenseSource& o, uint32_t n) : row(o.wei + n * o.wei_stride) {}
    W4_DEVICE void load(uint32_t k, uint32_t) {
#pragma unroll
      for (int i = 0; i < count; i++) octets[i] = load_aligned<Words4, 4>(row + k + 8 * i);
    }
    W4_DEVICE Words4 octet(int i) const { return octets[i]; }
  };
};

}  // namespace w4::device
