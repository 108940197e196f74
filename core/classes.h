// The classes of calls that behaviours, the coverage of generators and reports count (oracles.md
// 8): one set of words and limits for all of them.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/contract.h"
#include "core/problem.h"

namespace w4 {

// Of K times the rows of activations that a workgroup holds, against an edge in elements.
enum class Side : uint8_t { below, at, above };
std::string_view name_of(Side s);

// Rows that a workgroup holds at once: M, of experts block_m.
int64_t staged_rows(const Problem& p);
Side lds_side(const Problem& p, int64_t edge = kLdsElements);

// K is not whole steps of 512, N not whole tiles of 4.
bool ragged_k(const Problem& p);
bool ragged_n(const Problem& p);
std::string_view tail_class(const Problem& p);  // "none", "k", "n", "k and n"

// M: "0 or less", "1" to "5", "6-16", "17-64", "65 and more".
std::string_view rows_class(const Problem& p);

}  // namespace w4
