// What a report shows and reports/ cannot compute, by topic: reports includes only core and
// results. docs/report.md says what each topic holds.
#pragma once

#include <nlohmann/json.hpp>

namespace w4 {

nlohmann::json report_facts();

}  // namespace w4
