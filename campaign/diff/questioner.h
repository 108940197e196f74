// A worker process that one module lives in, asked one question at a time; a new process where it
// died, hung or answered what was not asked. Whatever becomes of it, each question gets its reply.
#pragma once

#include <poll.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "campaign/child.h"
#include "core/result.h"

namespace w4::diff {

struct Reply {
  nlohmann::json said;  // without "error"; null where there is a trouble
  // Why there is no answer: "crash (signal 11)", "timeout", or what the worker says.
  std::string trouble;
  bool native = false;  // the trouble is a crash, an exit or an endless loop

  bool ok() const { return trouble.empty(); }
};

// Where a module is asked.
struct Home {
  std::string module{};      // a path, empty: built in
  std::string executable{};  // the w4check that opens it; empty: this one
};

class Questioner {
 public:
  explicit Questioner(Home home) : home_(std::move(home)) {}

  const std::string& module() const { return home_.module; }
  bool busy() const { return asked_.has_value(); }
  // On input: not busy; `seconds`: after these the process is killed. The error is the harness's.
  Result<void> ask(nlohmann::json question, double seconds);
  std::optional<Reply> reply();
  void watch(std::vector<pollfd>& fds) const;
  void stop() { child_.reset(), asked_.reset(); }

 private:
  Result<void> send();
  using Clock = std::chrono::steady_clock;
  Home home_;
  std::optional<Child> child_;
  std::optional<int64_t> asked_;  // id of the question without an answer
  std::string question_;          // that one
  int64_t next_ = 1;
  Clock::time_point end_;
};

}  // namespace w4::diff
