// Atomics must be naturally aligned; plain accesses need not be, in the unaligned mode that HSA sets.
#include "tests/rdna/triad_kernel.h"

template <bool kFault>
__device__ void atomic_word(const Args& a) {
  u32* p = reinterpret_cast<u32*>(reinterpret_cast<u8*>(a.work) + (kFault ? 2 : 4));
  a.out[tid()] = 1;
  if (tid() == 5) add(p, 1);  // FOUND atomic_word
}
TRIAD(atomic_word, 32)

// A counter of 64 bits behind one of 32.
template <bool kFault>
__device__ void atomic_wide(const Args& a) {
  u64* p = reinterpret_cast<u64*>(a.work + (kFault ? 1 : 2));
  a.out[tid()] = 1;
  if (tid() == 0) __hip_atomic_fetch_add(p, 1ul, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);  // FOUND atomic_wide
}
TRIAD(atomic_wide, 32)

template <bool kFault>
__device__ void atomic_swap(const Args& a) {
  u32* p = reinterpret_cast<u32*>(reinterpret_cast<u8*>(a.work) + a.m * tid() + (kFault ? 1 : 0));
  u32 expected = 0;
  __hip_atomic_compare_exchange_strong(p, &expected, 7u, __ATOMIC_RELAXED, __ATOMIC_RELAXED,  // FOUND atomic_swap
                                       __HIP_MEMORY_SCOPE_AGENT);
  a.out[tid()] = expected;
}
TRIAD(atomic_swap, 32)

template <bool kFault>
__device__ void atomic_in_lds(const Args& a) {
  __shared__ u32 bins[8];
  if (tid() < 8) bins[tid()] = 0;
  barrier();
  u32* p = reinterpret_cast<u32*>(reinterpret_cast<u8*>(bins) + a.m * (tid() & 3) + (kFault ? 2 : 0));
  __hip_atomic_fetch_add(p, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);  // FOUND atomic_in_lds
  barrier();
  a.out[tid()] = bins[tid() & 7];
}
TRIAD(atomic_in_lds, 32)

// Sixteen bytes at an address that is a multiple of two, from LDS and from memory: legal.
__device__ void unaligned_vectors(const Args& a) {
  __shared__ u32 row[32 * 5];
  for (int i = 0; i < 5; ++i) row[tid() * 5 + i] = a.in[tid() * 5 + i];
  barrier();
  u32 x[4], y[4];
  __builtin_memcpy(x, reinterpret_cast<const u8*>(row) + tid() * 16 + a.m, 16);
  __builtin_memcpy(y, reinterpret_cast<const u8*>(a.in) + tid() * 16 + a.m, 16);
  a.out[tid()] = x[0] + x[1] + x[2] + x[3] + y[0] + y[1] + y[2] + y[3];
}
TWIN(unaligned_vectors, 32)
