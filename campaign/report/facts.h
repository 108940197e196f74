// What a report shows and reports/ cannot compute, by topic: reports includes only core and
// results. docs/report.md says what each topic holds.
#pragma once

#include <nlohmann/json.hpp>

#include "core/result.h"
#include "results/store.h"

namespace w4 {

// Of a report on `run`. Errors are the store's.
Result<nlohmann::json> report_facts(Store& store, const StoredRun& run);

}  // namespace w4
