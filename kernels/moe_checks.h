// What the MoE kernel refuses, clause by clause of core/contract.h, on tensor descriptors.
#pragma once

#include <optional>

#include "kernels/clause_checks.h"

namespace w4 {

// The first broken clause; nothing where the call is legal.
std::optional<BrokenClause> check_moe(const w4_call& call, const w4_device& device);

// The clauses in the order in which they are checked, then those of preparation; NULL-terminated.
const char* const* moe_clauses();

}  // namespace w4
