// Targets of w4fuzz in slices of time: one process a slice, on the corpus FOLDER/<target>.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "campaign/long_run/plan.h"
#include "core/result.h"
#include "core/verdict.h"

namespace w4 {

// Path of the w4fuzz beside this program; the error says where one was looked for.
Result<std::string> find_w4fuzz();

class Slice {
 public:
  // Runs `w4fuzz --target TARGET` for `seconds`.
  static Result<Slice> start(const std::string& w4fuzz, const std::string& target,
                             const CampaignPlan& plan, const std::string& folder, int64_t number,
                             double seconds);
  Slice(Slice&& other) noexcept;
  Slice& operator=(Slice&& other) noexcept;
  ~Slice();  // kills it where it still lives

  // What stands for a case line: "w4fuzz --target decode".
  const std::string& line() const { return line_; }
  const std::string& target() const { return target_; }
  int out_fd() const { return out_; }
  // Takes what it printed. Its verdict, once it has ended: Pass; Skipped where the module lacks
  // what the target needs; Crash with what it printed last.
  std::optional<Verdict> ended();
  // The case line that its output says to rerun; empty: none.
  std::string case_line() const;

 private:
  Slice() = default;
  void drain();
  Verdict verdict(int status) const;

  using Clock = std::chrono::steady_clock;
  std::string target_, line_, printed_;
  pid_t pid_ = -1;
  int out_ = -1;
  double limit_ = 0;  // seconds after which it is killed
  Clock::time_point start_ = Clock::now();
};

// Names of the targets it has. The error is its own.
Result<std::vector<std::string>> targets_of(const std::string& w4fuzz);

}  // namespace w4
