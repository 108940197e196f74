// The interval of one output element of a case, without running its kernel.
#pragma once

#include <cstdint>

#include "core/case.h"
#include "core/result.h"
#include "reference/explain.h"
#include "verify/context.h"

namespace w4 {

// Errors: the case is skipped, breaks a clause or has a law of its own, or the element lies outside
// its output.
Result<ExplainedInterval> interval_of(const Case& c, Context& context, int64_t m, int64_t n);

}  // namespace w4
