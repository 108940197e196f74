// Two waves or workgroups, one byte of global memory, nothing that orders them.
#include "tests/rdna/triad_kernel.h"

// Waves hand values on through a buffer.
template <bool kFault>
__device__ void hands_on(const Args& a) {
  a.work[tid()] = thread();  // FOUND hands_on
  if (!kFault) barrier();
  a.out[tid()] = a.work[63 - tid()];  // OTHER hands_on
}
TRIAD(hands_on, 64)

// The reads come first.
template <bool kFault>
__device__ void takes_then_puts(const Args& a) {
  const u32 x = a.work[63 - tid()];  // FOUND takes_then_puts
  if (!kFault) barrier();
  a.work[tid()] = x;  // OTHER takes_then_puts
  a.out[tid()] = x;
}
TRIAD(takes_then_puts, 64)

// Each workgroup writes its own part, or also the first element of the next.
template <bool kFault>
__device__ void parts_overlap(const Args& a) {
  for (int i = tid(); i < (kFault ? 33 : 32); i += 32) a.work[bid() * 32 + i] = 1;  // FOUND parts_overlap // OTHER parts_overlap
  a.out[bid() * 32 + tid()] = 1;
}
TRIAD(parts_overlap, 32)

// A neighbour's part is read.
template <bool kFault>
__device__ void reads_the_neighbour(const Args& a) {
  const int me = bid() * 32 + tid();
  a.work[me] = 5;  // FOUND reads_the_neighbour
  asm volatile("" ::: "memory");
  a.out[me] = a.work[kFault ? (me + 32) & 63 : me];  // OTHER reads_the_neighbour
}
TRIAD(reads_the_neighbour, 32)

// Split K: all workgroups add to one sum.
template <bool kFault>
__device__ void split_k(const Args& a) {
  if (kFault) {
    a.work[tid()] += a.in[tid()];  // FOUND split_k // OTHER split_k
  } else {
    add(&a.work[tid()], a.in[tid()]);
  }
  a.out[bid() * 32 + tid()] = 1;
}
TRIAD(split_k, 32)

// Split 0 clears the sum inside the kernel; the others may have added already. Where it comes first,
// its own addition orders the clearing before theirs.
template <bool kFault>
__device__ void clears_in_the_kernel(const Args& a) {
  if (kFault && bid() == 0) a.work[tid()] = 0;  // FOUND clears_in_the_kernel
  add(&a.work[tid()], a.in[tid()]);  // OTHER clears_in_the_kernel
  a.out[bid() * 32 + tid()] = 1;
}
TRIAD(clears_in_the_kernel, 32)

// A sum of floats by compare-and-swap, or by a plain update.
template <bool kFault>
__device__ void swap_loop(const Args& a) {
  u32* p = &a.work[tid()];
  if (kFault) {
    *reinterpret_cast<float*>(p) += static_cast<float>(a.in[tid()]);  // FOUND swap_loop // OTHER swap_loop
  } else {
    const float x = static_cast<float>(a.in[tid()]);
    u32 old = __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    u32 sum = __builtin_bit_cast(u32, __builtin_bit_cast(float, old) + x);
    while (!__hip_atomic_compare_exchange_strong(p, &old, sum, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                 __HIP_MEMORY_SCOPE_AGENT)) {
      sum = __builtin_bit_cast(u32, __builtin_bit_cast(float, old) + x);
    }
  }
  a.out[bid() * 32 + tid()] = 1;
}
TRIAD(swap_loop, 32)

// Neighbouring bytes belong to different waves.
template <bool kFault>
__device__ void bytes_of_two_waves(const Args& a) {
  u8* p = reinterpret_cast<u8*>(a.work);
  p[kFault ? tid() & 31 : (tid() * 2 + tid() / 32) & 63] = 1;  // FOUND bytes_of_two_waves // OTHER bytes_of_two_waves
  a.out[tid()] = 1;
}
TRIAD(bytes_of_two_waves, 64)

// A flag says that the first wave's values are there. The fault neither stores nor reads it as an atomic.
template <bool kFault>
__device__ void flag(const Args& a) {
  u32* ready = &a.work[32];
  const bool first = __builtin_amdgcn_readfirstlane(tid()) < 32;
  if (first) {
    a.work[tid()] = a.in[tid()];  // OTHER flag
    if (kFault) {
      asm volatile("" ::: "memory");
      *ready = 1;  // FOUND flag // OTHER flag
      asm volatile("" ::: "memory");
    } else {
      __hip_atomic_store(ready, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
    }
    a.out[tid()] = 1;
  } else {
    if (kFault) {
      while (*ready == 0) asm volatile("" ::: "memory");  // FOUND flag // OTHER flag
    } else {
      while (__hip_atomic_load(ready, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0) {
      }
    }
    a.out[tid()] = a.work[tid() - 32];
  }
}
TRIAD(flag, 64)

// The workgroup that comes last, by a counter, adds up what all have written. The fault takes the
// workgroup with the highest number for the last.
template <bool kFault>
__device__ void last_one_sums(const Args& a) {
  u32* counter = &a.work[64];
  a.work[bid() * 32 + tid()] = thread();  // OTHER last_one_sums // FOUND last_one_sums
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  u32 before = block();
  if (!kFault) {
    if (tid() == 0) before = __hip_atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
    before = static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(before)));
  }
  a.out[bid() * 32 + tid()] = 1;
  if (before != 1) return;
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  a.work[65 + tid()] = a.work[tid()] + a.work[tid() + 32];  // FOUND last_one_sums // OTHER last_one_sums
}
TRIAD(last_one_sums, 32)
