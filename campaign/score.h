// `w4check score`: how many mutants of a kernel's own machine code its random cases kill.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct ScoreCommand {
  std::string module = "builtin", kernel;  // kernel: empty: all
  std::vector<std::string> devices;        // empty: gfx1151, or the first that the kernel has
  int64_t mutants = 100, cases = 200;
  double budget = 5;
  uint64_t seed = 1;
  int jobs = 1;
  std::string json;         // file; "-": standard output; empty: none
  bool in_process = false;  // native code too: what the command runs in a process of its own
};

void add_score(CLI::App& app, ScoreCommand& c);

// Exit code: 0 measured, whatever the score; 1 a case is red without any mutation; 2 usage;
// 3 harness error; 130 interrupted.
int score_command(const ScoreCommand& c);

}  // namespace w4
