// The drift of a set of verdicts (oracles.md 9): by kernel, device, arithmetic and dtype, over
// distinct outputs. Each case lies in its intervals; together they may still lean to one side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"

namespace w4 {

class Drifts {
 public:
  // Whatever is no Pass, or has no drift of its own, is left out.
  void add(const Case& c, const Verdict& v);

  struct Group {
    std::string kernel, device, fp, dtype;
    Drift drift;
    double allowed = 0;  // allowed_drift
    double sigmas = 0;   // outside what is allowed
    bool beyond() const { return sigmas > kDriftSigmas; }
  };
  std::vector<Group> groups() const;

 private:
  // Group -> data -> sums. Equal data give equal outputs, whatever the schedule, source, pads or
  // tile: of these the case with the most outputs counts, which has those of the smaller M and N.
  std::map<std::vector<std::string>, std::map<std::string, Drift>> by_group_;
};

// "decode on gfx1151, fp ieee, f16: err sign(y) is -0.5000 ulp of the output in the mean over 65536
// outputs of 1024 columns, 443.1 sigma outside 0"
std::string to_string(const Drifts::Group& g);

}  // namespace w4
