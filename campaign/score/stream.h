// The cases that a kernel's mutants are held against: a fixed stream, run once without a mutation,
// so that it is known to be green, what each case executes and which bits it gives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "campaign/kernel_cases.h"
#include "core/case.h"
#include "core/verdict.h"
#include "rdna/executed.h"

namespace w4::score {

// A kernel of device code: arch, hash of its code, symbol.
using Code = std::tuple<std::string, uint64_t, std::string>;

struct StreamCase {
  Case value;
  std::string outputs;                             // Provenance::outputs
  uint64_t steps = 0;                              // wave-instructions
  bool waits = false;                              // green with the check `waits` too
  std::map<Code, std::vector<uint64_t>> executed;  // linked addresses, ascending
  bool executes(const Code& code, uint64_t pc) const;
};

struct Stream {
  std::vector<StreamCase> cases;  // cheapest first
  std::map<Code, rdna::Executed> codes;
  int64_t reference = 0, laws = 0;           // of `cases`
  int64_t too_long = 0, not_applicable = 0;  // left out
  std::vector<Verdict> red;                  // nothing may be scored then
};

struct StreamOptions {
  ModuleCases draw;  // of one kernel; count: reference cases
  bool laws = true;  // and one case of each law that applies
  std::function<bool()> stop = [] { return false; };
};

// A launch with more wave-instructions is left out: a mutant's may be ten times as long.
inline constexpr uint64_t kMostSteps = 2'000'000;

// Errors as module_cases.
Result<Stream> make_stream(const w4_module& table, const StreamOptions& options);

}  // namespace w4::score
