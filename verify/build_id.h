// The build id that every verdict carries: git hash, compiler, flags.
#pragma once

#include <string>

namespace w4 {

std::string build_id();

}  // namespace w4
