// An explanation as JSON: what `explain --json` writes and what the store keeps of a failure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "verify/explain/explain.h"

namespace w4 {

// Without its verdict and the lines that were run.
nlohmann::json explanation_json(const explain::Explanation& e);

}  // namespace w4
