// The host checks of the chunked kernel: clauses of core/contract.h on the tensor descriptors of a
// call.
#pragma once

#include <optional>

#include "kernels/clause_checks.h"

namespace w4 {

const char* const* chunked_clauses();

// The first broken clause, in the order of chunked_clauses(); nothing where the call is legal.
std::optional<BrokenClause> check_chunked(const w4_call& call, const w4_device& device);

}  // namespace w4
