// Undefined values that reach an address, a branch, EXEC or global memory, wherever they were born.
#include "tests/rdna/triad_kernel.h"

template <bool kFault>
__device__ void accumulator(const Args& a) {
  u32 sum = never_written();
  if (!kFault) sum = 0;
  for (int k = 0; k < a.k; ++k) sum += a.in[tid() * a.k + k];
  a.out[tid()] = sum;  // FOUND accumulator
}
TRIAD(accumulator, 32)

// One of 65 private words is missing, and only one lane asks for it.
template <bool kFault>
__device__ void private_word(const Args& a) {
  volatile u32 t[65];
  for (int i = 0; i < (kFault ? 64 : 65); ++i) t[i] = a.in[i];
  a.out[tid()] = t[tid() + a.m];  // FOUND private_word
}
TRIAD(private_word, 32)

// A tile of 16 rows of 64 bytes of which 15 are staged.
template <bool kFault>
__device__ void short_staging(const Args& a) {
  __shared__ u32 tile[16][16];
  for (int i = tid(); i < (kFault ? 15 : 16) * 16; i += 64) tile[i / 16][i % 16] = a.in[i];  // BORN short_staging
  barrier();
  u32 sum = 0;
  for (int i = 0; i < 16; i += 4) sum += tile[i + tid() / 16][tid() % 16];
  a.out[tid()] = sum;  // FOUND short_staging
}
TRIAD(short_staging, 64)

// Two tiles one behind the other; the first misses its last 16 bytes.
template <bool kFault>
__device__ void short_first_tile(const Args& a) {
  __shared__ __attribute__((aligned(16))) u32 tiles[2][128];
  if (!kFault || tid() < 31) *reinterpret_cast<Quad*>(&tiles[0][tid() * 4]) = Quad{{1, 2, 3, 4}};  // BORN short_first_tile
  tiles[1][tid()] = tiles[1][tid() + 32] = tiles[1][tid() + 64] = tiles[1][tid() + 96] = a.in[tid()];
  barrier();
  u32 sum = 0;
  for (int i = 0; i < 4; ++i) sum += tiles[0][tid() + 32 * i] + tiles[1][tid() + 32 * i];
  a.out[tid()] = sum;  // FOUND short_first_tile
}
TRIAD(short_first_tile, 32)

// One lane in the middle stages nothing.
template <bool kFault>
__device__ void hole_in_a_row(const Args& a) {
  __shared__ u32 row[128];
  if (!kFault || tid() != 77) row[tid()] = a.in[tid()];
  barrier();
  a.out[tid()] = row[127 - tid()] + 1;  // FOUND hole_in_a_row
}
TRIAD(hole_in_a_row, 128)

// One word of one lane's sixteen bytes.
template <bool kFault>
__device__ void word_of_a_vector(const Args& a) {
  __shared__ Quad rows[128];
  const u32 v = a.in[tid()];
  if (kFault && tid() == 77) {
    rows[77].x[0] = rows[77].x[1] = rows[77].x[3] = v;
  } else {
    rows[tid()] = Quad{{v, v + 1, v + 2, v + 3}};
  }
  barrier();
  const Quad q = rows[tid() & 95];
  a.out[tid()] = q.x[0] + q.x[1] + q.x[2] + q.x[3];  // FOUND word_of_a_vector
}
TRIAD(word_of_a_vector, 128)

// The wave of the tail leaves before it has staged its part, which the others read.
template <bool kFault>
__device__ void early_exit(const Args& a) {
  __shared__ u32 row[64];
  if (!kFault || tid() < a.n) row[tid()] = a.in[tid()];  // BORN early_exit
  if (tid() >= a.n) return;
  barrier();
  a.out[tid()] = row[63 - tid()];  // FOUND early_exit
}
TRIAD(early_exit, 64)

template <bool kFault>
__device__ void branch(const Args& a) {
  const u32 x = kFault ? never_written() : a.in[tid()];
  a.out[tid()] = 1;
  if (__builtin_amdgcn_readfirstlane(static_cast<int>(x)) == 5) a.work[tid()] = 1;  // FOUND branch
}
TRIAD(branch, 32)

template <bool kFault>
__device__ void exec_mask(const Args& a) {
  const u32 x = kFault ? never_written() : a.in[tid()];
  a.out[tid()] = 1;
  if (x == 5) {  // FOUND exec_mask
    a.work[tid()] = 1;
    add(&a.work[32], 1);
  }
}
TRIAD(exec_mask, 32)

template <bool kFault>
__device__ void address(const Args& a) {
  const u32 x = kFault ? never_written() : a.in[tid()];
  a.out[tid()] = 1;
  a.work[x & 31] = 1;  // FOUND address
}
TRIAD(address, 32)

template <bool kFault>
__device__ void lds_address(const Args& a) {
  __shared__ u32 row[32];
  const u32 x = kFault ? never_written() : a.in[tid()];
  row[tid()] = a.in[tid()];
  a.out[tid()] = row[x & 31];  // FOUND lds_address
}
TRIAD(lds_address, 32)

