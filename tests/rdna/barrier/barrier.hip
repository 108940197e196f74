// Barriers that some waves of a workgroup miss, and the halves of gfx12's.
#include "tests/rdna/triad_kernel.h"

#if defined(__gfx1200__) || defined(__gfx1201__)
static inline __device__ void arrives() { __builtin_amdgcn_s_barrier_signal(-1); }
static inline __device__ void waits() { __builtin_amdgcn_s_barrier_wait(-1); }
#else
static inline __device__ void arrives() {}
static inline __device__ void waits() { __builtin_amdgcn_s_barrier(); }
#endif

// Two waves wait at two different barriers.
template <bool kFault>
__device__ void one_barrier_a_branch(const Args& a) {
  const bool second = __builtin_amdgcn_readfirstlane(tid()) >= 32;
  if (kFault && second) {
    __builtin_amdgcn_s_barrier();  // FOUND one_barrier_a_branch
    a.out[tid()] = 2;
  } else {
    __builtin_amdgcn_s_barrier();  // OTHER one_barrier_a_branch
    a.out[tid()] = 1;
  }
}
TRIAD(one_barrier_a_branch, 64)

// The number of K tiles, and with it of barriers, depends on the wave.
template <bool kFault>
__device__ void trip_count_of_the_wave(const Args& a) {
  __shared__ u32 tile[64];
  const int steps = a.k + (kFault ? __builtin_amdgcn_readfirstlane(tid()) / 32 : 0);
  u32 sum = 0;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    tile[tid()] = a.in[tid()];
    barrier();  // FOUND trip_count_of_the_wave // OTHER trip_count_of_the_wave
    sum += tile[tid()];
  }
  __builtin_amdgcn_s_barrier();  // FOUND trip_count_of_the_wave // OTHER trip_count_of_the_wave
  a.out[tid()] = sum;
}
TRIAD(trip_count_of_the_wave, 64)

// gfx12: a wave arrives twice before it waits.
template <bool kFault>
__device__ void arrives_twice(const Args& a) {
  arrives();
  a.out[tid()] = 1;
  if (kFault) arrives();  // FOUND arrives_twice
  waits();
}
TRIAD(arrives_twice, 64)

// gfx12: the second wave waits for a barrier at which it did not arrive.
template <bool kFault>
__device__ void waits_without_arriving(const Args& a) {
  if (!kFault || __builtin_amdgcn_readfirstlane(tid()) < 32) arrives();
  a.out[tid()] = 1;
  waits();  // FOUND waits_without_arriving
}
TRIAD(waits_without_arriving, 64)

// gfx12: arriving is not waiting. What the other wave wrote is read between the halves.
template <bool kFault>
__device__ void reads_between_the_halves(const Args& a) {
  __shared__ u32 row[64];
  row[tid()] = a.in[tid()];  // FOUND reads_between_the_halves
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  arrives();
  if (!kFault) waits();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  a.out[tid()] = row[63 - tid()];  // OTHER reads_between_the_halves
  if (kFault) waits();
}
TRIAD(reads_between_the_halves, 64)

// A whole wave that ended does not count, and a barrier asks nothing of EXEC: both legal.
__device__ void waves_that_ended(const Args& a) {
  a.out[tid()] = 1;
  if (__builtin_amdgcn_readfirstlane(tid()) >= 32) return;
  if (tid() < 7) __builtin_amdgcn_s_barrier();
}
TWIN(waves_that_ended, 64)
