// Whether a suite saw what it claims to cover (oracles.md 8): every value of a class that matters
// at least its floor of times. A suite below a floor fails.
#pragma once

#include <string_view>
#include <vector>

#include "verify/cases/coverage.h"

namespace w4 {

// What a suite of cases of expert layers must show once run: tokens, block_m, G, dtype, zero
// points, routings, orders of rows, silu, padding, forms.
std::vector<Coverage::Floor> moe_floors();

// What generated cases of a row (cases/row_cases.h) must show, run or not: what the row takes of M,
// G, dtypes, encodings, sources, data, schedules, arithmetic, edges of K and N, layers of models,
// pads, strides and offsets.
std::vector<Coverage::Floor> row_floors(std::string_view row);

// What of it is rare: for some ten thousand cases and more.
std::vector<Coverage::Floor> rare_floors(std::string_view row);

}  // namespace w4
