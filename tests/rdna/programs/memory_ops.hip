// One kernel per memory instruction that compilers seldom choose by themselves, written as inline
// assembly: buffer resources and the rarer atomics of LDS and global memory.
#include "tests/rdna/programs/mini.h"

typedef u32 u32x3 __attribute__((ext_vector_type(3)));
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
#define LDS __attribute__((address_space(3)))

#ifdef __GFX12__
#define WAIT "\ns_wait_loadcnt 0x0\ns_wait_dscnt 0x0\ns_wait_storecnt 0x0\ns_wait_kmcnt 0x0"
#define RETURNS " th:TH_ATOMIC_RETURN"
#else
#define WAIT "\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0"
#define RETURNS " glc"
#endif

// Buffer resources: offsets and indices of the lanes in at[0..31] and index[0..31].
#define LOAD(NAME, ASM, T, WORDS)                                                             \
  extern "C" __global__ void __launch_bounds__(32)                                            \
      NAME(u32x4 resource, const u32* at, const u32* index, u32* out, u32 scalar) {           \
    const u32 l = thread(), a = at[l], i = index[l];                                          \
    T r = out[32 * WORDS + l];                                                                \
    u64 both = i | (u64)a << 32;                                                              \
    asm volatile(ASM WAIT : "+v"(r) : "v"(a), "s"(resource), "s"(scalar), "v"(i), "v"(both)); \
    const u32* w = (const u32*)&r;                                                            \
    for (u32 k = 0; k < WORDS; ++k) out[l * WORDS + k] = w[k];                                \
  }
LOAD(load_b32, "buffer_load_b32 %0, %1, %2, %3 offen offset:4", u32, 1)
LOAD(load_b96, "buffer_load_b96 %0, %1, %2, %3 offen", u32x3, 3)
LOAD(load_b128, "buffer_load_b128 %0, %1, %2, %3 offen", u32x4, 4)
LOAD(load_u8, "buffer_load_u8 %0, %1, %2, %3 offen", u32, 1)
LOAD(load_i16, "buffer_load_i16 %0, %1, %2, %3 offen", u32, 1)
LOAD(load_d16_hi, "buffer_load_d16_hi_b16 %0, %1, %2, %3 offen", u32, 1)
LOAD(load_indexed, "buffer_load_b128 %0, %4, %2, %3 idxen offset:8", u32x4, 4)
LOAD(load_both, "buffer_load_b64 %0, %5, %2, %3 idxen offen", u64, 2)
LOAD(load_uniform, "buffer_load_b32 %0, off, %2, %3 offset:12", u32, 1)

extern "C" __global__ void __launch_bounds__(32)
    store_b128(u32x4 resource, const u32* at, const u32* index, u32* data, u32 scalar) {
  const u32 l = thread(), a = at[l];
  const u32x4 r = {data[4 * l], data[4 * l + 1], data[4 * l + 2], data[4 * l + 3]};
  asm volatile("buffer_store_b128 %0, %1, %2, %3 offen" WAIT
               :
               : "v"(r), "v"(a), "s"(resource), "s"(scalar)
               : "memory");
}
extern "C" __global__ void __launch_bounds__(32)
    store_b8(u32x4 resource, const u32* at, const u32* index, u32* data, u32 scalar) {
  const u32 l = thread(), i = index[l], r = data[l];
  asm volatile("buffer_store_b8 %0, %1, %2, %3 idxen offset:1" WAIT
               :
               : "v"(r), "v"(i), "s"(resource), "s"(scalar)
               : "memory");
}
extern "C" __global__ void __launch_bounds__(32)
    add_u32(u32x4 resource, const u32* at, const u32* index, u32* data, u32 scalar) {
  const u32 l = thread(), a = at[l];
  u32 r = data[l];
  asm volatile("buffer_atomic_add_u32 %0, %1, %2, %3 offen" RETURNS WAIT
               : "+v"(r)
               : "v"(a), "s"(resource), "s"(scalar)
               : "memory");
  data[l] = r;
}
extern "C" __global__ void __launch_bounds__(32)
    cmpswap_b32(u32x4 resource, const u32* at, const u32* index, u32* data, u32 scalar) {
  const u32 l = thread(), a = at[l];
  u64 r = data[l] | (u64)index[l] << 32;
  asm volatile("buffer_atomic_cmpswap_b32 %0, %1, %2, %3 offen" RETURNS WAIT
               : "+v"(r)
               : "v"(a), "s"(resource), "s"(scalar)
               : "memory");
  data[l] = (u32)r;
}
#define SCALAR_LOAD(NAME, ASM, T, WORDS)                                                     \
  extern "C" __global__ void __launch_bounds__(32)                                           \
      NAME(u32x4 resource, const u32* at, const u32* index, u32* out, u32 scalar) {          \
    T r;                                                                                     \
    asm volatile(ASM WAIT : "=&s"(r) : "s"(resource), "s"(scalar));                          \
    const u32* w = (const u32*)&r;                                                           \
    if (thread() == 0)                                                                       \
      for (u32 k = 0; k < WORDS; ++k) out[k] = w[k];                                         \
  }
SCALAR_LOAD(s_b32, "s_buffer_load_b32 %0, %1, 0x8", u32, 1)
SCALAR_LOAD(s_b128, "s_buffer_load_b128 %0, %1, %2 offset:0x0", u32x4, 4)

