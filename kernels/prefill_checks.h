// What the prefill ops refuse, by name of the clause in core/contract.h, in the order of the decode
// op's checks. Reads the tensor descriptors of a call and nothing else.
#pragma once

#include <optional>

#include "kernels/clause_checks.h"
#include "kernels/prefill_tile.h"

namespace w4 {

// NULL-terminated, in the order they are checked.
const char* const* prefill_clauses(PrefillWeights weights);

// The first broken clause; nothing where the call is legal.
std::optional<BrokenClause> check_prefill(const w4_call& call, const w4_device& device,
                                          PrefillWeights weights);

}  // namespace w4
