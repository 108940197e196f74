// Cases of both sides in worker processes, as many at a time as there are jobs, until the budget is
// over. What a case's verdict asks for next, its repetition or the other side's verdict, comes
// before further cases.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "campaign/execute.h"
#include "campaign/gate/side.h"
#include "campaign/one_worker.h"

namespace w4::gate {

using Clock = std::chrono::steady_clock;

struct Task {
  Which side = kHead;
  Case value;  // without module
  std::function<void(Verdict)> done;
};

class Crew {
 public:
  // `case_seconds`: after these a case's worker is killed, its verdict is Timeout. `end`: nothing
  // goes on after that.
  Crew(const std::array<Side, 2>& sides, int jobs, double case_seconds, Clock::time_point end,
       std::function<bool()> stop);
  Crew(const Crew&) = delete;

  void ask(Task t) { urgent_.push_back(std::move(t)); }
  // Runs what was asked and what `more` gives, until neither has anything (`more` is not asked
  // again after it gave nothing), the end, a stop, or `enough`. What has no verdict then is
  // forgotten. Errors are the harness's own.
  Result<void> run(
      const std::function<std::optional<Task>()>& more,
      const std::function<bool()>& enough = [] { return false; });
  // One case, now: Skipped (interrupted) where the end or a stop came first.
  Result<Verdict> run_one(Which side, const Case& c);
  bool over() const { return stop_() || Clock::now() >= end_; }
  double case_seconds() const { return *execute_[kHead].timeout; }
  int64_t forgotten() const { return forgotten_; }

 private:
  struct Slot {
    std::array<std::unique_ptr<OneWorker>, 2> workers;
    std::optional<Task> running;
  };
  Result<bool> feed(Slot& s, const std::function<std::optional<Task>()>& more);
  void wait();
  void forget();
  std::unique_ptr<OneWorker> hire(Which side) const {
    return std::make_unique<OneWorker>(execute_.at(side));
  }

  std::array<Side, 2> sides_;
  std::array<ExecuteOptions, 2> execute_;
  Clock::time_point end_;
  std::function<bool()> stop_;
  std::vector<Slot> slots_;
  std::deque<Task> urgent_;
  bool more_ = true;
  int64_t forgotten_ = 0;
};

}  // namespace w4::gate
