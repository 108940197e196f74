// What the verdicts of a run say together, each of them green: whether the suites showed what they
// claim (floors, instantiations), whether outputs lean to one side, how much of the intervals was
// used.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "campaign/instantiations.h"
#include "campaign/suites/suite.h"
#include "core/drifts.h"
#include "core/headrooms.h"
#include "results/record.h"
#include "verify/cases/coverage.h"

namespace w4 {

class WholeSet {
 public:
  void add(const Record& record);

  // Judges what was added: call once, at the end. A run that is not `complete` has no floors: what
  // it lacks may have been next.
  void judge(bool complete);
  // Floors that are not reached and drifts beyond what is allowed: the run is red.
  bool red() const { return !below_.empty() || !drifting_.empty(); }
  void print(std::FILE* to) const;

 private:
  // Skipped cases are left out: a device without code takes nothing from what the others showed.
  std::map<const Suite*, Coverage> suites_;
  Instantiations ran_{expectations()};  // by suites that promise them all
  Drifts drifts_;
  Headrooms headrooms_;
  bool complete_ = false;
  std::vector<std::string> below_, drifting_;
};

}  // namespace w4
