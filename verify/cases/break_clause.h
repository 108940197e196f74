// Illegal calls: a legal case with one clause broken, in one of several ways.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "verify/cases/row_cases.h"

namespace w4 {

// Every clause that a way of breaking is known for, each once.
std::span<const std::string_view> breakable_clauses();

// pick() chooses among the ways. Breaks `clause` in rows that declare it, and mostly no other.
Case break_clause(Case legal, std::string_view clause, Chooser& choose);
// The same in a given way, counted round.
Case break_clause(Case legal, std::string_view clause, Chooser& choose, int64_t way);

// The same call for no tokens: an empty output of the hybrid, m.range or m.positive elsewhere.
Case no_rows(Case legal);

// Why no case that fits in memory breaks this declared clause of this row and no other; nullopt:
// some do. Names without a route.
std::optional<std::string_view> never_alone(std::string_view row, std::string_view clause);

}  // namespace w4
