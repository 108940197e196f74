// Random legal cases of the shipped generator, as many as wanted, over rows and archs: case i of a
// seed is a pure function of the two, so a soak goes on where another stopped, or in parts.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "verify/cases/coverage.h"

namespace w4 {

struct SoakPlan {
  std::vector<std::string_view> rows, devices;  // at least one each
  uint64_t seed = 1;
  int64_t first = 0, cases = 0;
  int threads = 1;
  double max_seconds = 0;  // 0: no limit
};

// On arch `index` mod their number.
Case soak_case(const SoakPlan& plan, int64_t index);

// What the cases done so far showed.
class SoakTally {
 public:
  void add(const Case& c, const Verdict& v);

  const Coverage& all() const { return all_; }
  int64_t alarms() const { return all_.cases() - all_.of("verdict", "pass"); }
  // Floors of `plan` that are not reached, a sentence each: those of every row that was drawn; one
  // case in ten with K >= 2048; every kernel, arch, dtype and G 1 %, every combination of the four
  // 0.1 % (half their even share where the plan leaves few or many).
  std::vector<std::string> below(const SoakPlan& plan) const;
  // Distribution by row and altogether.
  std::string text() const;

 private:
  Coverage all_;
  std::map<std::string, Coverage> by_row_;
  std::map<std::string, int64_t> combinations_;  // "decode gfx1151 f16 g32"
};

// Runs the plan; prints each verdict other than Pass and the progress to `people`. What a stop by
// interrupt or time leaves undone is not in the tally. `next`: the first case that is not done, so
// that every one before it is.
struct SoakResult {
  SoakTally tally;
  int64_t next = 0;
  double seconds = 0;
  bool complete = false;
};
SoakResult soak(const SoakPlan& plan, std::FILE* people);

}  // namespace w4
