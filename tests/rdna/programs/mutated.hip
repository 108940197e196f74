// Something of everything that mutation has an operator for: loads, a loop, LDS, a barrier, a
// store.
#include "tests/rdna/programs/mini.h"

extern "C" __global__ __launch_bounds__(64) void mutated(const u32* in, u32* out, u32 trips) {
  __shared__ u32 row[64];
  const u32 t = thread();
  u32 x = in[global_id()];
  // As machine code, so that the loop stays one.
  asm volatile(
      "s_mov_b32 s20, 0\n"
      "w4_loop%=:\n"
      "  v_add_nc_u32 %0, 1, %0\n"
      "  s_add_u32 s20, s20, 1\n"
      "  s_cmp_lt_u32 s20, %1\n"
      "  s_cbranch_scc1 w4_loop%=\n"
      : "+v"(x)
      : "s"(trips)
      : "s20", "scc");
  row[t] = x;
  barrier();
  out[global_id()] = row[t] + row[t ^ 32];
}
