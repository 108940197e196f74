// The command that runs a case again, for a person's shell.
#pragma once

#include <string>
#include <string_view>

namespace w4 {

// "w4check rerun 'decode m=1'". A line of a fuzz target is a command already.
std::string command_to_rerun(std::string_view line);

}  // namespace w4
