// The lines that one explanation runs: within its time, each of them announced and noted.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verify/explain/explain.h"
#include "verify/explain/observe.h"

namespace w4::explain {

using Seen = std::unique_ptr<Observed>;

class Runs {
 public:
  Runs(Context& context, const Options& options, std::vector<std::string>& lines);

  // Null: no output came of it, or the time is over.
  Seen look(const Case& c);
  bool over() const { return options_.stop() || Clock::now() > end_; }
  // "interrupted" or "the time was over"; on input: over().
  std::string_view why_over() const;
  std::function<bool()> stop() const {
    return [this] { return over(); };
  }
  Context& context() { return context_; }
  std::vector<std::string>& lines() { return lines_; }

 private:
  using Clock = std::chrono::steady_clock;
  Context& context_;
  const Options& options_;
  std::vector<std::string>& lines_;
  Clock::time_point end_;
};

}  // namespace w4::explain
