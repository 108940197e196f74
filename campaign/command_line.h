// The command line as a Command.
#pragma once

#include <variant>

#include "campaign/commands.h"

namespace w4 {

// Help, version and usage errors have been printed where an exit code comes back.
std::variant<Command, ExitCode> read_command_line(int argc, char** argv);

}  // namespace w4
