// One fault each beside its clean twin: detector tests. FAULT_* kernels must give exactly one kind
// of finding, clean_* none.
#include "tests/rdna/programs/mini.h"

template <bool kFault>
__device__ void race(const u32* in, u32* out) {
  __shared__ u32 row[128];
  row[thread()] = in[global_id()];
  if (!kFault) barrier();
  out[global_id()] = row[127 - thread()];
}

// Counted by atomics, read plainly.
template <bool kFault>
__device__ void atomic_race(const u32* in, u32* out) {
  __shared__ u32 bins[4];
  if (thread() < 4) bins[thread()] = 0;
  barrier();
  __hip_atomic_fetch_add(&bins[in[global_id()] & 3], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  if (!kFault) barrier();
  out[global_id()] = bins[thread() & 3];
}

template <bool kFault>
__device__ void lds_oob(const u32* in, u32* out) {
  __shared__ u32 row[128];
  row[thread()] = in[global_id()];
  barrier();
  out[global_id()] = row[(thread() + (kFault ? 1 : 0)) ^ in[global_id()]];
}

template <bool kFault>
__device__ void uninit_lds(const u32* in, u32* out) {
  __shared__ u32 row[128];
  if (!kFault || thread() != 77) row[thread()] = in[global_id()];
  barrier();
  out[global_id()] = row[127 - thread()] + 1;
}

// The unwritten word is loaded but its value is dropped by a select: legal.
__device__ void uninit_unused(const u32* in, u32* out) {
  __shared__ u32 row[128];
  if (thread() != 77) row[thread()] = in[global_id()];
  barrier();
  const u32 x = row[127 - thread()];
  out[global_id()] = thread() == 50 ? 5u : x;
}

// The reader is the one that comes late: waves 2 and 3 read what waves 0 and 1 wrote.
template <bool kFault>
__device__ void race_read(const u32* in, u32* out) {
  __shared__ u32 row[128];
  row[thread()] = in[global_id()];
  if (!kFault) barrier();
  out[global_id()] = row[thread() & 63];
}

struct alignas(16) Quad {
  u32 x[4];
};

// 16 bytes a lane: the vector path of the shadow. fault 1: no barrier; fault 2: one word of one
// thread's sixteen bytes is never written.
template <int kFault>
__device__ void quads(const u32* in, u32* out) {
  __shared__ Quad rows[128];
  const u32 v = in[global_id()];
  if (kFault == 2 && thread() == 77) {
    rows[77].x[0] = rows[77].x[1] = rows[77].x[3] = v;
  } else {
    rows[thread()] = Quad{{v, v + 1, v + 2, v + 3}};
  }
  if (kFault != 1) barrier();
  const Quad q = rows[thread() & 95];
  out[global_id()] = q.x[0] + q.x[1] + q.x[2] + q.x[3];
}

// Bytes: neighbours belong to different waves (clean), or one byte is written by two.
template <bool kFault>
__device__ void bytes(const u32* in, u32* out) {
  __shared__ u8 row[128];
  const u32 wave = thread() >> 5, lane = thread() & 31;
  const u32 mine = kFault && thread() == 100 ? 0 : lane * 4 + wave;
  row[mine] = static_cast<u8>(in[global_id()]);
  barrier();
  out[global_id()] = kFault ? 1u : row[thread()];
}

extern "C" {
__global__ __launch_bounds__(128) void fault_race_read(const u32* in, u32* out) { race_read<true>(in, out); }
__global__ __launch_bounds__(128) void clean_race_read(const u32* in, u32* out) { race_read<false>(in, out); }
__global__ __launch_bounds__(128) void clean_quads(const u32* in, u32* out) { quads<0>(in, out); }
__global__ __launch_bounds__(128) void fault_quads_race(const u32* in, u32* out) { quads<1>(in, out); }
__global__ __launch_bounds__(128) void fault_quads_uninit(const u32* in, u32* out) { quads<2>(in, out); }
__global__ __launch_bounds__(128) void clean_bytes(const u32* in, u32* out) { bytes<false>(in, out); }
__global__ __launch_bounds__(128) void fault_bytes(const u32* in, u32* out) { bytes<true>(in, out); }
__global__ __launch_bounds__(128) void fault_race(const u32* in, u32* out) { race<true>(in, out); }
__global__ __launch_bounds__(128) void clean_race(const u32* in, u32* out) { race<false>(in, out); }
__global__ __launch_bounds__(128) void fault_atomic_race(const u32* in, u32* out) { atomic_race<true>(in, out); }
__global__ __launch_bounds__(128) void clean_atomic_race(const u32* in, u32* out) { atomic_race<false>(in, out); }
__global__ __launch_bounds__(128) void fault_lds_oob(const u32* in, u32* out) { lds_oob<true>(in, out); }
__global__ __launch_bounds__(128) void clean_lds_oob(const u32* in, u32* out) { lds_oob<false>(in, out); }
__global__ __launch_bounds__(128) void fault_uninit_lds(const u32* in, u32* out) { uninit_lds<true>(in, out); }
__global__ __launch_bounds__(128) void clean_uninit_lds(const u32* in, u32* out) { uninit_lds<false>(in, out); }
__global__ __launch_bounds__(128) void clean_uninit_unused(const u32* in, u32* out) { uninit_unused(in, out); }

__global__ void copy_shifted(const u32* in, u32* out, int from, int to) {
  out[static_cast<int>(global_id()) + to] = in[static_cast<int>(global_id()) + from];
}

// Writes its input when asked to.
__global__ void write_input(u32* in, u32* out, int fault) {
  out[global_id()] = in[global_id()];
  if (fault) in[global_id()] = 1;
}

// One owner per element, or two.
__global__ void two_owners(u32* out, int fault) {
  out[fault ? global_id() / 2 : global_id()] = thread();
}

// An undefined register reaches a store, an address or a branch.
__global__ void undefined_register(const u32* in, u32* out, int where) {
  u32 x;
  asm volatile("; v is never written %0" : "=v"(x));
  if (where == 0) x = in[global_id()];
  if (where == 2) {
    out[x & 127] = 1;
  } else if (where == 3) {
    const int s = __builtin_amdgcn_readfirstlane(static_cast<int>(x));
    if (s == 5) out[global_id()] = 1;
  } else {
    out[global_id()] = x;
  }
}

// An undefined register goes through LDS; only its low byte is needed where `fault` is 0, and that
// one is written.
__global__ __launch_bounds__(128) void undefined_through_lds(const u32* in, u32* out, int fault) {
  __shared__ u32 row[128];
  u32 x;
  asm volatile("; v is never written %0" : "=v"(x));
  row[thread()] = (x << 8) | (in[global_id()] & 255);
  barrier();
  const u32 y = row[127 - thread()];
  out[global_id()] = fault ? y : y & 255;
}

__global__ void spin(u32* out, int n) {
  for (int i = 0; i != n; ++i) asm volatile("");
  out[global_id()] = 1;
}

__global__ void misaligned_atomic(u32* out, int offset) {
  u32* p = reinterpret_cast<u32*>(reinterpret_cast<u8*>(out) + offset);
  if (thread() == 0) __hip_atomic_fetch_add(p, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// Waves 0 and 1 wait at two different barriers.
__global__ __launch_bounds__(128) void two_barriers_128(u32* out, int fault) {
  const bool second = __builtin_amdgcn_readfirstlane(static_cast<int>(thread())) >= 32;
  if (fault && second) {
    __builtin_amdgcn_s_barrier();
    out[global_id()] = 2;
  } else {
    __builtin_amdgcn_s_barrier();
    out[global_id()] = 1;
  }
}
}  // extern "C"