// A workspace that the host did not clear: partial sums of more splits than there are.
template <bool kFault>
__device__ void reduces_too_many_splits(const Args& a) {
  for (int s = 0; s < a.k; ++s) a.work[s * 32 + tid()] = a.in[tid()];
  u32 sum = 0;
  for (int s = 0; s < a.k + (kFault ? 1 : 0); ++s) sum += a.work[s * 32 + tid()];
  a.out[tid()] = sum;  // FOUND reduces_too_many_splits
}
TRIAD(reduces_too_many_splits, 32)

// Adds onto a workspace that nobody cleared.
template <bool kFault>
__device__ void adds_to_nothing(const Args& a) {
  if (!kFault) a.work[tid()] = 0;
  add(&a.work[tid()], 1);  // FOUND adds_to_nothing
  a.out[tid()] = 1;
}
TRIAD(adds_to_nothing, 32)

template <bool kFault>
__device__ void counts_in_lds(const Args& a) {
  __shared__ u32 bins[4];
  if (tid() < (kFault ? 3 : 4)) bins[tid()] = 0;  // BORN counts_in_lds
  barrier();
  __hip_atomic_fetch_add(&bins[a.in[tid()] & 3], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);  // FOUND counts_in_lds
  barrier();
  a.out[tid()] = bins[tid() & 3];
}
TRIAD(counts_in_lds, 32)

// y = sum + 0 * y reads an output that holds nothing.
template <bool kFault>
__device__ void old_output(const Args& a) {
  float* y = reinterpret_cast<float*>(a.out);
  float sum = static_cast<float>(a.in[tid()]);
  if (kFault) sum = __builtin_fmaf(y[tid()], static_cast<float>(a.m), sum);
  y[tid()] = sum;  // FOUND old_output
}
TRIAD(old_output, 32)

// The high half of a packed pair has no value; the twin stores the low one alone.
template <bool kFault>
__device__ void half_of_a_pair(const Args& a) {
  const u32 pair = (never_written() & 0xffff0000u) | (a.in[tid()] & 0xffffu);
  u16* out = reinterpret_cast<u16*>(a.out);
  if (kFault) {
    a.out[tid()] = pair;  // FOUND half_of_a_pair
  } else {
    out[2 * tid()] = out[2 * tid() + 1] = static_cast<u16>(pair);
  }
}
TRIAD(half_of_a_pair, 32)

// An undefined word that goes through LDS; the twin needs its low byte alone, which is defined.
template <bool kFault>
__device__ void byte_through_lds(const Args& a) {
  __shared__ u32 row[128];
  row[tid()] = (never_written() << 8) | (a.in[tid()] & 255);
  barrier();
  const u32 x = row[127 - tid()];
  a.out[tid()] = kFault ? x : x & 255;  // FOUND byte_through_lds
}
TRIAD(byte_through_lds, 128)

// The same through an exchange of two registers, each the other's.
template <bool kFault>
__device__ void byte_through_a_swap(const Args& a) {
  u32 x = (never_written() << 8) | (a.in[tid()] & 255), y = (never_written() << 4) | (a.in[tid()] & 15);
  asm volatile("v_swap_b32 %0, %1" : "+v"(x), "+v"(y));
  a.out[tid()] = kFault ? y : (x & 15) + (y & 255);  // FOUND byte_through_a_swap
}
TRIAD(byte_through_a_swap, 32)

// An unwritten word is loaded, but a select drops it.
template <bool kFault>
__device__ void dropped_by_a_select(const Args& a) {
  __shared__ u32 row[128];
  if (tid() != 77) row[tid()] = a.in[tid()];
  barrier();
  const u32 x = row[127 - tid()];
  a.out[tid()] = tid() == (kFault ? 51 : 50) ? 5u : x;  // FOUND dropped_by_a_select
}
TRIAD(dropped_by_a_select, 128)

// The bytes between the columns of rows[n] that nobody fills are read with the last vector.
template <bool kFault>
__device__ void pad_of_a_row(const Args& a) {
  u32* row = a.work + tid() * 4;
  row[0] = row[1] = row[2] = a.in[tid()];
  asm volatile("" ::: "memory");
  const Quad q = *reinterpret_cast<const Quad*>(row);
  a.out[tid()] = q.x[0] + q.x[1] + q.x[2] + (kFault ? q.x[3] : 0);  // FOUND pad_of_a_row
}
TRIAD(pad_of_a_row, 32)

// The address of the host's services, which printf and assert need, in the kernel arguments.
template <bool kFault>
__device__ void host_services(const Args& a) {
  const auto* hidden = (const __attribute__((address_space(4))) u32*)__builtin_amdgcn_implicitarg_ptr();
  a.out[tid()] = hidden[kFault ? 20 : 0];  // FOUND host_services
}
TRIAD(host_services, 32)
