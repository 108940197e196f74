// Which hypotheses a failing line leaves standing. With exact sums first, then random data in every
// place and other shapes of the same kind; within bounds on the line's own fill where exact sums do
// not show the failure; by what a finding is about where values are nobody's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/explain/match.h"
#include "verify/explain/runs.h"

namespace w4::explain {

struct Diagnosis {
  std::vector<Candidate> fits{};  // best first
  bool exact = false;             // bit for bit
  bool affected = false;          // which elements are wrong, not their values
  int64_t elements = 0;           // that were predicted
  std::string apart{};            // the line that ruled others out
  std::string doubt{};
  Seen shown{};  // the first run that is wrong
};

// On input the verdict of `c` shows outputs that are wrong, or findings.
Diagnosis diagnose(const Case& c, const Verdict& verdict, Runs& runs);

// Different hypotheses, whatever the number of their variants.
size_t rows_among(const std::vector<Candidate>& all);

}  // namespace w4::explain
