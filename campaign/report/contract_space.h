// Which classes of calls the contract of each built-in kernel allows together: a cell of the
// coverage matrix that no case hit is a gap only where a legal call could have hit it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/problem.h"

namespace w4 {

// The dimensions that the contract speaks of, as the report's matrix names them, and a problem's
// value in each.
inline constexpr std::array<std::string_view, 7> kContractDimensions{"dtype", "g",   "zp",  "bias",
                                                                     "m",     "k*m", "tail"};
std::array<std::string, kContractDimensions.size()> contract_classes(const Problem& p);

// Per kernel the pairs of values that some legal call has, a value with itself where the value is
// legal at all: {"decode": {"g|zp": [["32", "none"], …], …}}; of two dimensions the one that comes
// first in kContractDimensions is named first. Found by trying calls that stand for their classes
// against the kernel's clauses.
nlohmann::json contract_space();

}  // namespace w4
