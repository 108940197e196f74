// The drift of one case's outputs (core/drift.h), over the elements that can show one.
#pragma once

#include <cstdint>
#include <span>

#include "core/drift.h"
#include "reference/arrays.h"
#include "reference/interval.h"
#include "reference/twin.h"

namespace w4 {

// Left out: elements that are no product or not finite, x = 0, and those whose B is above a quarter
// of an ulp: the order of summation could hide as much as a store that cuts off. On input: a random
// fill; otherwise errors of equal addends have equal signs and prove nothing.
Drift drift_of(const Arrays& x, const Twin& twin, const Bound& bound,
               std::span<const uint16_t> out);

// The distance to the next number away from zero, as T = f16 or bf16 has it at |v| < inf.
double ulp_at(DType t, double v);

}  // namespace w4
