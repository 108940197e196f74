// Small kernels of many kinds; the host computes the same answers in programs_test.cpp.
#include "tests/rdna/programs/mini.h"

extern "C" {

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const u32 i = global_id();
  if (i < static_cast<u32>(n)) c[i] = a[i] + b[i];
}

__global__ __launch_bounds__(256) void lds_reverse(const u32* in, u32* out) {
  __shared__ u32 row[256];
  row[thread()] = in[global_id()];
  barrier();
  out[global_id()] = row[255 - thread()];
}

__global__ void loop_sum(const u32* in, u32* out, int n) {
  u32 s = 0;
  for (int i = 0; i < n; ++i) s = s * 3 + in[(global_id() + static_cast<u32>(i)) % static_cast<u32>(n)];
  out[global_id()] = s;
}

__global__ void divergent(const u32* in, u32* out) {
  u32 x = in[global_id()];
  // Collatz steps: every lane leaves the loop at its own time.
  u32 steps = 0;
  while (x > 1 && steps < 200) {
    if (x & 1) {
      x = 3 * x + 1;
    } else {
      x >>= 1;
    }
    ++steps;
  }
  out[global_id()] = steps;
}

__global__ void narrow(const u8* a, const u16* b, const signed char* c, const short* d, u8* out8, u16* out16) {
  const u32 i = global_id();
  out8[i] = static_cast<u8>(a[i] + c[i]);
  out16[i] = static_cast<u16>(b[i] - d[i] + (a[i] << 4));
}

// A private array that is indexed by data stays in scratch at every level.
__global__ void scratch(const u32* in, u32* out) {
  u32 table[16];
  for (u32 i = 0; i < 16; ++i) table[i] = in[global_id()] * (i + 1);
  for (u32 i = 0; i < 8; ++i) table[in[global_id() + i] & 15] ^= i * 0x01010101u;
  u32 s = 0;
  for (u32 i = 0; i < 16; ++i) s = s * 5 + table[(i * in[global_id()]) & 15];
  out[global_id()] = s;
}

__attribute__((noinline)) __device__ u32 collaborate(u32 x, u32 y) { return y ? x * 31 + y : x - 7; }
__attribute__((noinline)) __device__ u32 recurse(u32 x) { return collaborate(x, x >> 3) ^ 0x5a5a5a5au; }

__global__ void calls(const u32* in, u32* out) {
  u32 x = in[global_id()];
  for (int i = 0; i < 4; ++i) x = recurse(x + static_cast<u32>(i));
  out[global_id()] = x;
}

__constant__ const u32 kTable[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__attribute__((device)) u32 counter = 40;

__global__ void constants(const u32* in, u32* out) {
  out[global_id()] = kTable[in[global_id()] & 7] + counter;
}

__global__ void wide(const u64* a, const u64* b, u64* out) {
  const u32 i = global_id();
  out[i] = a[i] * b[i] + (a[i] >> (b[i] & 63)) - (b[i] << 7) + (a[i] < b[i] ? 1 : 2);
}

__global__ void doubles(const double* a, const double* b, double* out) {
  const u32 i = global_id();
  out[i] = __builtin_fma(a[i], b[i], -a[i]) + __builtin_fmin(a[i], b[i]);
}

__global__ void shuffle_xor(const u32* in, u32* out) {
  u32 x = in[global_id()];
  const int lane = static_cast<int>(__builtin_amdgcn_mbcnt_lo(~0u, 0));
  for (int m = 16; m > 0; m >>= 1) {
    x += static_cast<u32>(__builtin_amdgcn_ds_bpermute(((lane ^ m) & 31) << 2, static_cast<int>(x)));
  }
  out[global_id()] = x;
}

// Sum within rows of 16 in DPP: quad swaps, half mirror, mirror.
__global__ void dpp_sum(const u32* in, u32* out) {
  int x = static_cast<int>(in[global_id()]);
  x += __builtin_amdgcn_update_dpp(0, x, 0xb1, 0xf, 0xf, true);
  x += __builtin_amdgcn_update_dpp(0, x, 0x4e, 0xf, 0xf, true);
  x += __builtin_amdgcn_update_dpp(0, x, 0x141, 0xf, 0xf, true);
  x += __builtin_amdgcn_update_dpp(0, x, 0x140, 0xf, 0xf, true);
  out[global_id()] = static_cast<u32>(x);
}

__global__ void histogram(const u32* in, u32* out) {
  __shared__ u32 bins[64];
  if (thread() < 64) bins[thread()] = 0;
  barrier();
  __hip_atomic_fetch_add(&bins[in[global_id()] & 63], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  barrier();
  if (thread() < 64) __hip_atomic_fetch_add(&out[thread()], bins[thread()], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__global__ void halves(const _Float16* a, const _Float16* b, _Float16* out) {
  const u32 i = global_id();
  out[i] = a[i] * b[i] + a[i];
}

}  // extern "C"
