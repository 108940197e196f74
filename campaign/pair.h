// `w4check pair`: every preparation with every operator of the same name, over several modules.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct PairCommand {
  std::vector<std::string> modules;
  std::string kernel;  // only this one; empty: all
  std::string device = "gfx1151";
  int jobs = 1;
  std::optional<double> timeout;  // as ExecuteOptions has it
  std::string json;               // file; "-": standard output; empty: none
};

void add_pair(CLI::App& app, PairCommand& c);

// Exit code: 0 every pair works; 1 one is refused or wrong; 2 usage; 3 the harness failed.
int pair_command(const PairCommand& c);

}  // namespace w4
