// Triads of the checks `lanes` and `globalrace`: FAULT kernels give exactly one kind of finding,
// their clean twins none.
#include "tests/rdna/programs/mini.h"

enum Move { kSwapRows, kShuffle, kDpp, kSwizzle };

template <Move kMove>
__device__ inline u32 other(u32 x) {
  const int v = static_cast<int>(x);
  int r = 0;
  if (kMove == kSwapRows) r = static_cast<int>(__builtin_amdgcn_permlanex16(x, x, 0x76543210, 0xfedcba98, false, false));
  if (kMove == kShuffle) r = __builtin_amdgcn_ds_bpermute(static_cast<int>((thread() ^ 16) & 31) << 2, v);
  if (kMove == kDpp) r = __builtin_amdgcn_update_dpp(v, v, 0x161, 0xf, 0xf, false);  // lane ^ 1
  if (kMove == kSwizzle) r = __builtin_amdgcn_ds_swizzle(v, 1 << 10 | 0x1f);         // lane ^ 1
  return static_cast<u32>(r);
}

// The exchange before a branch of one lane, or sunk into it.
template <Move kMove, bool kFault>
__device__ inline void exchange(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  u32 y = 0;
  if (!kFault) {
    y = other<kMove>(x);
    asm volatile("" : "+v"(y));
  }
  if ((thread() & 31) == 3) {
    if (kFault) y = other<kMove>(x);
    out[global_id()] = x + y;
  } else {
    out[global_id()] = x;
  }
}

// All lanes but one exchange, and the lane that reads the missing one drops what it got.
template <Move kMove, u32 kDistance>
__device__ inline void dropped(const u32* in, u32* out) {
  const u32 x = in[global_id()];
  if ((thread() & 31) != 3) {
    const u32 y = other<kMove>(x);
    out[global_id()] = (thread() & 31) == (3 ^ kDistance) ? x : x + y;
  } else {
    out[global_id()] = x;
  }
}

extern "C" {
#define EXCHANGE(NAME, MOVE, DISTANCE)                                                                         \
  __global__ __launch_bounds__(64) void fault_##NAME(const u32* in, u32* out) { exchange<MOVE, true>(in, out); }  \
  __global__ __launch_bounds__(64) void clean_##NAME(const u32* in, u32* out) { exchange<MOVE, false>(in, out); } \
  __global__ __launch_bounds__(64) void drop_##NAME(const u32* in, u32* out) { dropped<MOVE, DISTANCE>(in, out); }
EXCHANGE(swap_rows, kSwapRows, 16)
EXCHANGE(shuffle, kShuffle, 16)
EXCHANGE(dpp, kDpp, 1)
EXCHANGE(swizzle, kSwizzle, 1)

// Waves hand values on through a buffer, with or without a barrier between.
__global__ __launch_bounds__(64) void hand_on(u32* row, u32* out, int fault) {
  row[thread()] = thread();
  if (!fault) barrier();
  out[thread()] = row[63 - thread()];
}

// The reads come first.
__global__ __launch_bounds__(64) void take_then_put(u32* row, u32* out, int fault) {
  const u32 x = row[63 - thread()];
  if (!fault) barrier();
  row[thread()] = x;
  out[thread()] = x;
}

// Each workgroup writes its own part of a buffer, or also the first element of the next.
__global__ __launch_bounds__(32) void parts(u32* out, int width) {
  for (int i = static_cast<int>(thread()); i < width; i += 32) out[block() * 32 + static_cast<u32>(i)] = 1;
}
// A neighbour's part is read.
__global__ __launch_bounds__(32) void neighbour(u32* out, int fault) {
  out[global_id()] = 5;
  const u32 x = out[fault ? (global_id() + 32) & 63 : global_id()];
  out[global_id()] = x + 1;
}
// Sums of all workgroups, by atomics or by plain updates.
__global__ __launch_bounds__(32) void sums(u32* out, int fault) {
  if (fault) {
    out[thread()] += 1;
  } else {
    __hip_atomic_fetch_add(&out[thread()], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}
// Adjacent bytes of one word, each with one writer in each of two waves.
__global__ __launch_bounds__(64) void bytes(u8* out, int fault) { out[fault ? thread() & 31 : (thread() * 2 + thread() / 32) & 63] = 1; }

// The workgroup that comes last, by a counter, adds up what all have written.
__global__ __launch_bounds__(32) void last_one_sums(u32* parts_of, u32* counter, u32* out, int fault) {
  parts_of[global_id()] = thread();
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  u32 before = block();
  if (!fault) {
    if (thread() == 0) before = __hip_atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
    before = static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(before)));
  }
  if (before != 1) return;
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  out[thread()] = parts_of[thread()] + parts_of[thread() + 32];
}

// Reads of inactive lanes that the ISA defines and programs rely on.
__global__ __launch_bounds__(64) void clean_defined_reads(const u32* in, u32* out) {
  const int x = static_cast<int>(in[global_id()]);
  int r = x;
  if ((thread() & 31) < 8) {
    r += __builtin_amdgcn_update_dpp(0, x, 0x140, 0xf, 0xf, true);  // row_mirror, zeros asked for
    r += __builtin_amdgcn_readlane(x, 20);
    r += __builtin_amdgcn_readfirstlane(x);
  }
  out[global_id()] = static_cast<u32>(r);
}
}  // extern "C"
