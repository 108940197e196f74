// When to stop: the probability that the next case shows a behaviour (verify/behaviour.h) that no
// case before has shown.
#pragma once

#include <cstdint>
#include <string>

namespace w4 {

// Of cases that are drawn independently from one distribution: sources random and laws. What other
// sources showed counts as shown, their cases do not count.
struct StopSample {
  int64_t cases = 0;
  int64_t singles = 0;     // cases that showed something that no other case of any source has
  int64_t recent = 0;      // the last half of the cases, in the order in which they ran,
  int64_t recent_new = 0;  // and how many of them were the first to show something
};

struct StopRule {
  double probability = 1;    // estimate, 0 to 1
  double low = 0, high = 1;  // 95 % interval
};

// Estimate: singles/cases, each case against all others (Good, Biometrika 40, 1953, leave one out;
// with several behaviours a case as in Boehme, STADS, TOSEM 27, 2018).
// High: the probability only falls as more is seen, so each recent case had at least today's; the
// exact (Clopper-Pearson) upper bound on recent_new of recent is therefore one on it, 97.5 %.
// Low: singles less 1.96 standard deviations; their variance is at most about 3*singles (Esty, Ann.
// Stat. 11, 1983, with no more doubles than singles).
// Both ends hold the estimate. Without cases: 1, 0 to 1.
StopRule stop_rule(const StopSample& counts);

// "the next case shows something new with probability 0.0021 (95 %: 0.0012 to 0.0034)"
std::string to_string(const StopRule& rule);

}  // namespace w4
