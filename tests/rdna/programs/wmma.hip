// A W4A16 tile kernel on matrix instructions, clean and with one fault each, and the 16-bit sums;
// wmma_test.cpp computes the same answers on the host.
#include "tests/rdna/programs/mini.h"

#if defined(__gfx1200__) || defined(__gfx1201__)
#define GFX12 1
constexpr int kPerLane = 8;  // elements of A and B in a lane
#else
#define GFX12 0
constexpr int kPerLane = 16;
#endif

using Half = _Float16;
struct Brain {};
using Float8 = float __attribute__((ext_vector_type(8)));
using Word4 = u32 __attribute__((ext_vector_type(4)));
template <class T>
using Vector = T __attribute__((ext_vector_type(kPerLane)));
using Halves = Vector<Half>;
using Shorts = Vector<short>;

enum Fault { kClean, kNoGuard, kNoBarrierAfter, kNoBarrierBefore, kShortStaging, kWrongRows, kWrongCopy, kOneLaneOff };

__device__ inline Float8 multiply(Half, Shorts a, Shorts b, Float8 c) {
  const Halves x = __builtin_bit_cast(Halves, a), y = __builtin_bit_cast(Halves, b);
#if GFX12
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, c);
#else
  return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, c);
#endif
}
__device__ inline Float8 multiply(Brain, Shorts a, Shorts b, Float8 c) {
#if GFX12
  return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c);
#else
  return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c);
