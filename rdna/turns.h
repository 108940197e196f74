// Which wave of a workgroup runs next, and for how long: the schedules of core/schedule.h. A
// function of the schedule, the workgroup's number and what the waves did, never of the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rdna/schedule.h"
#include "rdna/wave.h"

namespace w4::rdna {

// Few preemptions (PCT, Burckhardt et al., ASPLOS 2010): waves get distinct random priorities, the
// highest that can run runs, and at `changes` random points the running wave falls to the lowest.
// A bug that needs d orderings among n waves and k steps is found with probability 1/(n k^(d-1)) at
// least where k is known; a workgroup's length is not, so the points are drawn log-uniformly.
// Fairness, which PCT does not have: a wave that ran kPatience steps without an end or a barrier
// may spin on what another wave must do, and falls to the lowest place too.
class Turns {
 public:
  static constexpr uint64_t kPatience = 4096;

  void start(const Schedule& schedule, uint64_t workgroup, size_t waves);
  struct Turn {
    size_t wave;     // `waves` when none can run
    uint64_t steps;  // at most; an end, a barrier or a finding ends the turn early
  };
  Turn next(std::span<const Wave> waves);
  void ran(uint64_t steps);  // of the turn handed out last

 private:
  Turn by_priority(std::span<const Wave> waves);
  void fall();  // the running wave to the lowest place

  Schedule schedule_;
  Random random_{0};
  size_t at_ = 0;                // rr, reversed: whose turn it is, counted in that order
  std::vector<uint32_t> order_;  // priority: waves from the highest down
  std::vector<uint64_t>
      points_;          // steps of the workgroup at which the running wave falls, latest first
  size_t running_ = 0;  // place in order_
  uint64_t total_ = 0, streak_ = 0;
};

}  // namespace w4::rdna
