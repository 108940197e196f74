// LDS: tiles with barriers, scans, reductions, sorts, every width, dynamic size. Answers: lds.cpp.
#include "tests/rdna/programs/mini.h"

using u32x4 = u32 __attribute__((ext_vector_type(4)));
extern __shared__ u32 pool[];

extern "C" {

__global__ __launch_bounds__(256) void transpose_tile(const u32* in, u32* out, u32 n) {
  __shared__ u32 tile[16][17];
  const u32 x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y();
  const u32 bx = __builtin_amdgcn_workgroup_id_x() * 16, by = __builtin_amdgcn_workgroup_id_y() * 16;
  if (bx + x < n && by + y < n) tile[y][x] = in[(by + y) * n + bx + x];
  barrier();
  if (by + x < n && bx + y < n) out[(bx + y) * n + by + x] = tile[x][y];
}

__global__ __launch_bounds__(128) void stencil_with_halo(const i32* in, i32* out) {
  __shared__ i32 row[130];
  const i32 i = static_cast<i32>(global_id());
  const u32 t = thread();
  row[t + 1] = in[i];
  if (t == 0) row[0] = i > 0 ? in[i - 1] : 0;
  if (t == 127) row[129] = i < 511 ? in[i + 1] : 0;
  barrier();
  out[i] = row[t] - 2 * row[t + 1] + row[t + 2];
}

__global__ __launch_bounds__(256) void multiply_tiles(const float* a, const float* b, float* c, u32 n) {
  __shared__ float ta[16][16], tb[16][16];
  const u32 x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y();
  const u32 row = __builtin_amdgcn_workgroup_id_y() * 16 + y, col = __builtin_amdgcn_workgroup_id_x() * 16 + x;
  float s = 0;
  for (u32 k = 0; k < n; k += 16) {
    ta[y][x] = a[row * n + k + x];
    tb[y][x] = b[(k + y) * n + col];
    barrier();
    for (u32 j = 0; j < 16; ++j) s = __builtin_fmaf(ta[y][j], tb[j][x], s);
    barrier();
  }
  c[row * n + col] = s;
}

__global__ __launch_bounds__(128) void reverse_in_dynamic(const u32* in, u32* out, u32 at) {
  // The pool holds `at` words that nobody uses, then a row for each wave.
  pool[at + thread()] = in[global_id()];
  barrier();
  out[global_id()] = pool[at + threads() - 1 - thread()];
}

__global__ __launch_bounds__(128) void inclusive_scan(const u32* in, u32* out) {
  __shared__ u32 row[2][128];
  const u32 t = thread();
  u32 from = 0;
  row[0][t] = in[global_id()];
  barrier();
  for (u32 d = 1; d < 128; d *= 2, from ^= 1) {
    row[from ^ 1][t] = row[from][t] + (t >= d ? row[from][t - d] : 0);
    barrier();
  }
  out[global_id()] = row[from][t];
}

__global__ __launch_bounds__(128) void tree_reduction(const u64* in, u64* out) {
  __shared__ u64 row[128];
  const u32 t = thread();
  row[t] = in[global_id()] * 3;
  barrier();
  for (u32 d = 64; d; d >>= 1) {
    if (t < d) row[t] += row[t + d] ^ d;
    barrier();
  }
  if (t == 0) out[block()] = row[0];
}

__global__ __launch_bounds__(128) void bitonic_sort(const u32* in, u32* out) {
  __shared__ u32 row[128];
  const u32 t = thread();
  row[t] = in[global_id()];
  barrier();
  for (u32 k = 2; k <= 128; k *= 2) {
    for (u32 j = k / 2; j; j /= 2) {
      const u32 o = t ^ j;
      if (o > t) {
        const u32 a = row[t], b = row[o];
        if ((a > b) == ((t & k) == 0)) {
          row[t] = b;
          row[o] = a;
        }
      }
      barrier();
    }
  }
  out[global_id()] = row[t];
}

__global__ __launch_bounds__(128) void bytes_in_lds(const u32* in, u32* out) {
  __shared__ u8 bytes[512];
  __shared__ i16 halves[256];
  const u32 t = thread(), w = in[global_id()];
  for (u32 i = 0; i < 4; ++i) bytes[t + 128 * i] = static_cast<u8>(w >> (8 * i));
  halves[t * 2] = static_cast<i16>(w);
  halves[t * 2 + 1] = static_cast<i16>(w >> 16);
  barrier();
  const u32 o = 127 - t;
  out[global_id()] = bytes[o * 4] + static_cast<u32>(static_cast<i8>(bytes[o * 4 + 3])) * 256 + static_cast<u32>(halves[o]) * 3 +
                     static_cast<u16>(halves[o + 128]) * 5u;
}

__global__ __launch_bounds__(128) void vectors_in_lds(const u32x4* in, u32x4* out) {
  __shared__ u32x4 row[128];
  __shared__ u64 wide[128];
  const u32 t = thread();
  row[t] = in[global_id()];
  wide[t] = static_cast<u64>(in[global_id()].x) << 32 | t;
  barrier();
  u32x4 v = row[t ^ 5].yxwz;
  const u64 a = wide[127 - t], b = wide[(t + 9) & 127];
  v.x += static_cast<u32>(a);
  v.y ^= static_cast<u32>(b >> 32);
  out[global_id()] = v;
}

// Pairs of loads and stores at a fixed distance: the two-address forms, near and far.
__global__ __launch_bounds__(64) void pairs_in_lds(const u32* in, const u64* in2, u64* out) {
  __shared__ u32 row[64 * 12];
  __shared__ u64 wide[64 * 3];
  const u32 t = thread();
  row[t] = in[global_id()];
  row[t + 64] = in[global_id()] * 3;
  row[t + 64 * 11] = in[global_id()] ^ 0x55;
  wide[t] = in2[global_id()];
  wide[t + 64] = in2[global_id()] + 1;
  wide[t + 128] = in2[global_id()] << 1;
  barrier();
  const u32 o = 63 - t;
  out[global_id()] = (wide[o] ^ wide[o + 64]) + wide[o + 128] + row[o] + row[o + 64] * 2u + row[o + 64 * 11];
}

struct Entry {
  u16 key;
  u8 rank;
  u32 value;
};
__global__ __launch_bounds__(128) void structs_in_lds(const u32* in, u32* out) {
  __shared__ Entry e[128];
  const u32 t = thread(), x = in[global_id()];
  e[t] = {static_cast<u16>(x), static_cast<u8>(x >> 16), x * 5};
  barrier();
  const Entry a = e[(t * 7 + 1) & 127];
  barrier();
  e[t].rank = static_cast<u8>(a.rank + 1);
  barrier();
  out[global_id()] = a.key + a.value + e[(t + 64) & 127].rank * 1000u;
}

__global__ __launch_bounds__(128) void histogram_in_lds(const u32* in, u32* out) {
  __shared__ u32 bins[32];
  if (thread() < 32) bins[thread()] = 0;
  barrier();
  __hip_atomic_fetch_add(&bins[in[global_id()] % 32], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  barrier();
  if (thread() < 32) out[block() * 32 + thread()] = bins[thread()];
}

// Waves work a pipeline: each stage's output is the next one's input, a barrier a step.
__global__ __launch_bounds__(128) void wave_pipeline(const u32* in, u32* out) {
  __shared__ u32 stage[4][32];
  const u32 wave = thread() / 32, l = thread() % 32;
  stage[wave][l] = 0;
  barrier();
  for (u32 step = 0; step < 7; ++step) {
    const u32 input = wave == 0 ? (step < 4 ? in[block() * 128 + step * 32 + l] : 0) : stage[wave - 1][l];
    barrier();
    stage[wave][l] = input * (wave + 2) + wave;
    if (wave == 3 && step >= 3) out[block() * 128 + (step - 3) * 32 + l] = stage[3][31 - l] + step;
    barrier();
  }
}
}
