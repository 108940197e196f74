// The state of one shrinking: the smallest case so far, what was tried, what is left of the limits.
// Steps propose simpler cases; whatever fails alike is the smallest from then on.
#pragma once

#include <chrono>
#include <functional>
#include <unordered_set>
#include <utility>

#include "verify/shrink/shrink.h"

namespace w4 {

class Search {
 public:
  Search(const Case& c, const RunCase& run, const ShrinkLimits& limits,
         const ShrinkWatcher& watcher);

  const Case& best() const { return best_; }
  const Failure& failure() const { return failure_; }
  bool over() const { return end_ != Shrunk::End::minimal; }

  // True: `candidate` fails alike, and is the best now. No case is run twice.
  bool keep(const Case& candidate);
  // The best case with `change(Case&)`.
  template <class F>
  bool with(F&& change) {
    Case c = best_;
    change(c);
    return keep(c);
  }
  // The best case with `change(Problem&)`.
  template <class F>
  bool with_problem(F&& change) {
    return with([&](Case& c) { change(c.problem); });
  }

  Shrunk result() &&;

 private:
  std::optional<Verdict> run(const Case& c);
  double seconds() const;

  using Clock = std::chrono::steady_clock;
  const RunCase& run_;
  const ShrinkLimits& limits_;
  const ShrinkWatcher& watcher_;
  Clock::time_point start_ = Clock::now();
  Case best_;
  Verdict verdict_;
  Failure failure_;
  std::unordered_set<std::string> tried_;
  int64_t cases_ = 0;
  Shrunk::End end_ = Shrunk::End::minimal;
};

// Brings a number from `high`, its value in the best case, towards `low` in steps of `unit`: `low`
// or one of its next if that fails alike, otherwise what bisection finds. set(Case&, value) puts it
// in.
void bisect(Search& s, int64_t low, int64_t high, int64_t unit,
            const std::function<void(Case&, int64_t)>& set);

// The steps of each idea, once over.
void shrink_shape(Search& s);
void shrink_data(Search& s);
void shrink_schedule(Search& s);
void shrink_place(Search& s);  // device, arithmetic, checks

}  // namespace w4