#endif
}
__device__ inline u16 rounded(Half, float x) { return __builtin_bit_cast(u16, static_cast<Half>(x)); }
__device__ inline u16 rounded(Brain, float x) {
  const u32 b = __builtin_bit_cast(u32, x);
  return static_cast<u16>((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

constexpr int kTile = 32, kStep = 32, kPitch = kStep + 8;

// y[m][n] = x[m][k] * ((w - 8) * scale)[n][k]: 2 waves, 32 x 32 of y a workgroup.
template <class T, Fault kFault>
__device__ inline void tile(const u32* w, const u16* x, const Half* scale, float* y, int m, int n, int k, int group) {
  __shared__ __attribute__((aligned(16))) u16 xs[kTile][kPitch], ws[kTile][kPitch];
  const int t = static_cast<int>(thread()), lane = t & 31, wave = t >> 5, line = lane & 15, upper = lane >> 4;
  const int n0 = static_cast<int>(__builtin_amdgcn_workgroup_id_x()) * kTile;
  const int m0 = static_cast<int>(__builtin_amdgcn_workgroup_id_y()) * kTile;
  Float8 sum[2] = {};
  for (int k0 = 0; k0 < k; k0 += kStep) {
    const int chunks = kTile * kStep / 8 - (kFault == kShortStaging ? 3 : 0);
    for (int i = t; i < chunks; i += 64) {
      const int row = i / (kStep / 8), at = i % (kStep / 8) * 8;
      Word4 v = {0, 0, 0, 0};
      if (kFault == kNoGuard || m0 + row < m)
        v = *reinterpret_cast<const Word4*>(&x[(m0 + row) * k + k0 + at]);
      *reinterpret_cast<Word4*>(&xs[row][at]) = v;
      const bool inside = n0 + row < n;
      const u32 packed = inside ? w[((n0 + row) * k + k0 + at) / 8] : 0x88888888u;
      const float s = inside ? static_cast<float>(scale[(n0 + row) * (k / group) + (k0 + at) / group]) : 0.f;
      for (int j = 0; j < 8; ++j)
        ws[row][at + j] = rounded(T{}, s * static_cast<float>(static_cast<int>(packed >> (4 * j) & 15) - 8));
    }
    if (kFault != kNoBarrierAfter) barrier();
    for (int kk = 0; kk < kStep; kk += 16) {
      const int first = GFX12 ? kk + upper * 8 : kk;
      const int row = kFault == kWrongCopy && upper ? line ^ 1 : line;
      const Shorts a = *reinterpret_cast<const Shorts*>(&xs[wave * 16 + row][first]);
      for (int j = 0; j < 2; ++j) {
        const Shorts b = *reinterpret_cast<const Shorts*>(&ws[j * 16 + line][first]);
        if (kFault == kOneLaneOff) {
          if (lane != 13) sum[j] = multiply(T{}, a, b, sum[j]);
        } else {
          sum[j] = multiply(T{}, a, b, sum[j]);
        }
      }
    }
    if (kFault != kNoBarrierBefore) barrier();
  }
  constexpr bool kInterleaved = (GFX12 != 0) == (kFault == kWrongRows);
  for (int j = 0; j < 2; ++j) {
    for (int v = 0; v < 8; ++v) {
      const int row = m0 + wave * 16 + (kInterleaved ? v * 2 + upper : v + upper * 8), column = n0 + j * 16 + line;
      if (row < m && column < n) y[row * n + column] = sum[j][v];
    }
  }
}

#define TILE(NAME, T, FAULT)                                                                                        \
  __global__ __launch_bounds__(64) void NAME(const u32* w, const u16* x, const Half* scale, float* y, int m, int n, \
                                             int k, int group) {                                                    \
    tile<T, FAULT>(w, x, scale, y, m, n, k, group);                                                                 \
  }
#define TILES(FAULT, NAME) TILE(f16_##NAME, Half, FAULT) TILE(bf16_##NAME, Brain, FAULT)

// clang 19 takes element 0 in a bit cast of an element of a vector: the element is copied first.
template <class V>
__device__ inline u16 bits(const V& v, int i) {
  const auto element = v[i];
  return __builtin_bit_cast(u16, element);
}

// d = a * b + c with a, b, c, d of 16 bits, one wave, matrices in row order. gfx11 keeps two sums in
// one register: both are computed, d0 from c0 in the low halves and d1 from c1 in the high ones.
template <class T, class V>
__device__ inline void narrow(const u16* a, const u16* b, const u16* c0, const u16* c1, u16* d0, u16* d1) {
  const int lane = static_cast<int>(thread()), line = lane & 15, upper = lane >> 4;
  V x, y;
  for (int i = 0; i < kPerLane; ++i) {
    const int k = GFX12 ? upper * 8 + i : i;
    x[i] = __builtin_bit_cast(T, a[line * 16 + k]);
    y[i] = __builtin_bit_cast(T, b[k * 16 + line]);
  }
  V s = {};
#if GFX12
  for (int which = 0; which < 2; ++which) {
    const u16* c = which ? c1 : c0;
    u16* d = which ? d1 : d0;
    for (int i = 0; i < 8; ++i) s[i] = __builtin_bit_cast(T, c[(i + 8 * upper) * 16 + line]);
    if constexpr (static_cast<T>(0.5f) != 0) {
      s = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32_gfx12(x, y, s);
    } else {
      s = __builtin_amdgcn_wmma_bf16_16x16x16_bf16_w32_gfx12(x, y, s);
    }
    for (int i = 0; i < 8; ++i) d[(i + 8 * upper) * 16 + line] = bits(s, i);
  }
#else
  for (int i = 0; i < 8; ++i) {
    s[2 * i] = __builtin_bit_cast(T, c0[(2 * i + upper) * 16 + line]);
    s[2 * i + 1] = __builtin_bit_cast(T, c1[(2 * i + upper) * 16 + line]);
  }
  if constexpr (static_cast<T>(0.5f) != 0) {
    s = __builtin_amdgcn_wmma_f16_16x16x16_f16_tied_w32(x, y, s, false);
    s = __builtin_amdgcn_wmma_f16_16x16x16_f16_tied_w32(x, y, s, true);
  } else {
    s = __builtin_amdgcn_wmma_bf16_16x16x16_bf16_tied_w32(x, y, s, false);
    s = __builtin_amdgcn_wmma_bf16_16x16x16_bf16_tied_w32(x, y, s, true);
  }
  for (int i = 0; i < 8; ++i) {
    d0[(2 * i + upper) * 16 + line] = bits(s, 2 * i);
    d1[(2 * i + upper) * 16 + line] = bits(s, 2 * i + 1);
  }
#endif
}

extern "C" {
TILES(kClean, clean)
TILES(kNoGuard, no_guard)
TILES(kNoBarrierAfter, no_barrier_after)
TILES(kNoBarrierBefore, no_barrier_before)
TILES(kShortStaging, short_staging)
TILES(kWrongRows, wrong_rows)
TILES(kWrongCopy, wrong_copy)
TILES(kOneLaneOff, one_lane_off)

__global__ __launch_bounds__(32) void f16_narrow(const u16* a, const u16* b, const u16* c0, const u16* c1, u16* d0,
                                                 u16* d1) {
  narrow<Half, Halves>(a, b, c0, c1, d0, d1);
}
__global__ __launch_bounds__(32) void bf16_narrow(const u16* a, const u16* b, const u16* c0, const u16* c1, u16* d0,
                                                  u16* d1) {
  narrow<short, Shorts>(a, b, c0, c1, d0, d1);
}
}  // extern "C"
