// The reference of a whole problem: twin and bound of a dense layer, or of a layer of experts put
// together from the dense problem of each expert. Rows without an expert are zeros, exactly.
#pragma once

#include "reference/arrays.h"
#include "reference/interval.h"
#include "reference/numerics.h"
#include "reference/twin.h"

namespace w4 {

struct Reference {
  Twin twin;
  Bound bound;
};

Reference make_reference(const Arrays& x, const Numerics& numerics, Arithmetic arithmetic,
                         bool random_fill);

// The dense problem of one expert: its weights and its rows of x, in x's order. `rows`: which.
Arrays expert_problem(const Arrays& x, int64_t expert, std::vector<int64_t>& rows);

}  // namespace w4
