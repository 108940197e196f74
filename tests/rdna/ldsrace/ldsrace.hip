// Two waves, one place of LDS, no barrier between.
#include "tests/rdna/triad_kernel.h"

template <bool kFault>
__device__ void staging_without_barrier(const Args& a) {
  __shared__ u32 row[128];
  row[tid()] = a.in[tid()];  // FOUND staging_without_barrier
  if (!kFault) barrier();
  a.out[tid()] = row[127 - tid()];  // OTHER staging_without_barrier
}
TRIAD(staging_without_barrier, 128)

// The reader comes late: waves 2 and 3 read what waves 0 and 1 wrote.
template <bool kFault>
__device__ void late_reader(const Args& a) {
  __shared__ u32 row[128];
  row[tid()] = a.in[tid()];  // OTHER late_reader
  if (!kFault) barrier();
  a.out[tid()] = row[tid() & 63];  // FOUND late_reader
}
TRIAD(late_reader, 128)

// Sixteen bytes a lane: the vector path of the shadow.
template <bool kFault>
__device__ void vectors(const Args& a) {
  __shared__ Quad rows[128];
  const u32 v = a.in[tid()];
  rows[tid()] = Quad{{v, v + 1, v + 2, v + 3}};  // OTHER vectors
  if (!kFault) barrier();
  const Quad q = rows[tid() & 95];  // FOUND vectors
  a.out[tid()] = q.x[0] + q.x[1] + q.x[2] + q.x[3];
}
TRIAD(vectors, 128)

// A loop over K tiles: the barrier before the tile is refilled is missing.
template <bool kFault>
__device__ void refilled_too_early(const Args& a) {
  __shared__ u32 tile[64];
  u32 sum = 0;
  for (int k = 0; k < a.k; ++k) {
    tile[tid()] = a.in[k * 64 + tid()];  // OTHER refilled_too_early
    barrier();
    sum += tile[63 - tid()];  // FOUND refilled_too_early
    if (!kFault) barrier();
  }
  a.out[tid()] = sum;
}
TRIAD(refilled_too_early, 64)

// Two tiles in turn with one barrier a step: right as long as the tiles do alternate.
template <bool kFault>
__device__ void double_buffer(const Args& a) {
  __shared__ u32 tiles[2][64];
  u32 sum = 0;
  for (int k = 0; k < a.k; ++k) {
    const int turn = kFault ? 0 : k & 1;
    tiles[turn][tid()] = a.in[k * 64 + tid()];  // OTHER double_buffer
    barrier();
    sum += tiles[turn][63 - tid()];  // FOUND double_buffer
  }
  a.out[tid()] = sum;
}
TRIAD(double_buffer, 64)

// Sums over the waves in halves; the fault has no barrier between two steps.
template <bool kFault>
__device__ void reduction_tree(const Args& a) {
  __shared__ u32 part[256];
  part[tid()] = a.in[tid()];
  barrier();
  for (int half = 128; half > 0; half /= 2) {
    if (tid() < half) part[tid()] += part[tid() + half];  // FOUND reduction_tree // OTHER reduction_tree
    if (!kFault || half == 128) barrier();
  }
  barrier();
  a.out[tid()] = part[0];
}
TRIAD(reduction_tree, 256)

// One slot a wave; the fault takes the slot of the lane.
template <bool kFault>
__device__ void one_slot_for_two(const Args& a) {
  __shared__ u32 slots[64];
  slots[kFault ? tid() & 31 : tid()] = a.in[tid()];  // FOUND one_slot_for_two // OTHER one_slot_for_two
  barrier();
  a.out[tid()] = slots[kFault ? tid() & 31 : tid()];
}
TRIAD(one_slot_for_two, 64)

// Neighbouring bytes belong to different waves; in the fault one byte has two writers.
template <bool kFault>
__device__ void bytes_of_two_waves(const Args& a) {
  __shared__ u8 row[128];
  const int wave = tid() / 32, lane = tid() % 32;
  row[kFault && tid() == 100 ? 0 : lane * 4 + wave] = static_cast<u8>(a.in[tid()]);  // FOUND bytes_of_two_waves // OTHER bytes_of_two_waves
  barrier();
  a.out[tid()] = kFault ? 1u : row[tid()];
}
TRIAD(bytes_of_two_waves, 128)

// Counted by atomics, read plainly.
template <bool kFault>
__device__ void bins_read_too_early(const Args& a) {
  __shared__ u32 bins[4];
  if (tid() < 4) bins[tid()] = 0;
  barrier();
  __hip_atomic_fetch_add(&bins[a.in[tid()] & 3], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);  // OTHER bins_read_too_early
  if (!kFault) barrier();
  a.out[tid()] = bins[tid() & 3];  // FOUND bins_read_too_early
}
TRIAD(bins_read_too_early, 128)

// Bins cleared by one wave while others count already.
template <bool kFault>
__device__ void bins_cleared_too_late(const Args& a) {
  __shared__ u32 bins[4];
  if (tid() < 4) bins[tid()] = 0;  // OTHER bins_cleared_too_late
  if (!kFault) barrier();
  __hip_atomic_fetch_add(&bins[a.in[tid()] & 3], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);  // FOUND bins_cleared_too_late
  barrier();
  a.out[tid()] = bins[tid() & 3];
}
TRIAD(bins_cleared_too_late, 128)

// A maximum by compare-and-swap; its loop begins with a plain read of what others swap.
static __device__ inline void maximum(u32* p, u32 x) {
  u32 old = __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  while (old < x && !__hip_atomic_compare_exchange_strong(p, &old, x, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                          __HIP_MEMORY_SCOPE_WORKGROUP)) {
  }
}
template <bool kFault>
__device__ void maximum_of_waves(const Args& a) {
  __shared__ u32 best[1];
  if (kFault || tid() == 0) best[0] = 0;  // FOUND maximum_of_waves // OTHER maximum_of_waves
  if (!kFault) barrier();
  maximum(&best[0], a.in[tid()]);  // OTHER maximum_of_waves
  barrier();
  a.out[tid()] = best[0];
}
TRIAD(maximum_of_waves, 128)
