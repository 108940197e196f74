// Values of inactive lanes that are used, and exchanges with the wrong lane.
#include "tests/rdna/triad_kernel.h"

enum Move { kSwapRows, kShuffle, kDpp, kSwizzle };

template <Move kMove>
__device__ inline u32 other(u32 x) {
  const int v = static_cast<int>(x);
  int r = 0;
  if (kMove == kSwapRows) r = static_cast<int>(__builtin_amdgcn_permlanex16(x, x, 0x76543210, 0xfedcba98, false, false));  // BORN permlanex16_in_a_branch
  if (kMove == kShuffle) r = __builtin_amdgcn_ds_bpermute(static_cast<int>((thread() ^ 16) & 31) << 2, v);  // BORN bpermute_in_a_branch
  if (kMove == kDpp) r = __builtin_amdgcn_update_dpp(v, v, 0x161, 0xf, 0xf, false);  // lane ^ 1 // BORN dpp_in_a_branch
  if (kMove == kSwizzle) r = __builtin_amdgcn_ds_swizzle(v, 1 << 10 | 0x1f);  // lane ^ 1 // BORN swizzle_in_a_branch
  return static_cast<u32>(r);
}

// The exchange before a branch of one lane, or sunk into it.
template <Move kMove, bool kFault>
__device__ inline u32 exchanged(const Args& a) {
  const u32 x = a.in[tid()];
  u32 y = 0;
  if (!kFault) {
    y = other<kMove>(x);
    asm volatile("" : "+v"(y));
  }
  if (tid() == 3) {
    if (kFault) y = other<kMove>(x);
    return x + y;
  }
  return x;
}
template <bool kFault>
__device__ void permlanex16_in_a_branch(const Args& a) {
  a.out[tid()] = exchanged<kSwapRows, kFault>(a);  // FOUND permlanex16_in_a_branch
}
TRIAD(permlanex16_in_a_branch, 32)
template <bool kFault>
__device__ void bpermute_in_a_branch(const Args& a) {
  a.out[tid()] = exchanged<kShuffle, kFault>(a);  // FOUND bpermute_in_a_branch
}
TRIAD(bpermute_in_a_branch, 32)
template <bool kFault>
__device__ void dpp_in_a_branch(const Args& a) {
  a.out[tid()] = exchanged<kDpp, kFault>(a);  // FOUND dpp_in_a_branch
}
TRIAD(dpp_in_a_branch, 32)
template <bool kFault>
__device__ void swizzle_in_a_branch(const Args& a) {
  a.out[tid()] = exchanged<kSwizzle, kFault>(a);  // FOUND swizzle_in_a_branch
}
TRIAD(swizzle_in_a_branch, 32)

// All lanes but one exchange, and the lane that reads the missing one drops what it got: legal.
template <Move kMove, int kDistance>
__device__ inline void dropped(const Args& a) {
  const u32 x = a.in[tid()];
  if (tid() != 3) {
    const u32 y = other<kMove>(x);
    a.out[tid()] = tid() == (3 ^ kDistance) ? x : x + y;
  } else {
    a.out[tid()] = x;
  }
}
__device__ void permlanex16_dropped(const Args& a) { dropped<kSwapRows, 16>(a); }
TWIN(permlanex16_dropped, 32)
__device__ void bpermute_dropped(const Args& a) { dropped<kShuffle, 16>(a); }
TWIN(bpermute_dropped, 32)
__device__ void dpp_dropped(const Args& a) { dropped<kDpp, 1>(a); }
TWIN(dpp_dropped, 32)
__device__ void swizzle_dropped(const Args& a) { dropped<kSwizzle, 1>(a); }
TWIN(swizzle_dropped, 32)

// A butterfly sum over a wave of which the tail guard has switched lanes off; the twin lets lanes of
// the tail add zeros.
template <bool kFault>
__device__ void sum_over_a_partial_wave(const Args& a) {
  u32 x = 0;
  if (!kFault) {
    if (tid() < a.n) x = a.in[tid()];
    for (int d = 1; d < 32; d *= 2)
      x += static_cast<u32>(__builtin_amdgcn_ds_bpermute((tid() ^ d) << 2, static_cast<int>(x)));
  } else if (tid() < a.n) {
    x = a.in[tid()];
    for (int d = 1; d < 32; d *= 2)
      x += static_cast<u32>(__builtin_amdgcn_ds_bpermute((tid() ^ d) << 2, static_cast<int>(x)));  // BORN sum_over_a_partial_wave
  }
  a.out[tid()] = x;  // FOUND sum_over_a_partial_wave
}
TRIAD(sum_over_a_partial_wave, 32)

// Four lanes hand on to the next in turn; the fault hands on to the one before.
template <bool kFault>
__device__ void quad_map_turned(const Args& a) {
  const int x = static_cast<int>(a.in[tid()]);
  constexpr int kNext = 1 | 2 << 2 | 3 << 4 | 0 << 6, kBefore = 3 | 0 << 2 | 1 << 4 | 2 << 6;
  a.out[tid()] = static_cast<u32>(__builtin_amdgcn_update_dpp(0, x, kFault ? kBefore : kNext, 0xf, 0xf, true));
}
TRIAD(quad_map_turned, 32)

// Row mirror where half-row mirror is meant.
template <bool kFault>
__device__ void wrong_mirror(const Args& a) {
  const int x = static_cast<int>(a.in[tid()]);
  a.out[tid()] = static_cast<u32>(__builtin_amdgcn_update_dpp(0, x, kFault ? 0x140 : 0x141, 0xf, 0xf, true));
}
TRIAD(wrong_mirror, 32)

// The selectors of a row exchange, low and high swapped.
template <bool kFault>
__device__ void selectors_swapped(const Args& a) {
  const u32 x = a.in[tid()], low = 0x76543210, high = 0xfedcba98;
  a.out[tid()] = __builtin_amdgcn_permlanex16(x, x, kFault ? high : low, kFault ? low : high, false, false);
}
TRIAD(selectors_swapped, 32)

// Reads of inactive lanes that the ISA defines and programs rely on.
__device__ void defined_reads(const Args& a) {
  const int x = static_cast<int>(a.in[tid()]);
  int r = x;
  if (tid() < 8) {
    r += __builtin_amdgcn_update_dpp(0, x, 0x140, 0xf, 0xf, true);  // row_mirror, zeros asked for
    r += __builtin_amdgcn_readlane(x, 20);
    r += __builtin_amdgcn_readfirstlane(x);
  }
  a.out[tid()] = static_cast<u32>(r);
}
TWIN(defined_reads, 32)
