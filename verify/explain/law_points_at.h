// Where to look when a law is broken: the only thing that differed between its calls.
#pragma once

#include <string_view>

#include "core/law.h"

namespace w4::explain {

// What follows "so ": "the output depends on the number of compute units: …". On input: not
// reference.
std::string_view law_points_at(Law l);

}  // namespace w4::explain
