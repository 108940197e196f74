// Red verdicts folded into failures (results/failure_key.h), the most frequent first.
#pragma once

#include <memory>

#include "reports/section.h"

namespace w4 {

std::unique_ptr<Section> failures_section();  // "failures"

}  // namespace w4
