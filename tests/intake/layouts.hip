// A GEMV for every layout a manifest can name, one thread an element of out, in fp32: what the
// manifests of manifest_layouts_test.cpp are about. Mangled names, many instantiations.
//   Wei    sequential i32 [N,K/8] · awq i32 [K,N/8] · gptq i32 [K/8,N] · shuffled · dense T [N,K]
//   Zeros  none · packed i32 [N/8,K/G] · unpacked T [N,K/G] · awq, gptq1, gptq2 i32 [K/G,N/8] ·
//          plus_one, wraps: packed, z is one more than what is stored, modulo 16
// awq and gptq weights have scales [K/G,N], the others [N,K/G]. Strides in elements.
#include "kernels/device.h"

namespace layouts {

using w4::device::Bf16;
using w4::device::Half;
using w4::device::round_to;
using w4::device::to_float;

enum class Wei { sequential, awq, gptq, shuffled, dense };
enum class Zeros { none, packed, unpacked, awq, gptq1, gptq2, plus_one, wraps };

// The nibble of a word that holds logical position i of an AWQ or shuffled word.
W4_DEVICE uint32_t slot(uint32_t i) { return i / 2 + i % 2 * 4; }

template <Wei wei>
W4_DEVICE uint32_t code(const uint32_t* w, uint32_t n, uint32_t k, uint32_t stride) {
  if constexpr (wei == Wei::sequential) return w[n * stride + k / 8] >> 4 * (k % 8) & 15;
  if constexpr (wei == Wei::awq) return w[k * stride + n / 8] >> 4 * slot(n % 8) & 15;
  if constexpr (wei == Wei::gptq) return w[k / 8 * stride + n] >> 4 * (k % 8) & 15;
  // Its stride counts bytes, as its rows are i8.
  return w[n * (stride / 4) + k / 8] >> 4 * slot(k % 8) & 15;
}

template <class T, Zeros zeros>
W4_DEVICE float zero(const void* zp, uint32_t n, uint32_t g, uint32_t stride) {
  const auto* words = static_cast<const uint32_t*>(zp);
  if constexpr (zeros == Zeros::none) return 8;
  if constexpr (zeros == Zeros::packed) return words[n / 8 * stride + g] >> 4 * (n % 8) & 15;
  if constexpr (zeros == Zeros::plus_one) return (words[n / 8 * stride + g] >> 4 * (n % 8) & 15) + 1;
  if constexpr (zeros == Zeros::wraps) return ((words[n / 8 * stride + g] >> 4 * (n % 8)) + 1) & 15;
  if constexpr (zeros == Zeros::unpacked) return to_float(static_cast<const T*>(zp)[n * stride + g]);
  if constexpr (zeros == Zeros::awq) return words[g * stride + n / 8] >> 4 * slot(n % 8) & 15;
  const uint32_t stored = words[g * stride + n / 8] >> 4 * (n % 8) & 15;
  return zeros == Zeros::gptq1 ? (stored + 1) & 15 : stored;
}

template <class T, Wei wei, Zeros zeros, int G>
__attribute__((global)) void gemv(const T* act, const void* weights, const T* scale, const void* zp,
                                  const T* bias, T* out, float* sums, uint32_t n, int32_t k,
                                  int32_t lda, int32_t ldw, int32_t lds, int32_t ldz, int32_t ldy,
                                  int64_t bias_m, int64_t bias_n, float one) {
  const uint32_t col = 64 * __builtin_amdgcn_workgroup_id_x() + __builtin_amdgcn_workitem_id_x();
  const uint32_t row = __builtin_amdgcn_workgroup_id_y();
  if (col >= n) return;
  float* sum = sums + row * n + col;  // of zeros
  for (int32_t i = 0; i < k; i++) {
    float w;
    if constexpr (wei == Wei::dense) {
      w = to_float(static_cast<const T*>(weights)[col * ldw + i]);
    } else {
      const uint32_t g = i / G;
      constexpr bool turned = wei == Wei::awq || wei == Wei::gptq;
      const float s = to_float(turned ? scale[g * lds + col] : scale[col * lds + g]);
      const uint32_t q = code<wei>(static_cast<const uint32_t*>(weights), col, i, ldw);
      w = (q - zero<T, zeros>(zp, col, g, ldz)) * s;
    }
    *sum = w4::device::fma(to_float(act[row * lda + i]) * one, w, *sum);
  }
  float total = *sum;
  if (bias != nullptr) total += to_float(bias[row * bias_m + col * bias_n]);
  out[row * ldy + col] = round_to<T>(total);
}

#define GEMV(T, W, Z, G)                                                                       \
  template __attribute__((global)) void gemv<T, Wei::W, Zeros::Z, G>(                          \
      const T*, const void*, const T*, const void*, const T*, T*, float*, uint32_t, int32_t,   \
      int32_t, int32_t, int32_t, int32_t, int32_t, int64_t, int64_t, float);
#define GEMV_GROUPS(T, W, Z) GEMV(T, W, Z, 32) GEMV(T, W, Z, 64)
GEMV_GROUPS(Half, sequential, packed)
GEMV_GROUPS(Half, sequential, none)
GEMV_GROUPS(Half, awq, awq)
GEMV_GROUPS(Half, gptq, gptq1)
GEMV_GROUPS(Half, gptq, gptq2)
GEMV_GROUPS(Half, shuffled, none)
GEMV_GROUPS(Half, shuffled, packed)
GEMV_GROUPS(Half, shuffled, unpacked)
GEMV_GROUPS(Half, shuffled, plus_one)
GEMV_GROUPS(Half, shuffled, wraps)
GEMV_GROUPS(Half, dense, none)
GEMV_GROUPS(Bf16, shuffled, packed)

}  // namespace layouts

// Two kernels that one pattern without a parameter list cannot tell apart.
template <int G>
__attribute__((global)) void twice(const float*, const void*, const float*, float* out) { *out = G; }
template <int G>
__attribute__((global)) void twice(const int*, const void*, const int*, int* out) { *out = G; }
template __attribute__((global)) void twice<32>(const float*, const void*, const float*, float*);
template __attribute__((global)) void twice<32>(const int*, const void*, const int*, int*);
