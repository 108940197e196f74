// Whether a suite saw what it claims to cover (oracles.md 8): every value of a class that matters
// at least its floor of times. A suite below a floor fails.
#pragma once

#include <string_view>
#include <vector>

#include "verify/cases/coverage.h"

namespace w4 {

// What any suite of legal decode cases must show: every M, G, dtype, zero-point mode, both sides
// of the LDS edge, ragged and whole tiles, all 16 codes and zero points.
std::vector<Coverage::Floor> decode_floors();
// The same of expert layers: tokens, block_m, G, dtype, zero points, routings, orders of rows,
// silu, padding, forms.
std::vector<Coverage::Floor> moe_floors();

// The same for a row of choose_case (cases/row_cases.h): what it takes of these.
std::vector<Coverage::Floor> row_floors(std::string_view row);

}  // namespace w4
