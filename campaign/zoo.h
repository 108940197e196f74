// `w4check zoo`: hunts the mutants of the zoo and says which oracle and which generator kills each,
// how soon; and the clean kernels the same way, of which nothing may be red.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace w4 {

struct ZooCommand {
  std::vector<std::string> mutants, families, generators;  // empty: all
  std::string oracle;                                      // empty: all
  double budget = 20;                                      // seconds a mutant
  int64_t cases = 0;                                       // a generator; 0: any number
  uint64_t seed = 1;
  int seeds = 0;  // the random campaign alone, this many times; 0: not
  int jobs = 0;   // 0: one a core
  bool first = false, quick = false, no_clean = false, explain = false, recipe = false;
  bool rebase = false;
  std::string device;                 // of every case; empty: the one its line names
  std::vector<std::string> document;  // two files; empty: no document is wanted
  std::string list;                   // zoo.txt of a build; empty: of this program's own
  std::string json;
  std::string db;  // store to file the result in; empty: none
};

// Adds `zoo`, `zoo rebase` and `zoo document`; parsing sets `c`.
void add_zoo(CLI::App& app, ZooCommand& c);

// Exit code: 0 every mutant killed and nothing red of the clean kernels, 1 otherwise (a mutant that
// is stale counts as a survivor), 2 usage, 3 harness error, 130 interrupted.
int zoo_command(const ZooCommand& c);

}  // namespace w4
