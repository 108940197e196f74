// `w4check intake`: makes a module of somebody else's source, or takes code objects out of a file.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct IntakeCommand {
  std::vector<std::string> sources;
  std::string fatbin;     // file that holds code objects; otherwise there are sources
  std::string arch, out;  // empty: gfx1151, or all that the file has; nothing written
  std::string manifest, keep;
  std::vector<std::string> ops, include_dirs, defines, flags;
};

void add_intake(CLI::App& app, IntakeCommand& c);
int intake_command(const IntakeCommand& c);

}  // namespace w4
