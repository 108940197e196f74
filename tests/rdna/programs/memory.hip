// Loads and stores of every width, structs as arguments, constant tables, globals, private arrays,
// generic pointers, vectors. Answers: memory.cpp.
#include "tests/rdna/programs/mini.h"

using u32x2 = u32 __attribute__((ext_vector_type(2)));
using u32x3 = u32 __attribute__((ext_vector_type(3)));
using u32x4 = u32 __attribute__((ext_vector_type(4)));
using u8x4 = u8 __attribute__((ext_vector_type(4)));

struct Parameters {
  u32 a;
  u16 b;
  u8 c[3];
  double d;
  const u32* table;
  u64 e;
};
struct __attribute__((packed)) Odd {
  u8 tag;
  u32 value;
  u16 tail;
};
struct Record {
  u32 key;
  u16 x, y;
  u64 stamp;
};

__constant__ const u32 kPrimes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
__constant__ const u8 kBytes[8] = {200, 1, 77, 33, 5, 250, 9, 128};
__constant__ const double kWeights[4] = {0.5, -1.25, 3.0, 1e-3};
static const __device__ u16 kOdd[5] = {11111, 222, 3333, 44444, 5};
__device__ u32 bias = 1000;
__device__ u32 zeros[4];
__device__ u32* const kPointer = &bias;

