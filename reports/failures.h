// Red verdicts folded into failures (results/failure_key.h), the most frequent first.
#pragma once

#include <cstddef>
#include <memory>

#include "reports/section.h"

namespace w4 {

// Failures that the report lists and has a page of.
inline constexpr size_t kFailuresShown = 1000;

std::unique_ptr<Section> failures_section();  // "failures"

}  // namespace w4
