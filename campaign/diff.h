// `w4check diff A B`: two versions of a module, what is not the same between them (docs/diff.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct DiffCommand {
  std::string a, b;  // paths, or builtin
  std::vector<std::string> suites, kernels, devices;
  std::vector<std::string> sections;  // besides contract; empty: all
  std::string budget = "10m";
  std::string seed = "1";
  int64_t cases = 300;                         // generated legal ones of each kernel
  std::string accept, write_accept, json, db;  // files; empty: none
};

// Adds `diff`; parsing sets `c`.
void add_diff(CLI::App& app, DiffCommand& c);

// Exit code: 0 no undeclared difference, 1 some or a stale declaration, 2 usage, 3 harness error,
// 130 interrupted.
int diff_command(const DiffCommand& c);

}  // namespace w4
