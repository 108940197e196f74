// A numerics declaration carried out by plain loops, honestly or with one breach: what an interval
// must accept and what it must not. Honest, it gives the bits of the kernel's machine code
// (tests/oracles/machine_code_test.cpp), so it is no second wording of the declaration that only
// agrees with itself.
//   dot2   32 lanes, lane l takes chunks l, l+32, … of A elements: A/2 dot2 from 0 on
//   weight(q,z,1),
//          or on 128 + q less (128 + z) sum(act) with the offset trick; one fp32 fma with the scale
//          a chunk; lanes by halves within rows of 16, then the two rows. Without a scale after
//          chunks (A = 0): chunks of 8, each from the lane's sum on, on weight(q,z,s)
//   wmma   one fp32 sum, k ascending in steps of 16, on weight(q,z,s): by the model one fma a
//          product (ieee), 8 times two products (gfx1151), four times four, elements 0, 8, 4, 12 on
//          (gfx1201), all sixteen at once (cuda, whose dot2 is two fma)
//   fma32  one fp32 sum, k ascending, one fma a product
#pragma once

#include <cstdint>
#include <vector>

#include "reference/arrays.h"
#include "reference/numerics.h"

namespace w4 {

enum class Breach : uint8_t {
  none,
  half_accumulator,  // the fp32 sum is rounded to T after each chunk, or step of the matrix unit
  half_split,        // each lane's sum, or each half of K, is rounded to T before they are added
  half_partial,      // a chunk's sum is rounded to T before the scale
  half_act_sum,      // with the offset trick, the chunk's sum of activations is rounded to T
  other_weight,      // dot2, fma32: the weight is rounded to T; wmma: fl(q s) + fl(-z s) rounded
                     // where fl((q - z) s) is declared, and the other way round
  truncated_weight,  // a rounded weight is cut off instead
  truncating_store,  // the last rounding is towards zero
  other_store,       // rounded to T before the bias where once is declared, and the other way round
};

struct Carried {
  Arithmetic arithmetic = Arithmetic::ieee;
  int chunk = 0;  // A that runs, where the declaration leaves it open; 0: the declared one
};

// Whether the declaration has the step that the breach breaks.
bool applies(Breach b, const Numerics& numerics);

// Bits [M,N]; rows without an expert are zeros. On input: applies(breach, …), K whole chunks.
std::vector<uint16_t> simulate(const Arrays& x, const Numerics& numerics, const Carried& how,
                               Breach breach);

}  // namespace w4
