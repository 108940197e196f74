// A module whose table a command reads in its own process. Constructors and the entry of native
// code run there, so whether they take their process down is found out in a worker first.
#pragma once

#include <string>

#include "core/result.h"
#include "intake/open_module.h"

namespace w4 {

// Errors name the path: no file, one that no case line can hold, or what opening it says.
Result<OpenModule> open_tried(const std::string& path);

}  // namespace w4
