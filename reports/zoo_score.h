// How many planted defects the oracles found, in the words of the summary: of the hunt that the
// zoo's page shows first.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/section.h"

namespace w4 {

// null: the store has no hunt that can be read, or none of it ran.
Result<nlohmann::json> zoo_score(Store& store, const ReportContext& context);

}  // namespace w4
