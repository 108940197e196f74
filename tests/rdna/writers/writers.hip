// Output elements with two owners or none.
#include "tests/rdna/triad_kernel.h"

template <bool kFault>
__device__ void two_lanes_one_element(const Args& a) {
  a.out[kFault ? tid() / 2 : tid()] = thread();  // FOUND two_lanes_one_element
}
TRIAD(two_lanes_one_element, 64)

// Elements of 16 bits: the halves of one word have different owners.
template <bool kFault>
__device__ void halves_of_a_word(const Args& a) {
  u16* out = reinterpret_cast<u16*>(a.out);
  out[kFault && tid() == 9 ? 8 : tid()] = static_cast<u16>(thread());  // FOUND halves_of_a_word
}
TRIAD(halves_of_a_word, 64)

// Tiles of 32 columns at a step of 31.
template <bool kFault>
__device__ void tiles_overlap(const Args& a) {
  a.out[bid() * (kFault ? 31 : 32) + tid()] = 1;  // FOUND tiles_overlap
}
TRIAD(tiles_overlap, 32)

// One split adds by an atomic, the other writes.
template <bool kFault>
__device__ void atomic_and_plain(const Args& a) {
  if (bid() == 0) {
    a.out[tid()] = 0;
  } else if (kFault) {
    add(&a.out[tid()], 1);  // FOUND atomic_and_plain
  } else {
    a.out[32 + tid()] = 1;
  }
}
TRIAD(atomic_and_plain, 32)

// Floor instead of ceil: the last columns have no workgroup.
template <bool kFault>
__device__ void columns_without_a_tile(const Args& a) {
  const int tiles = kFault ? a.n / 32 : (a.n + 31) / 32;
  const int col = bid() * 32 + tid();
  if (bid() < tiles && col < a.n) a.out[col] = 1;
}
TRIAD(columns_without_a_tile, 32)

// The half-width tile keeps the guard of lane 0 to 15.
template <bool kFault>
__device__ void row_of_the_upper_lanes(const Args& a) {
  u16* out = reinterpret_cast<u16*>(a.out);
  if (!kFault || tid() != 16) out[tid()] = 1;
}
TRIAD(row_of_the_upper_lanes, 32)