extern "C" {

__global__ void bytes_and_halves(const u8* a, const i8* b, const u16* c, const i16* d, u8* out8, u16* out16) {
  const u32 i = global_id();
  out8[i] = static_cast<u8>(a[i] * 3 + b[i]);
  out16[i] = static_cast<u16>(c[i] + d[511 - i] - a[i]);
}

__global__ void bytes_of_words(const u32* in, u8* out) {
  const u32 w = in[global_id()];
  out[global_id() * 4] = static_cast<u8>(w >> 24);
  out[global_id() * 4 + 1] = static_cast<u8>(w >> 16);
  out[global_id() * 4 + 2] = static_cast<u8>(w >> 8);
  out[global_id() * 4 + 3] = static_cast<u8>(w);
}

__global__ void vectors_16_bytes(const u32x4* in, u32x4* out) {
  const u32x4 v = in[511 - global_id()];
  out[global_id()] = v.wzyx + v * 3u;
}

__global__ void vectors_12_and_8_bytes(const u32* in, u32* out) {
  // Three-word vectors lie at strides of three words.
  u32x3 v;
  __builtin_memcpy(&v, in + global_id() * 3, 12);
  u32x2 w = {v.x + v.y, v.z ^ v.x};
  __builtin_memcpy(out + global_id() * 2, &w, 8);
}

__global__ void struct_argument(Parameters p, u64* out) {
  const u32 i = global_id();
  const u64 s = p.a + p.b * 2u + p.c[0] * 3u + p.c[1] * 5u + p.c[i % 3] * 7u;
  out[i] = s + p.e + static_cast<u64>(p.d * 4.0) + p.table[i % 16];
}

__global__ void narrow_arguments(u8 a, u16 b, i8 c, u64 d, i16 e, bool f, u32* out) {
  out[global_id()] = static_cast<u32>(a + b + c + e) * (f ? 3u : 1u) + static_cast<u32>(d >> 7) + thread();
}

__global__ void packed_structs(const Odd* in, Odd* out) {
  Odd o = in[global_id()];
  o.value = o.value * 3 + o.tag;
  o.tail = static_cast<u16>(o.tail ^ o.value);
  o.tag = static_cast<u8>(o.tag + 1);
  out[global_id()] = o;
}

__global__ void records(const Record* in, Record* out) {
  Record r = in[(global_id() * 5 + 3) % 512];
  r.stamp += static_cast<u64>(r.key) * r.x;
  const u16 t = r.x;
  r.x = r.y;
  r.y = static_cast<u16>(t + 1);
  out[global_id()] = r;
}

__global__ void constant_tables(const u32* in, double* out) {
  const u32 x = in[global_id()];
  out[global_id()] = kPrimes[x & 15] + kBytes[x >> 4 & 7] * kWeights[x >> 7 & 3] + kOdd[x % 5] + kPrimes[block() + 3];
}

__global__ void globals(u32* out) { out[global_id()] = bias + zeros[thread() & 3] + *kPointer * 2 + thread(); }

__global__ void private_array(const u32* in, u32* out) {
  u32 t[24];
  for (u32 i = 0; i < 24; ++i) t[i] = in[(global_id() + i) % 512];
  for (u32 i = 0; i < 24; ++i) {
    const u32 j = t[i] % 24;
    const u32 k = t[j];
    t[j] = t[i] + j;
    t[i] = k;
  }
  u32 s = 0;
  for (u32 i = 0; i < 24; ++i) s = s * 7 + t[(i * 5 + thread()) % 24];
  out[global_id()] = s;
}

__global__ void private_bytes(const u32* in, u32* out) {
  u8 t[32];
  u16 h[16];
  for (u32 i = 0; i < 32; ++i) t[i] = static_cast<u8>(in[(global_id() + i) % 512] >> (i & 7));
  for (u32 i = 0; i < 16; ++i) h[i] = static_cast<u16>(t[2 * i] * t[31 - i]);
  u32 s = 0;
  for (u32 i = 0; i < 40; ++i) {
    const u32 k = (s + i) & 31;
    s = s * 3 + t[k] + h[(k + s) & 15];
    t[(s >> 3) & 31] = static_cast<u8>(s);
    h[s >> 9 & 15] = static_cast<u16>(s ^ i);
  }
  out[global_id()] = s;
}

// One pointer that is private, LDS or global by data: flat instructions.
__global__ void generic_pointers(const u32* in, u32* out) {
  __shared__ u32 shared[128];
  u32 local[2] = {thread() * 3, thread() + 77};
  shared[thread()] = in[global_id()] * 2;
  barrier();
  const u32 k = in[global_id()] % 3;
  const u32* p = k == 0 ? &local[in[global_id()] >> 8 & 1] : k == 1 ? &shared[127 - thread()] : in + thread();
  u32* q = k == 0 ? &local[0] : out + global_id();
  const u32 x = *p;
  *q = x + 1;
  if (k == 0) out[global_id()] = local[0] * 5;
}

__global__ void gather_and_scatter(const u32* in, const u32* index, u32* out) {
  const u32 to = (global_id() * 37 + 11) % 512;
  out[to] = in[index[global_id()]] + in[index[to]];
}

__global__ void negative_offsets(const u32* in, u32* out) {
  const u32* end = in + 512;
  const i32 i = static_cast<i32>(global_id());
  out[global_id()] = end[-1 - i] + *(end - 512 + i) * 3 + (i > 10 ? in[i - 11] : 0) + end[-300];
}

__global__ void far_offsets(const u32* in, u32* out) {
  // 9,000 words on: beyond the offset field of gfx11, within gfx12's.
  out[global_id()] = in[global_id()] + in[global_id() + 9000] + in[global_id() + 1000];
}

__global__ void volatile_accesses(const u32* in, volatile u32* scratchpad, u32* out) {
  const volatile u32* v = in;
  u32 s = v[global_id()] + v[global_id()];
  scratchpad[global_id()] = s;
  scratchpad[global_id()] = s + 1;
  s = scratchpad[global_id()] * 3;
  out[global_id()] = s;
}

__global__ void copies(const u8* in, u8* out) {
  struct Block {
    u8 b[37];
  };
  Block x;
  __builtin_memcpy(&x, in + global_id() * 37, 37);
  for (int i = 0; i < 18; ++i) {
    const u8 t = x.b[i];
    x.b[i] = x.b[36 - i];
    x.b[36 - i] = t;
  }
  __builtin_memcpy(out + global_id() * 37, &x, 37);
}

__global__ void scalar_loads(const u32* in, u32* out) {
  // 1, 2, 4, 8 and 16 words at uniform addresses.
  const u32* p = in + block() * 32;
  u32 s = p[0];
  for (u32 i = 1; i < 3; ++i) s = s * 3 + p[i];
  for (u32 i = 4; i < 8; ++i) s = s * 5 + p[i];
  for (u32 i = 8; i < 16; ++i) s = s * 7 + p[i];
  for (u32 i = 16; i < 32; ++i) s = s * 11 + p[i];
  out[global_id()] = s + thread();
}

__global__ void scalar_narrow_loads(const u8* bytes, const i16* halves, u32* out) {
  const u32 b = block();
  out[global_id()] = bytes[b] + static_cast<u32>(static_cast<i8>(bytes[b + 4])) * 3 + static_cast<u32>(halves[b]) * 5 +
                     static_cast<u16>(halves[b + 5]) * 7u + thread();
}
}
