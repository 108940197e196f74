// Ways of breaking one clause in a legal case.
#pragma once

#include <span>
#include <string_view>

#include "verify/cases/row_cases.h"

namespace w4 {

std::span<const std::string_view> breakable_clauses();
// The same of clauses that decode does not have, in a case of a row that does.
std::span<const std::string_view> breakable_expert_clauses();
// pick() chooses among the ways.
Case break_clause(Case legal, std::string_view clause, Chooser& choose);

}  // namespace w4
