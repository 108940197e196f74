// How many planted defects the oracles found, in the words of the summary, from the newest document
// that `w4check zoo --db` filed.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "results/documents.h"

namespace w4 {

// null: the store has no such document, or it is of another shape. `build`: of the run.
Result<nlohmann::json> zoo_score(Store& store, std::string_view build);

}  // namespace w4
