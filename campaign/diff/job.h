// What the sections of a diff share, and the sections.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "campaign/diff/accepted.h"
#include "campaign/diff/difference.h"
#include "campaign/diff/pair.h"
#include "campaign/diff/plan.h"

namespace w4::diff {

// Kernels seen in launches, by device and symbol: a call that launches one, its row, and the hash
// of its code object.
struct Seen {
  Case first;
  uint64_t object = 0;
};
using Symbols = std::map<std::pair<std::string, std::string>, Seen>;

// A generated call that both take, with what they say.
struct Taken {
  Case value;
  std::array<Reply, 2> said;
};

struct Job {
  Pair& pair;
  Accepted& accepted;
  std::vector<std::string> devices;
  std::vector<Compared> kernels{};              // that both have
  std::array<nlohmann::json, 2> declared{};     // answers to "declare"
  bool every_arch = false;                      // compare archs that no device here is of
  std::vector<std::string> only_a{}, only_b{};  // kernels that one has
  std::vector<Call> calls{};                    // contract() takes away what one of both refuses
  int64_t not_drawn = 0;                        // calls that the budget left no time to draw
  std::vector<Taken> taken{};                   // from contract()
  std::array<Symbols, 2> symbols{};             // from contract() and routes()
  // Called now and then with "contract 120/480".
  std::function<void(const Section&)> progress{};

  void see(Side side, const Case& c, const nlohmann::json& said);
  // Says in `s` of which kernels the rest was not asked (Pair::gave_up).
  void note_given_up(Section& s) const;
  // Adds the row, or counts it where all its keys are declared.
  void add(Section& s, Row row);
};

// Which calls are taken, refused and by which clause; what is declared.
Section contract(Job& job);
// Which instantiation each layer of the models takes.
Section routes(Job& job);
// The kernels that were launched: registers, memory, instructions.
Section machine_code(Job& job);
// Counts of what calls ask of the machine.
Section work(Job& job);
// Outputs of what both take.
Section bits(Job& job);

}  // namespace w4::diff
