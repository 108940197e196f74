// `w4check gate`: what is red on head and was not on base, within a budget of time (docs/gate.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct GateCommand {
  std::string base, head;  // modules or builds
  std::string budget = "10m";
  std::optional<std::string> known;  // file; nullopt: ci/known.cases where it is there
  std::vector<std::string> cases;    // files; empty: ci/regressions.cases where it is there
  std::string kernel;                // regular expression of names; empty: all
  std::vector<std::string> devices;
  std::string seed = "1";
  std::optional<int> jobs;
  std::string out, json;  // files; empty: none
  std::string today;      // YYYY-MM-DD; empty: the day it is
};

// Adds `gate`; parsing sets `c`.
void add_gate(CLI::App& app, GateCommand& c);

// Exit code: 0 nothing new, 1 a new failure or a wrong entry of the ledger, 2 usage, 3 harness
// error, 130 interrupted with nothing new so far.
int gate_command(const GateCommand& c);

}  // namespace w4
