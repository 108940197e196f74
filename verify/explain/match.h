// Which hypotheses predict an output.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/explain/hypothesis.h"

namespace w4::explain {

// One variant of one row of the table.
struct Candidate {
  const Hypothesis* row = nullptr;
  std::string says;
  size_t place = 0;     // in the table, as against others that fit
  int64_t unknown = 0;  // elements that it cannot tell, in the worst run
  bool exact = true;    // every prediction so far was one value
};

struct Fit {
  bool fits = false;
  int64_t compared = 0, unknown = 0;
  bool exact = true;
};

// Every element of `o` against a recipe; ends at the first that is not as predicted. A recipe that
// knows next to none of the elements that are wrong does not fit.
Fit fit(const Observed& o, const Recipe& r);

// Variants about what a finding is about, a tensor or LDS, that predict which elements are wrong,
// though not their values: those that depend on what lies outside. On input: o.bad_count > 0.
std::vector<Candidate> affected(const Observed& o, std::string_view buffer,
                                const std::function<bool()>& stop);

// All variants of the table that fit `o`, best first. `stop` is asked now and then.
std::vector<Candidate> matching(const Observed& o, const std::function<bool()>& stop);

// Those of `all` that also fit `o`. Variants that `o` does not have stay.
std::vector<Candidate> still_matching(const std::vector<Candidate>& all, const Observed& o,
                                      const std::function<bool()>& stop);

}  // namespace w4::explain