// LDS atomics, each lane its own place: mem -> mem and old.
#define DS(NAME, U, ASM)                                                           \
  extern "C" __global__ void __launch_bounds__(32)                                 \
      ds_##NAME(U* mem, const U* data, const U* second, U* old) {                  \
    __shared__ U x[32];                                                            \
    const u32 l = thread();                                                        \
    x[l] = mem[l];                                                                 \
    barrier();                                                                     \
    U r = 0;                                                                       \
    asm volatile("ds_" ASM WAIT                                                    \
                 : "=&v"(r)                                                        \
                 : "v"((u32)(LDS U*)(&x[l])), "v"(data[l]), "v"(second[l])         \
                 : "memory");                                                      \
    barrier();                                                                     \
    mem[l] = x[l];                                                                 \
    old[l] = r;                                                                    \
  }
#define DS1(NAME, OP, TYPE, U) DS(NAME, U, OP "_rtn_" TYPE " %0, %1, %2")
#define DS2(NAME, OP, TYPE, U) DS(NAME, U, OP "_rtn_" TYPE " %0, %1, %2, %3")
DS1(rsub_u32, "rsub", "u32", u32)
DS1(rsub_u64, "rsub", "u64", u64)
DS1(sub_u64, "sub", "u64", u64)
DS1(inc_u64, "inc", "u64", u64)
DS1(dec_u64, "dec", "u64", u64)
DS1(min_i64, "min", "i64", u64)
DS1(max_i64, "max", "i64", u64)
DS1(min_u64, "min", "u64", u64)
DS1(max_u64, "max", "u64", u64)
DS1(and_b64, "and", "b64", u64)
DS1(or_b64, "or", "b64", u64)
DS1(xor_b64, "xor", "b64", u64)
DS1(swap_b64, "storexchg", "b64", u64)
DS2(mskor_b32, "mskor", "b32", u32)
DS2(mskor_b64, "mskor", "b64", u64)
#ifdef __GFX12__
DS1(min_f64, "min_num", "f64", u64)
DS1(max_f64, "max_num", "f64", u64)
DS1(pk_add_f16, "pk_add", "f16", u32)
DS1(pk_add_bf16, "pk_add", "bf16", u32)
DS1(sub_clamp_u32, "sub_clamp", "u32", u32)
DS1(cond_sub_u32, "cond_sub", "u32", u32)
#else
DS1(min_f64, "min", "f64", u64)
DS1(max_f64, "max", "f64", u64)
DS2(wrap_b32, "wrap", "b32", u32)
DS2(cmpstore_f32, "cmpstore", "f32", u32)
DS2(cmpstore_f64, "cmpstore", "f64", u64)
#endif

extern "C" __global__ void __launch_bounds__(32)
    ds_exchange2(u32* mem, const u32* data, const u32* second, u32* old) {
  __shared__ u32 x[128];
  const u32 l = thread();
  for (u32 k = 0; k < 4; ++k) x[l + 32 * k] = mem[l + 32 * k];
  barrier();
  u64 r;
  asm volatile("ds_storexchg_2addr_rtn_b32 %0, %1, %2, %3 offset0:64 offset1:32" WAIT
               : "=&v"(r)
               : "v"((u32)(LDS u32*)(&x[l])), "v"(data[l]), "v"(second[l])
               : "memory");
  barrier();
  for (u32 k = 0; k < 4; ++k) mem[l + 32 * k] = x[l + 32 * k];
  old[2 * l] = (u32)r;
  old[2 * l + 1] = (u32)(r >> 32);
}
// Appends from the odd lanes, consumes from the lanes of `second`, the counter at byte 4.
extern "C" __global__ void __launch_bounds__(32)
    ds_counter(u32* mem, const u32* data, const u32* second, u32* old) {
  __shared__ u32 x[2];
  const u32 l = thread();
  if (l < 2) x[l] = mem[l];
  barrier();
  const u32 base = __builtin_amdgcn_readfirstlane((u32)(LDS u32*)(&x[0]));
  u32 r = 0;
  if (l & 1)
    asm volatile("s_mov_b32 m0, %1\nds_append %0 offset:4" WAIT : "=v"(r) : "s"(base) : "memory");
  old[l] = r;
  r = 0;
  if (second[l])
    asm volatile("s_mov_b32 m0, %1\nds_consume %0 offset:4" WAIT : "=v"(r) : "s"(base) : "memory");
  old[32 + l] = r;
  barrier();
  if (l < 2) mem[l] = x[l];
}

// Global and flat atomics, each lane its own place.
#define GLOBAL(NAME, U, ASM)                                                             \
  extern "C" __global__ void __launch_bounds__(32)                                       \
      global_##NAME(U* mem, const U* data, const U* second, U* old) {                    \
    const u32 l = thread();                                                              \
    U r = 0;                                                                             \
    typedef U pair __attribute__((ext_vector_type(2)));                                  \
    const pair both = {data[l], second[l]};                                              \
    asm volatile(ASM RETURNS WAIT                                                        \
                 : "=&v"(r)                                                              \
                 : "v"(mem + l), "v"(data[l]), "v"(both)                                 \
                 : "memory");                                                            \
    old[l] = r;                                                                          \
  }
GLOBAL(sub_u64, u64, "global_atomic_sub_u64 %0, %1, %2, off")
GLOBAL(inc_u64, u64, "flat_atomic_inc_u64 %0, %1, %2")
GLOBAL(dec_u64, u64, "global_atomic_dec_u64 %0, %1, %2, off")
#ifdef __GFX12__
GLOBAL(sub_clamp_u32, u32, "global_atomic_sub_clamp_u32 %0, %1, %2, off")
GLOBAL(cond_sub_u32, u32, "global_atomic_cond_sub_u32 %0, %1, %2, off")
#else
GLOBAL(sub_clamp_u32, u32, "global_atomic_csub_u32 %0, %1, %2, off")
GLOBAL(cmpstore_f32, u32, "global_atomic_cmpswap_f32 %0, %1, %3, off")
#endif
