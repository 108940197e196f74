// What becomes of a new failure of a campaign in the background: one at a time is analysed
// (campaign/analysis.h) at the lowest priority, and folded with those that turn out to be the same.
#pragma once

#include <poll.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/analysis.h"
#include "core/result.h"
#include "results/store.h"

namespace w4 {

class Analyst {
 public:
  // Of `store`, which outlives this, the failures of `run`.
  Analyst(Store& store, int64_t run) : store_(store), run_(run) {}

  // There may be a new one.
  void wake() { look_ = true; }
  // Goes on as far as it can without waiting. The error is the store's.
  Result<void> tick();
  // Neither at work nor anything left to do; after a tick.
  bool idle() const { return !at_work_ && !look_; }
  void watch(std::vector<pollfd>& fds) const;
  // Leaves off: the failure at hand is new again, or keeps what was found out.
  Result<void> stop();

 private:
  Result<void> take_next();

  Store& store_;
  int64_t run_;
  bool look_ = true;  // also what an earlier part of the campaign left
  std::optional<Analysis> at_work_;
};

}  // namespace w4
