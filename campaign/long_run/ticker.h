// How far a campaign is: one line that rewrites itself on a terminal, a plain line now and then
// elsewhere, on standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "campaign/long_run/plan.h"

namespace w4 {

// "1 h 12 min", "12 min 5 s", "45 s".
std::string time_text(double seconds);

class Ticker {
 public:
  // `spent`: seconds of earlier parts.
  Ticker(const CampaignPlan& plan, double spent);
  void count(bool red, bool showed_new);
  void show(double seconds);  // where it is time to
  void clear();
  // "12345 cases, 512/s, 3 red, 2 min 5 s of 8 h, something new 12 s ago"
  std::string text(double seconds) const;

 private:
  using Clock = std::chrono::steady_clock;
  const CampaignPlan& plan_;
  double spent_;
  bool terminal_, drawn_ = false;
  int64_t cases_ = 0, red_ = 0;
  Clock::time_point shown_ = Clock::now(), new_ = shown_;
};

}  // namespace w4
