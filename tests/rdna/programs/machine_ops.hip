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

// Compares in DPP form: the left neighbour's value below the lane's own, as a mask and as EXEC. Lanes
// without a neighbour in their row of 16 compare to nothing.
extern "C" __global__ void __launch_bounds__(32) compare_neighbours(const u32* in, u32* out) {
  const u32 x = in[thread()];
  u32 mask, exec, old;
  asm volatile(
      "v_cmp_lt_u32 vcc_lo, %3, %3 row_shr:1 row_mask:0xf bank_mask:0xf\n"
      "s_mov_b32 %0, vcc_lo\n"
      "s_mov_b32 %2, exec_lo\n"
      "v_cmpx_lt_u32 %3, %3 row_shr:1 row_mask:0xf bank_mask:0xf\n"
      "s_mov_b32 %1, exec_lo\n"
      "s_mov_b32 exec_lo, %2"
      : "=&s"(mask), "=&s"(exec), "=&s"(old)
      : "v"(x)
      : "vcc");
  if (thread() == 0) {
    out[0] = mask;
    out[1] = exec;
  }
}
