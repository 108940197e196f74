// What the kernels of the triads share: one set of arguments, and the pair of a fault and its clean
// twin. Places that a report must name are marked: `// FOUND name` is the access reported,
// `// OTHER name` the other party of a race, `// BORN name` the place a birth names.
#pragma once

#include "tests/rdna/programs/mini.h"

// Buffers have these names in reports; one of no bytes is null.
struct Args {
  const u32* in;     // read-only, word i holds i
  const u32* wei;    // read-only, random words
  const u16* scale;  // read-only, fp16 ones
  u32* out;          // undefined before, every lane its own elements
  u32* work;         // read and written by all, zero before unless the row says raw
  int m, n, k, g;
};

#define TRIAD(NAME, THREADS)                                                      \
  extern "C" __global__ __launch_bounds__(THREADS) void NAME##_fault(Args args) { \
    NAME<true>(args);                                                             \
  }                                                                               \
  extern "C" __global__ __launch_bounds__(THREADS) void NAME##_clean(Args args) { \
    NAME<false>(args);                                                            \
  }
// Nothing but a clean kernel: what looks like a fault and is none.
#define TWIN(NAME, THREADS) \
  extern "C" __global__ __launch_bounds__(THREADS) void NAME##_clean(Args args) { NAME(args); }

static inline __device__ int tid() { return static_cast<int>(thread()); }
static inline __device__ int bid() { return static_cast<int>(block()); }

using Words = u32 __attribute__((ext_vector_type(4)));
struct alignas(16) Quad {
  u32 x[4];
};

// A register that nothing writes.
static inline __device__ u32 never_written() {
  u32 x;
  asm volatile("; never written: %0" : "=v"(x));
  return x;
}
static inline __device__ u32 add(u32* p, u32 x) {
  return __hip_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
