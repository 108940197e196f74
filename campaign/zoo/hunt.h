// Hunts one module: streams of cases, each in a worker, until it is killed or the time is spent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/zoo/generator.h"
#include "campaign/zoo/oracle.h"
#include "core/case.h"
#include "core/result.h"
#include "zoo/expect.h"

namespace w4::zoo {

struct Quarry {
  std::string name;    // "groups/g64_runs_128"
  std::string module;  // path
  Expect expect;       // of a clean module: its rows alone; then anything red counts
  std::vector<Case> own;
  bool clean = false;
};

struct HuntOptions {
  std::vector<Generator> generators{kGenerators.begin(), kGenerators.end()};
  double seconds = 20;  // altogether; generators without an end share what is left
  int64_t cases = 0;    // most cases of a generator; 0: any number
  uint64_t seed = 1;
  bool first = false;          // ends at the first kill
  std::optional<Oracle> only;  // kills by others do not count
  double timeout = 20;         // seconds of one case
  std::string device{};        // of every case; empty: the one its line names
  std::function<bool()> stop = [] { return false; };
};

// The first kill by an oracle, in one generator.
struct Killed {
  Kill kill;
  int64_t cases = 0;   // run by that generator until then, it included
  double seconds = 0;  // of that generator
  std::string line;    // empty: no case (audit, drift)
  std::string text;    // verdict, one line
};

struct Hunted {
  struct Run {
    Generator generator{};
    int64_t cases = 0;
    double seconds = 0;
    std::map<Oracle, Killed> killed;
    std::string other;  // the first red verdict that does not count
    int64_t others = 0;
    int64_t mistrusted = 0;
    int64_t skipped = 0;
    std::string skip;             // the first reason
    const Killed* first() const;  // nullptr: survived
  };
  std::vector<Run> runs;
  const Run* run_of(Generator g) const;
  bool killed() const;
};

// The error is the harness's own: no worker can be started.
Result<Hunted> hunt(const Quarry& quarry, const HuntOptions& options);

}  // namespace w4::zoo
