// Branches whose counts are known: written as machine code, so that no compiler moves them.
#include "tests/rdna/programs/mini.h"

// Each wave: five turns of a loop whose head is a hint, then a block that nobody enters, then one
// that only workgroup 0 skips.
extern "C" __global__ void counted(u32* out) {
  u32 group = block();
  asm volatile(
      "s_mov_b32 s20, 5\n"
      "w4_loop%=:\n"
      "  s_nop 3\n"
      "  s_sub_i32 s20, s20, 1\n"
      "  s_cmp_lg_u32 s20, 0\n"
      "  s_cbranch_scc1 w4_loop%=\n"
      "  s_cbranch_scc0 w4_over%=\n"
      "  s_movk_i32 s20, 0x777\n"
      "w4_over%=:\n"
      "  s_cmp_eq_u32 %0, 0\n"
      "  s_cbranch_scc1 w4_end%=\n"
      "  s_movk_i32 s21, 0x111\n"
      "  s_branch w4_end%=\n"
      "w4_end%=:\n" ::"s"(group)
      : "s20", "s21", "scc");
  out[group] = 1;
}

__attribute__((noinline)) __device__ u32 twice(u32 x) {
  asm volatile("s_movk_i32 s20, 0x222" ::: "s20");
  return 2 * x;
}
extern "C" __global__ void calls(u32* out) {
  u32 x = twice(block());
  out[block()] = twice(x);
}
