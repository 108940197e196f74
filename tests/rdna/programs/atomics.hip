// Atomics on global memory and LDS whose sums do not depend on the order. Answers: atomics.cpp.
#include "tests/rdna/programs/mini.h"

using f16x2 = f16 __attribute__((ext_vector_type(2)));

#define RELAXED __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT
#define IN_GROUP __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP

extern "C" {

__global__ void global_sums(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  __hip_atomic_fetch_add(&out[x % 16], x, RELAXED);
  __hip_atomic_fetch_sub(&out[16 + x % 16], x * 3, RELAXED);
}

__global__ void global_extremes(const i32* in, i32* out, u32* out2) {
  const i32 x = in[global_id()];
  const u32 k = thread() % 8;
  __hip_atomic_fetch_min(&out[k], x, RELAXED);
  __hip_atomic_fetch_max(&out[8 + k], x, RELAXED);
  __hip_atomic_fetch_min(&out2[k], static_cast<u32>(x), RELAXED);
  __hip_atomic_fetch_max(&out2[8 + k], static_cast<u32>(x), RELAXED);
}

__global__ void global_logic(const u32* in, u32* out) {
  const u32 x = in[global_id()], k = thread() % 4;
  __hip_atomic_fetch_and(&out[k], x | 0xff00ff, RELAXED);
  __hip_atomic_fetch_or(&out[4 + k], x & 0x0ff00ff0, RELAXED);
  __hip_atomic_fetch_xor(&out[8 + k], x, RELAXED);
}

__global__ void global_64(const u64* in, u64* out) {
  const u64 x = in[global_id()];
  const u32 k = thread() % 4;
  __hip_atomic_fetch_add(&out[k], x, RELAXED);
  __hip_atomic_fetch_max(&out[4 + k], x, RELAXED);
  __hip_atomic_fetch_min(reinterpret_cast<i64*>(&out[8 + k]), static_cast<i64>(x), RELAXED);
  __hip_atomic_fetch_xor(&out[12 + k], x, RELAXED);
}

// Tickets: each old value is taken once.
__global__ void tickets(u32* counter, u32* taken) {
  const u32 mine = __hip_atomic_fetch_add(counter, 1u, RELAXED);
  taken[mine] = 1 + mine * 2;
}

// Old values add up whatever the order: the last one stays in memory.
__global__ void exchanges(const u32* in, u32* slot, u32* sum) {
  const u32 old = __hip_atomic_exchange(slot, in[global_id()], RELAXED);
  __hip_atomic_fetch_add(sum, old, RELAXED);
  // The launch's last act: whoever counts to the end adds what is left.
  if (__hip_atomic_fetch_add(sum + 1, 1u, RELAXED) == 511) {
    __hip_atomic_fetch_add(sum, __hip_atomic_exchange(slot, 0u, RELAXED), RELAXED);
  }
}

__global__ void compare_and_swap(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32* p = out + x % 5;
  u32 seen = __hip_atomic_load(p, RELAXED);
  // A saturating sum, which no single atomic offers.
  u32 sum;
  do {
    sum = seen + x < seen ? ~0u : seen + x;
  } while (!__hip_atomic_compare_exchange_strong(p, &seen, sum, __ATOMIC_RELAXED, RELAXED));
}

__global__ void compare_and_swap_64(const u64* in, double* out) {
  u64* p = reinterpret_cast<u64*>(out) + thread() % 3;
  u64 seen = __hip_atomic_load(p, RELAXED);
  u64 sum;
  do {
    const double s = __builtin_bit_cast(double, seen) + static_cast<double>(in[global_id()] & 0xffffff);
    sum = __builtin_bit_cast(u64, s);
  } while (!__hip_atomic_compare_exchange_weak(p, &seen, sum, __ATOMIC_RELAXED, RELAXED));
}

__global__ void packed_halves(const u32* in, u32* out) {
  u32* p = out + global_id() % 16;
  const f16x2 add = {static_cast<f16>(static_cast<float>(in[global_id()] % 4)), static_cast<f16>(static_cast<float>(in[global_id()] / 4 % 8))};
  u32 seen = __hip_atomic_load(p, RELAXED);
  u32 sum;
  do {
    sum = __builtin_bit_cast(u32, __builtin_bit_cast(f16x2, seen) + add);
  } while (!__hip_atomic_compare_exchange_weak(p, &seen, sum, __ATOMIC_RELAXED, RELAXED));
}

__global__ void float_sums(const u32* in, float* out) {
  // Small integers: the sum is exact in any order.
  __hip_atomic_fetch_add(&out[thread() % 8], static_cast<float>(in[global_id()] % 1000), RELAXED);
}

__global__ void wrapping_counters(const u32* in, u32* out) {
  __builtin_amdgcn_atomic_inc32(&out[in[global_id()] % 4], 9u, __ATOMIC_RELAXED, "agent");
  __builtin_amdgcn_atomic_dec32(&out[4 + in[global_id()] % 4], 6u, __ATOMIC_RELAXED, "agent");
}

__global__ __launch_bounds__(128) void lds_atomics(const u32* in, u32* out) {
  __shared__ u32 s[8];
  __shared__ i32 signed_[2];
  const u32 t = thread(), x = in[global_id()];
  if (t < 8) s[t] = t == 3 || t == 4 ? ~0u : 0;
  if (t < 2) signed_[t] = t ? 0x7fffffff : -0x7fffffff - 1;
  barrier();
  __hip_atomic_fetch_add(&s[0], x, IN_GROUP);
  __hip_atomic_fetch_sub(&s[1], x, IN_GROUP);
  __hip_atomic_fetch_max(&s[2], x, IN_GROUP);
  __hip_atomic_fetch_min(&s[3], x, IN_GROUP);
  __hip_atomic_fetch_and(&s[4], x | 0xf0f0f0f, IN_GROUP);
  __hip_atomic_fetch_or(&s[5], x & 0xff, IN_GROUP);
  __hip_atomic_fetch_xor(&s[6], x, IN_GROUP);
  __hip_atomic_fetch_max(&signed_[0], static_cast<i32>(x), IN_GROUP);
  __hip_atomic_fetch_min(&signed_[1], static_cast<i32>(x), IN_GROUP);
  barrier();
  if (t < 7) out[block() * 9 + t] = s[t];
  if (t < 2) out[block() * 9 + 7 + t] = static_cast<u32>(signed_[t]);
}

__global__ __launch_bounds__(128) void lds_atomics_that_return(const u32* in, u32* out) {
  __shared__ u32 counter, slots[128];
  __shared__ u64 wide;
  __shared__ float total;
  const u32 t = thread(), x = in[global_id()];
  if (t == 0) {
    counter = 0;
    wide = 0;
    total = 0;
  }
  barrier();
  const u32 mine = __hip_atomic_fetch_add(&counter, 1u, IN_GROUP);
  slots[mine] = x;
  __hip_atomic_fetch_add(&wide, static_cast<u64>(x) << 8, IN_GROUP);
  __hip_atomic_fetch_add(&total, static_cast<float>(x % 64), IN_GROUP);
  barrier();
  u32 s = 0;
  for (u32 i = 0; i < 128; ++i) s += slots[i] * slots[i];
  out[global_id()] = s ^ static_cast<u32>(wide >> 8) ^ static_cast<u32>(total);
}

__global__ __launch_bounds__(128) void lds_compare_and_swap(const u32* in, u32* out) {
  __shared__ u32 product;
  __shared__ u64 largest;
  if (thread() == 0) {
    product = 1;
    largest = 0;
  }
  barrier();
  const u32 x = in[global_id()] | 1;
  u32 seen = __hip_atomic_load(&product, IN_GROUP);
  while (!__hip_atomic_compare_exchange_strong(&product, &seen, seen * x, __ATOMIC_RELAXED, IN_GROUP)) {
  }
  u64 top = __hip_atomic_load(&largest, IN_GROUP);
  const u64 y = static_cast<u64>(x) * x;
  while (top < y && !__hip_atomic_compare_exchange_strong(&largest, &top, y, __ATOMIC_RELAXED, IN_GROUP)) {
  }
  barrier();
  out[global_id()] = product ^ static_cast<u32>(largest >> 20);
}

// The last workgroup to arrive sums what the others published.
__global__ __launch_bounds__(128) void last_workgroup(const u32* in, u32* partial, u32* arrived, u32* out) {
  __shared__ u32 row[128];
  __shared__ u32 last;
  const u32 t = thread();
  row[t] = in[global_id()];
  barrier();
  if (t == 0) {
    u32 s = 0;
    for (u32 i = 0; i < 128; ++i) s += row[i];
    __hip_atomic_store(&partial[block()], s, RELAXED);
    last = __hip_atomic_fetch_add(arrived, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT) == 3;
  }
  barrier();
  if (last && t == 0) {
    u32 s = 0;
    for (u32 b = 0; b < 4; ++b) s = s * 5 + __hip_atomic_load(&partial[b], RELAXED);
    out[0] = s;
  }
}
}
