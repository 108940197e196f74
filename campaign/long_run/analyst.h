// What becomes of a new failure in the background: it is shrunk, then explained, by one process at
// a time at the lowest priority, and folded with those that turn out to be the same.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "campaign/child.h"
#include "core/result.h"
#include "results/store.h"

namespace w4 {

// A worker's answer to {"task": "shrink" | "explain", "line": "decode …"}, as JSON:
//   shrink   {"line": smallest, "kernel", "kind", "pattern"}: the key of its failure
//   explain  {"hypothesis": "…"}, empty where no one alone fits
// or {"error": "…"}.
std::string analyse(const std::string& question);

class Analyst {
 public:
  // Of `store`, which outlives this, the failures of `run`.
  Analyst(Store& store, int64_t run) : store_(store), run_(run) {}

  // There may be a new one.
  void wake() { look_ = true; }
  // Goes on as far as it can without waiting. The error is the store's.
  Result<void> tick();
  // Neither at work nor anything left to do; after a tick.
  bool idle() const { return !child_ && !look_; }
  void watch(std::vector<pollfd>& fds) const;
  // Leaves off: the failure at hand is new again.
  Result<void> stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Task {
    int64_t failure = 0;
    bool explains = false;
    std::string line;  // to be shrunk, or shrunk
    FailureUpdate update;
  };
  Result<void> take_next();
  Result<void> start(bool explains);
  Result<void> answered(const std::string& text);
  Result<void> failed();
  Result<void> end(FailureState state);

  Store& store_;
  int64_t run_;
  bool look_ = true;  // also what an earlier part of the campaign left
  std::optional<Child> child_;
  Task task_;
  Clock::time_point until_;
};

}  // namespace w4
