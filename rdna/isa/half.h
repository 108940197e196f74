// fp16 and fp32 rows for the handlers: exact widening, one rounding on the way down, and the
// round-to-odd step that makes fp32 a safe intermediate for a fused fp16 operation.
#pragma once

#include <immintrin.h>

#include <bit>

#include "rdna/lanes.h"

namespace w4::rdna {

struct alignas(64) Floats {
  float v[kLanes];
};

inline float as_f32(uint32_t x) { return std::bit_cast<float>(x); }
inline uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }

// Low halves of eight words as eight 16-bit values.
inline __m128i low_halves(__m256i x) {
  const __m256i lo = _mm256_and_si256(x, _mm256_set1_epi32(0xffff));
  return _mm_packus_epi32(_mm256_castsi256_si128(lo), _mm256_extracti128_si256(lo, 1));
}
inline __m256i load8(const uint32_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
inline void store8(uint32_t* p, __m256i x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x);
}

// Eight halves, packed in four words.
inline __m256 widen8(const uint32_t* p) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void narrow8(uint32_t* p, __m256 x) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
}

// The half at `shift` (0 or 16) of each word, as fp32.
inline void halves_to_f32(const uint32_t* a, int shift, Floats& out) {
  for (int l = 0; l < kLanes; l += 8) {
    const __m256i x = _mm256_srl_epi32(load8(a + l), _mm_cvtsi32_si128(shift));
    _mm256_store_ps(out.v + l, _mm256_cvtph_ps(low_halves(x)));
  }
}
// fp16 (nearest even) in the low half of each word.
inline void f32_to_halves(const Floats& a, Lanes& out) {
  for (int l = 0; l < kLanes; l += 8) {
    const __m128i h = _mm256_cvtps_ph(_mm256_load_ps(a.v + l), _MM_FROUND_TO_NEAREST_INT);
    store8(out.v + l, _mm256_cvtepu16_epi32(h));
  }
}

// NaN results of arithmetic are the one quiet NaN: payloads are not modelled, and the host's depend
// on the order in which the compiler puts operands.
inline uint32_t one_nan(uint32_t x) { return (x & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : x; }
inline float one_nan(float x) { return as_f32(one_nan(bits_of(x))); }
inline double one_nan(double x) { return x != x ? __builtin_nan("") : x; }
inline __m256 one_nan(__m256 x) {
  return _mm256_blendv_ps(x, _mm256_set1_ps(__builtin_nanf("")), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

// a * b + c with a, b, c fp16 values: the product is exact in fp32, the sum is rounded to odd, so
// that a following rounding to fp16 equals one rounding of the exact result (24 >= 11 + 2 bits).
inline __m256 fma_to_odd(__m256 a, __m256 b, __m256 c) {
  const __m256 p = _mm256_mul_ps(a, b);
  const __m256 s = _mm256_add_ps(p, c);
  const __m256 t = _mm256_sub_ps(s, p);
  const __m256 e = _mm256_add_ps(_mm256_sub_ps(p, _mm256_sub_ps(s, t)), _mm256_sub_ps(c, t));
  const __m256i si = _mm256_castps_si256(s), ei = _mm256_castps_si256(e);
  // Ordered: a NaN error (from an infinity) asks for no step.
  const __m256i inexact = _mm256_castps_si256(_mm256_cmp_ps(e, _mm256_setzero_ps(), _CMP_NEQ_OQ));
  const __m256i even =
      _mm256_cmpeq_epi32(_mm256_and_si256(si, _mm256_set1_epi32(1)), _mm256_setzero_si256());
  // +1 away from zero where the error has the sign of the sum, else -1.
  const __m256i step =
      _mm256_or_si256(_mm256_srai_epi32(_mm256_xor_si256(si, ei), 31), _mm256_set1_epi32(1));
  return _mm256_castsi256_ps(
      _mm256_add_epi32(si, _mm256_and_si256(step, _mm256_and_si256(inexact, even))));
}

// The same where most sums are exact or far from a tie. A rounding to fp32 before that to fp16 is
// one too many only where it lands on the middle between two fp16 values: 13 low bits of 0x1000, or
// anything below 2^-14, where fp16 has fewer bits.
inline __m256 fma_for_half(__m256 a, __m256 b, __m256 c) {
  const __m256 s = _mm256_add_ps(_mm256_mul_ps(a, b), c);
  const __m256i si = _mm256_castps_si256(s);
  const __m256i tie = _mm256_cmpeq_epi32(_mm256_and_si256(si, _mm256_set1_epi32(0x1fff)),
                                         _mm256_set1_epi32(0x1000));
  // Zero wraps to the top and is not small.
  const __m256i below =
      _mm256_sub_epi32(_mm256_and_si256(si, _mm256_set1_epi32(0x7fffffff)), _mm256_set1_epi32(1));
  const __m256i small =
      _mm256_cmpeq_epi32(_mm256_min_epu32(below, _mm256_set1_epi32(0x387ffffe)), below);
  const __m256i doubtful = _mm256_or_si256(tie, small);
  if (_mm256_testz_si256(doubtful, doubtful)) [[likely]]
    return s;
  return fma_to_odd(a, b, c);
}

}  // namespace w4::rdna
