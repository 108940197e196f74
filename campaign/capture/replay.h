// A capture against the emulator of its arch, with the arithmetic model of its family.
#pragma once

#include <string>
#include <vector>

#include "campaign/capture/bench.h"
#include "campaign/capture/document.h"

namespace w4::capture {

struct Difference {
  std::string probe, instruction, form;  // of a case: its line, "case", ""
  std::string operands, expected, got;   // expected: of the capture; got: of the emulator
};
std::string to_string(const Difference& d);

struct Replayed {
  std::string probe, instruction;
  uint64_t values = 0, differing = 0;
  uint64_t within_ulp = 0;              // that documents allow to differ, and do by one unit
  uint64_t payloads = 0;                // NaNs of another payload
  std::vector<Difference> differences;  // the first kShown
  std::string left_out;                 // why nothing was compared; empty: it was
  bool unsupported = false;             // that: the emulator claims nothing of this form
  bool agrees() const { return left_out.empty() && differing == 0 && within_ulp == 0; }
};
inline constexpr size_t kShown = 8;

// Probes of the capture that this build has, and those that it does not have. On input: `bench` is
// of the emulated device of c.arch.
std::vector<Replayed> replay_probes(const Capture& c, Bench& bench);
Replayed replay_probe(const ProbeRecord& r, int operands, Bench& bench);

// Instructions of which every probe that this build has for the arch was captured and agrees in
// every value, but for forms that the emulator leaves Unsupported: what may rest on the capture.
std::vector<std::string> agreeing_instructions(const Capture& c, const std::vector<Replayed>& all);

}  // namespace w4::capture
