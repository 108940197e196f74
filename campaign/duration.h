// Lengths of time as options have them: "10m", "90s", "1.5h".
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace w4 {

// Seconds. Errors name `option`; legal: a number with s, m, h or d, 1s to 100d.
Result<double> seconds_of(std::string_view option, const std::string& text);

}  // namespace w4
