// What kernels ask of the machine: clocks, hardware registers, the first wave at a barrier.
#include "tests/rdna/programs/mini.h"

// Two clocks, read again until each has moved on by 1000.
extern "C" __global__ void __launch_bounds__(64) clocks(u64* out) {
  const u64 cycles = __builtin_readcyclecounter(), steady = __builtin_readsteadycounter();
  u64 a = cycles, b = steady;
  while (a - cycles < 1000) a = __builtin_readcyclecounter();
  while (b - steady < 1000) b = __builtin_readsteadycounter();
  const u32 i = global_id();
  out[4 * i] = cycles;
  out[4 * i + 1] = a;
  out[4 * i + 2] = steady;
  out[4 * i + 3] = b;
}

// hwreg(HW_ID1), its wave slot alone, and HW_ID2.
extern "C" __global__ void __launch_bounds__(64) place(u32* out) {
  const u32 i = global_id();
  out[3 * i] = __builtin_amdgcn_s_getreg(23 | 31 << 11);
  out[3 * i + 1] = __builtin_amdgcn_s_getreg(23 | 4 << 11);
  out[3 * i + 2] = __builtin_amdgcn_s_getreg(24 | 31 << 11);
}

extern "C" __global__ void __launch_bounds__(64) unknown_register(u32* out) {
  out[global_id()] = __builtin_amdgcn_s_getreg(3 | 31 << 11);
}

extern "C" __global__ void __launch_bounds__(256) first_at_barrier(u32* out) {
#ifdef __GFX12__
  const u32 first = __builtin_amdgcn_s_barrier_signal_isfirst(-1);
  __builtin_amdgcn_s_barrier_wait(-1);
#else
  const u32 first = thread() < 32;
  barrier();
#endif
  out[global_id()] = first;
}
