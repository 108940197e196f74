// Functions that are called: noinline chains, structs, many arguments, pointers to private memory,
// recursion, function pointers, spills around calls. Answers: calls.cpp.
#include "tests/rdna/programs/mini.h"

#define NOINLINE __attribute__((noinline)) __device__

struct Pair {
  u32 a;
  u64 b;
};
struct Large {
  u32 v[12];
};

NOINLINE u32 leaf(u32 x, u32 y) { return x * 31 + (y ^ x >> 3); }
NOINLINE u32 middle(u32 x) {
  const u32 a = leaf(x, 1), b = leaf(x + 1, a);
  return leaf(a, b) + x;
}
NOINLINE u32 top(u32 x) {
  u32 s = x;
  for (u32 i = 0; i < 3; ++i) s += middle(s + i) ^ leaf(i, x);
  return s;
}
NOINLINE Pair make_pair(u32 x, u64 y) { return {x + 1, y * 3}; }
NOINLINE u64 use_pair(Pair p) { return p.a + (p.b >> 1); }
NOINLINE Large make_large(u32 x) {
  Large r;
  for (u32 i = 0; i < 12; ++i) r.v[i] = x * i + (x >> i);
  return r;
}
NOINLINE u32 use_large(Large l, u32 k) { return l.v[k % 12] - l.v[(k + 5) % 12]; }
NOINLINE u64 many_arguments(u32 a, u64 b, u32 c, u64 d, u32 e, u64 f, u32 g, u64 h, u32 i, u64 j, u32 k, u64 l, u32 m, u64 n, u32 o,
                            u64 p, u32 q, u64 r, u32 s, u64 t, u32 u, u64 v) {
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10 + k * 11 + l * 12 + m * 13 + n * 14 + o * 15 +
         p * 16 + q * 17 + r * 18 + s * 19 + t * 20 + u * 21 + v * 22;
}
NOINLINE void sort_four(u32* p) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j + 1 < 4 - i; ++j) {
      if (p[j] > p[j + 1]) {
        const u32 t = p[j];
        p[j] = p[j + 1];
        p[j + 1] = t;
      }
    }
  }
}
NOINLINE u32 sum_of(const u32* p, u32 n) {
  u32 s = 0;
  for (u32 i = 0; i < n; ++i) s = s * 3 + p[i];
  return s;
}
// Depth by data: the stack grows lane by lane.
NOINLINE u32 depth_first(u32 x, u32 depth) {
  if (depth == 0 || x < 2) return x + depth;
  const u32 l = depth_first(x / 2, depth - 1);
  return l * 3 + depth_first(x / 3, depth - 1);
}
NOINLINE double mean(double a, double b) { return (a + b) * 0.5; }
NOINLINE double agm(double a, double b) {
  for (int i = 0; i < 6; ++i) {
    const double m = mean(a, b);
    b = __builtin_sqrt(a * b);
    a = m;
  }
  return a;
}
NOINLINE u32 add_op(u32 a, u32 b) { return a + b; }
NOINLINE u32 mul_op(u32 a, u32 b) { return a * b; }
NOINLINE u32 xor_op(u32 a, u32 b) { return a ^ b << 3; }
using Op = u32 (*)(u32, u32);
__device__ Op const kOps[3] = {add_op, mul_op, xor_op};

NOINLINE bool all_even(u32 x, u32 y) { return ((x | y) & 1) == 0; }
NOINLINE u16 narrow_types(u8 a, signed char b, u16 c, short d, bool e) { return static_cast<u16>(a * b + c - d + (e ? 1000 : 0)); }

extern "C" {

__global__ void call_chain(const u32* in, u32* out) { out[global_id()] = top(in[global_id()]); }

__global__ void call_with_structs(const u32* in, const u64* in2, u64* out) {
  const Pair p = make_pair(in[global_id()], in2[global_id()]);
  const Pair q = make_pair(p.a ^ 5, p.b + 1);
  out[global_id()] = use_pair(p) * 7 + use_pair(q);
}

__global__ void call_with_large_structs(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  const Large l = make_large(x);
  out[global_id()] = use_large(l, x % 12) + use_large(l, thread());
}

__global__ void call_with_many_arguments(const u32* in, const u64* in2, u64* out) {
  const u32 a = in[global_id()];
  const u64 b = in2[global_id()];
  out[global_id()] = many_arguments(a, b, a + 1, b + 1, a + 2, b + 2, a + 3, b + 3, a + 4, b + 4, a + 5, b + 5, a + 6, b + 6, a + 7, b + 7,
                                    a + 8, b + 8, a + 9, b + 9, a + 10, b + 10);
}

__global__ void call_with_pointers(const u32* in, u32* out) {
  u32 local[8];
  for (u32 i = 0; i < 8; ++i) local[i] = in[global_id()] * (i * 7 + 3) >> i;
  sort_four(local);
  sort_four(local + 4);
  // The same function on private and on global memory.
  out[global_id()] = sum_of(local, 8) ^ sum_of(in + thread(), 5);
}

__global__ void recursion(const u32* in, u32* out) { out[global_id()] = depth_first(in[global_id()] % 1000, 5); }

__global__ void call_under_divergence(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = 0;
  if (x % 3 == 0) {
    r = middle(x);
    if (x % 2 == 0) r += leaf(r, x);
  } else if (all_even(x, x >> 1)) {
    r = top(x);
  }
  for (u32 i = 0; i < x % 4; ++i) r = leaf(r, i);
  out[global_id()] = r;
}

__global__ void call_f64(const double* a, const double* b, double* out) { out[global_id()] = agm(a[global_id()], b[global_id()]); }

__global__ void call_by_pointer(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 r = x;
  for (u32 i = 0; i < 4; ++i) r = kOps[(x >> (2 * i)) % 3](r, i + 7);
  out[global_id()] = r;
}

__global__ void call_with_narrow_types(const u32* in, u16* out) {
  const u32 x = in[global_id()];
  out[global_id()] = narrow_types(static_cast<u8>(x), static_cast<signed char>(x >> 3), static_cast<u16>(x >> 7), static_cast<short>(x >> 11),
                                  (x >> 30 & 1) != 0);
}

// Many live values across a call: saved and restored registers.
__global__ void live_across_calls(const u32* in, u32* out) {
  u32 v[24];
#pragma unroll
  for (u32 i = 0; i < 24; ++i) v[i] = in[(global_id() + i * 5) % 512];
  u32 s = 0;
#pragma unroll
  for (u32 i = 0; i < 24; ++i) s = leaf(s, v[i]) + v[23 - i];
#pragma unroll
  for (u32 i = 0; i < 24; ++i) s ^= v[i] << (i & 7);
  out[global_id()] = s;
}

// A kernel held to few registers: values go to scratch and come back.
__attribute__((amdgpu_num_vgpr(24))) __global__ void spills(const u32* in, u32* out) {
  u32 v[40];
#pragma unroll
  for (u32 i = 0; i < 40; ++i) v[i] = in[(global_id() + i * 11) % 512] * (i + 1);
  u32 s = 0;
#pragma unroll 1
  for (u32 k = 0; k < 3; ++k) {
#pragma unroll
    for (u32 i = 0; i < 40; ++i) {
      s = s * 5 + v[i];
      v[i] ^= s;
    }
  }
#pragma unroll
  for (u32 i = 0; i < 40; ++i) s += v[i] >> (i & 15);
  out[global_id()] = s;
}
}
