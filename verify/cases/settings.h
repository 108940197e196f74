// What a generated case runs on and with: arch, what the device reports, arithmetic model, data,
// schedule.
#pragma once

#include "verify/cases/row_cases.h"

namespace w4 {

// `least_lds`: bytes that the row asks a device to report.
void choose_settings(Chooser& choose, const CaseLimits& limits, Case& c, int64_t least_lds);

}  // namespace w4
