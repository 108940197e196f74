// Runs a line for its output, judged or not: what a diagnosis looks at.
#pragma once

#include <expected>
#include <memory>

#include "verify/context.h"
#include "verify/explain/recipe.h"

namespace w4::explain {

// Error: what kept the call from an output (refused, skipped, unsupported, …).
std::expected<std::unique_ptr<Observed>, std::vector<Outcome>> observe(const Case& c,
                                                                       Context& context);

// What element (m, n) of it may be.
Legal legal_at(const Observed& o, int64_t m, int64_t n);

}  // namespace w4::explain
