// A whole tile kernel with one thing left out.
#include "tests/rdna/gemm/tile.inc"
#include "tests/rdna/triad_kernel.h"

template <class T, Fault kFault>
__device__ inline void tile_of(const Args& a) {
  tile<T, kFault>(a.wei, reinterpret_cast<const u16*>(a.in), reinterpret_cast<const Half*>(a.scale),
                  reinterpret_cast<float*>(a.out), a.m, a.n, a.k, a.g);
}
#define FAULT(NAME, T, FAULT) \
  extern "C" __global__ __launch_bounds__(64) void NAME##_fault(Args args) { tile_of<T, FAULT>(args); }
FAULT(no_guard, Half, kNoGuard)
FAULT(no_barrier, Brain, kNoBarrierAfter)
FAULT(no_barrier_before_refill, Half, kNoBarrierBefore)
FAULT(short_staging, Half, kShortStaging)
FAULT(rows_of_the_other_arch, Half, kWrongRows)
FAULT(unequal_copies, Half, kWrongCopy)
FAULT(one_lane_off, Brain, kOneLaneOff)

__device__ void f16_tile(const Args& a) { tile_of<Half, kClean>(a); }
TWIN(f16_tile, 64)
__device__ void bf16_tile(const Args& a) { tile_of<Brain, kClean>(a); }
TWIN(bf16_tile, 64)
