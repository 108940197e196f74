// The stop rule of a campaign as a topic of the report's facts.
#pragma once

#include <nlohmann/json.hpp>

#include "core/result.h"
#include "results/store.h"

namespace w4 {

// null: the run is no campaign, or none of its cases is drawn independently. Errors are the
// store's.
Result<nlohmann::json> stop_fact(Store& store, const StoredRun& run);

}  // namespace w4
