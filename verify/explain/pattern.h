// What a wrong output looks like where no hypothesis fits: sentences on where it is wrong, how
// much, and which part of K carries the error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/context.h"
#include "verify/explain/recipe.h"

namespace w4::explain {

// From one output: rows and columns, kinds of values, ratio, sign, what is constant along a column
// or a row.
std::vector<std::string> describe(const Observed& o);

// From reruns with all of act zero but a part of K (`only=`): which groups go wrong alone, and
// which parts of a group. On input o.bad_count > 0. Lines that were run are added to `lines`.
std::vector<std::string> probe_k(const Observed& o, Context& context,
                                 const std::function<bool()>& stop,
                                 std::vector<std::string>& lines);

}  // namespace w4::explain
