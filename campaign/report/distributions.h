// What the cases of a run showed against what their generators and suites promise (verify/cases/
// floors.h, campaign/suites/suite_floors.h), and which of the promised device kernels it launched.
#pragma once

#include <cstdint>
#include <memory>

#include "reports/section.h"

namespace w4 {

// "distributions". `cases`: how many the run has; of a large one a part is counted, the same each
// time, chosen by the text of the line.
std::unique_ptr<Section> distributions_section(int64_t cases);

inline constexpr int64_t kDistributionCases = 20000;  // about as many are counted

}  // namespace w4
