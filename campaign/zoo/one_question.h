// A worker for one question, answered as JSON: native code may end its process or never end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"

namespace w4::zoo {

// `w4check worker OPTION`, given `line`. Errors: no worker, its death, no JSON, or no answer within
// `seconds`.
Result<nlohmann::json> one_question(const std::string& option, const std::string& line,
                                    double seconds);

}  // namespace w4::zoo
