// How far a run is: one line that rewrites itself on a terminal, a plain line now and then
// elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace w4 {

class Progress {
 public:
  // `to`: usually stderr. `total_cost` in the units of PlannedCase::cost(): cases differ a
  // thousandfold, so the time left is estimated from cost, not from their number.
  Progress(FILE* to, int64_t total_cases, double total_cost, const char* what = "cases");

  void advance(double cost, bool green);
  void show();   // where it is time to
  void clear();  // removes the line from a terminal, so that other text can be printed

  // "120/480 cases, 25 %, 35 cases/s, about 12 s left, 1 red"
  std::string text(double elapsed_seconds) const;

 private:
  using Clock = std::chrono::steady_clock;
  FILE* to_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now(), shown_ = start_;
  int64_t total_cases_, cases_ = 0, red_ = 0;
  double total_cost_, cost_ = 0;
  const char* what_;
};

}  // namespace w4
