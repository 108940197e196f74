// A tile kernel on matrix instructions and 16-bit sums; wmma_test.cpp computes the same answers on
// the host. The tile kernel's faults are in tests/rdna/gemm.
#include "tests/rdna/gemm/tile.inc"

#define TILE(NAME, T, FAULT)                                                                                        \
  __global__ __launch_bounds__(64) void NAME(const u32* w, const u16* x, const Half* scale, float* y, int m, int n, \
                                             int k, int group) {                                                    \
    tile<T, FAULT>(w, x, scale, y, m, n, k, group);                                                                 \
  }

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
TILE(f16_clean, Half, kClean)
TILE(bf16_clean, Brain, kClean)

__global__ __launch_bounds__(32) void f16_narrow(const u16* a, const u16* b, const u16* c0, const u16* c1, u16* d0,
                                                 u16* d1) {
  narrow<Half, Halves>(a, b, c0, c1, d0, d1);
}
__global__ __launch_bounds__(32) void bf16_narrow(const u16* a, const u16* b, const u16* c0, const u16* c1, u16* d0,
                                                  u16* d1) {
  narrow<short, Shorts>(a, b, c0, c1, d0, d1);
}
}  // extern "C"
