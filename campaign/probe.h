// `w4check probe`: what kernels do with their operands, recovered from outputs, against what they
// declare (verify/probe).
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace w4 {

struct ProbeCommand {
  std::string module, kernel, device = "gfx1151";  // kernel: empty: all
  std::string json;                                // file; "-": standard output; empty: none
  bool in_process = false;  // native code too: what the command runs in a process of its own
};

// Adds `probe`; parsing sets `c`.
void add_probe(CLI::App& app, ProbeCommand& c);

// Exit code: 0 everything as declared, 1 something differs or nothing could be probed, 2 usage,
// 3 harness error.
int probe_command(const ProbeCommand& c);

}  // namespace w4
