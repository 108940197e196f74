// Files that targets read: where the build has them, or, for executables that were moved, in the
// folder data/ beside the program.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace w4::fuzz {

// The bytes of `path`, of at least one; where it is in neither place the process says so and exits
// with kUsage.
std::vector<std::byte> read_data(std::string_view path);

}  // namespace w4::fuzz
