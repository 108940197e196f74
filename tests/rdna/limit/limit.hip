// Launches above a limit: one kernel a limit, launched wrongly and rightly.
#include "tests/rdna/triad_kernel.h"

template <bool kFault>
__device__ void launched(const Args& a) {
  extern __shared__ u32 rows[];
  if (a.k > 0) rows[0] = 1;
  a.out[tid()] = 1;
}
#define LAUNCHED(NAME)                                   \
  template <bool kFault>                                 \
  __device__ void NAME(const Args& a) {                  \
    launched<kFault>(a);                                 \
  }                                                      \
  TRIAD(NAME, 64)
LAUNCHED(too_much_lds)
LAUNCHED(more_threads_than_compiled_for)
LAUNCHED(block_of_too_many_threads)
LAUNCHED(grid_too_high)
LAUNCHED(arguments_too_short)
LAUNCHED(arguments_too_long)
LAUNCHED(empty_grid)

// Runs for ever where m is negative.
__device__ void spin(const Args& a) {
  for (int i = 0; i != a.m; ++i) asm volatile("");
  a.out[tid()] = 1;
}
TWIN(spin, 32)
