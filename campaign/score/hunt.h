// Mutants through their cases, each until one kills it or its budget is spent. Cases run in worker
// processes, which keep what they have decoded from mutant to mutant.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/score/sample.h"
#include "campaign/score/stream.h"

namespace w4::score {

enum class Fate : uint8_t {
  killed,     // a verdict that says that the kernel is wrong
  survived,   // green in every case that ran
  undecided,  // not killed, and a case ended as harness_error, unsupported, timeout, crash or
              // mistrusted: none of them says that
  not_run     // interrupted before it had a case
};
std::string_view name_of(Fate f);

struct Mutant {
  Candidate candidate;
  std::string instruction, source;
  Fate fate = Fate::not_run;
  int64_t cases = 0;      // that ran
  int64_t available = 0;  // cases of the stream that execute its instruction
  int64_t differing = 0;  // green ones whose output bits are not those of the unmutated run
  double seconds = 0;
  std::string verdict;  // of the kill, or of the first case that decided nothing
  std::string line;     // that case's line; of a survivor one whose bits differ, or the first
};

struct HuntOptions {
  int jobs = 1;
  double budget = 5;  // seconds of a mutant: no case begins after it
  std::function<bool()> stop = [] { return false; };
  std::function<void(const Mutant&)> done = [](const Mutant&) {};
  std::function<void()> tick = [] {};
};

// In the order of `sample`. Only cases that execute the mutated instruction: in any other nothing
// differs. Errors are the harness's: workers cannot be started.
Result<std::vector<Mutant>> hunt(const Sample& sample, const Stream& stream,
                                 const HuntOptions& options);

}  // namespace w4::score
