// `w4check intake`: makes a module of somebody else's kernels.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct IntakeCommand {
  std::vector<std::string> sources;
  std::string arch = "gfx1151", out;
  std::string manifest, keep;
  std::vector<std::string> ops, include_dirs, defines, flags;
};

void add_intake(CLI::App& app, IntakeCommand& c);
int intake_command(const IntakeCommand& c);

}  // namespace w4
