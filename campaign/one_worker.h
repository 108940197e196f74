// One worker process, given a line at a time; a new one where it died, hung, grew old or retired
// because its GPU faulted. Whatever becomes of the process, each line gets its verdict.
#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "campaign/child.h"
#include "campaign/execute.h"

namespace w4 {

class OneWorker {
 public:
  // Of `options`: timeout, threads, trace; must outlive this.
  explicit OneWorker(const ExecuteOptions& options) : options_(options) {}

  bool busy() const { return line_.has_value(); }
  // On input: not busy. The error is the harness's: no process can be started.
  Result<void> ask(const PlannedCase& p);
  // The verdict, once there is one. A worker that dies gives a Crash with signal and the end of
  // stderr; one over its time is killed and gives a Timeout; one that answers something else is
  // killed and gives a HarnessError.
  std::optional<Verdict> answer();
  // The text of the last answer, where a worker gave one.
  const std::string& said() const { return said_; }
  // Of its process now, in bytes; 0 without one.
  int64_t resident_bytes() const { return child_ ? child_->resident_bytes() : 0; }
  // What poll() has to watch.
  void watch(std::vector<pollfd>& fds) const;

 private:
  bool old() const;
  Result<void> start();
  Verdict crash(const Death& d) const;
  Verdict verdict(Outcome o) const;
  double seconds() const;

  const ExecuteOptions& options_;
  std::optional<Child> child_;
  std::optional<std::string> line_;  // announced, not answered
  std::string said_;
  double limit_ = 0;  // of that line, seconds; 0: none
  std::chrono::steady_clock::time_point started_;
  int answered_ = 0;  // by this child
  std::string told_;  // what its native code has heard of a device (told_to_native_code)
};

}  // namespace w4
