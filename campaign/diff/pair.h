// The two modules of a diff, each in a worker of its own, asked the same at the same time; and the
// budget of time that bounds all questions together.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "campaign/diff/questioner.h"
#include "core/case.h"

namespace w4::diff {

enum Side : size_t { kA = 0, kB = 1 };

class Pair {
 public:
  // `seconds`: from now.
  Pair(Home a, Home b, double seconds);

  // The replies of both; nullopt where the budget is over, Ctrl-C was pressed or the harness failed
  // before both were there.
  // `seconds`: of one reply; after that its process is killed.
  std::optional<std::array<Reply, 2>> both(const nlohmann::json& question, double seconds);
  std::optional<std::array<Reply, 2>> both(const char* what, const Case& c);
  // No further question will be answered.
  bool over() const;
  // A module that takes its process down, or keeps it, in so many calls of this kernel that asking
  // on would only cost time.
  bool gave_up(const std::string& kernel) const;
  const std::string& trouble() const { return trouble_; }  // the harness's own; empty: none

  // "w4check rerun '…'" of the case in that module.
  std::string rerun(Side side, Case c) const;

 private:
  using Clock = std::chrono::steady_clock;
  std::array<Questioner, 2> sides_;
  Clock::time_point end_;
  std::map<std::string, int> lost_;  // processes, by kernel; those that hung count more
  std::string trouble_;
};

}  // namespace w4::diff
