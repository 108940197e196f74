// Kernels whose result depends on the order of their waves, and kernels that wait for each other by
// spinning. Four waves; lane 0 of each takes part.
#include "tests/rdna/programs/mini.h"

static inline __device__ u32 wave() { return static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(thread() / 32))); }
static inline __device__ bool leads() { return (thread() & 31) == 0; }
#define AGENT __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT

extern "C" {
// Who came when: order[i] = workgroup * 4 + wave of the i-th of 16 entries of each wave.
__global__ __launch_bounds__(128) void record_order(u32* count, u32* order) {
  for (int i = 0; i < 16; ++i) {
    if (leads()) order[__hip_atomic_fetch_add(count, 1u, AGENT)] = block() * 4 + wave();
  }
}

// Who came when: four entries before a barrier, four behind it.
__global__ __launch_bounds__(128) void order_around_barrier(u32* count, u32* order) {
  if (leads()) order[__hip_atomic_fetch_add(count, 1u, AGENT)] = wave();
  barrier();
  if (leads()) order[__hip_atomic_fetch_add(count, 1u, AGENT)] = wave();
}

// A sum by load and store: right unless a wave stops between the two.
__global__ __launch_bounds__(128) void lost_update(u32* sum) {
  if (leads()) {
    const u32 x = __hip_atomic_load(sum, AGENT);
    __hip_atomic_store(sum, x + 1, AGENT);
  }
}

// Right only if wave 0 has run to its end before wave 3 begins.
__global__ __launch_bounds__(128) void first_wave_first(u32* flag, u32* out) {
  if (!leads()) return;
  if (wave() == 0) __hip_atomic_store(flag, 1u, AGENT);
  if (wave() == 3) *out = __hip_atomic_load(flag, AGENT);
}

// Right only if no wave stops between two reads while wave 0 counts far.
__global__ __launch_bounds__(128) void long_pause(u32* clock, u32* out) {
  if (!leads()) return;
  u32 most = 0;
  for (int i = 0; i < 400; ++i) {
    if (wave() == 0) {
      __hip_atomic_fetch_add(clock, 1u, AGENT);
    } else {
      const u32 before = __hip_atomic_load(clock, AGENT), after = __hip_atomic_load(clock, AGENT);
      most = most > after - before ? most : after - before;
    }
  }
  out[wave()] = most;
}

// A lock in LDS around a sum in LDS, and one in global memory around a sum there.
__global__ __launch_bounds__(128) void spin_lock(u32* lock, u32* sum) {
  __shared__ u32 near_lock, near_sum;
  if (thread() == 0) near_lock = near_sum = 0;
  barrier();
  if (leads()) {
    for (int i = 0; i < 8; ++i) {
      u32 open = 0;
      while (!__hip_atomic_compare_exchange_strong(lock, &open, 1u, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) open = 0;
      *sum += 1;
      __hip_atomic_exchange(lock, 0u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
      while (__hip_atomic_exchange(&near_lock, 1u, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP)) {
      }
      near_sum = near_sum + 1;
      __hip_atomic_exchange(&near_lock, 0u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
    }
  }
  barrier();
  if (thread() == 0) sum[1] = near_sum;
}

// Each wave waits for the flag of the one above it (`down`) or below it, which comes after a
// barrier: whichever wave runs first must give way.
__global__ __launch_bounds__(128) void spin_chain(u32* flags, u32* out, int down) {
  barrier();
  if (!leads()) return;
  const u32 me = wave(), last = down ? 3 : 0;
  if (me != last) {
    while (__hip_atomic_load(&flags[down ? me + 1 : me - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
  }
  out[me] = me + 1;
  __hip_atomic_store(&flags[me], 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
}  // extern "C"
