#include "verify/shrink/shrink.h"

#include "verify/shrink/search.h"

namespace w4 {

std::string_view name_of(Shrunk::End e) {
  switch (e) {
    case Shrunk::End::minimal:
      return "minimal";
    case Shrunk::End::green:
      return "green";
    case Shrunk::End::out_of_cases:
      return "out of cases";
    case Shrunk::End::out_of_time:
      return "out of time";
    case Shrunk::End::stopped:
      break;
  }
  return "stopped";
}

Shrunk shrink(const Case& c, const RunCase& run, const ShrinkLimits& limits,
              const ShrinkWatcher& watcher) {
  Search search(c, run, limits, watcher);
  while (!search.over()) {
    const Case before = search.best();
    shrink_shape(search);
    shrink_data(search);
    shrink_schedule(search);
    shrink_place(search);
    if (search.best() == before) break;
  }
  return std::move(search).result();
}

Search::Search(const Case& c, const RunCase& run, const ShrinkLimits& limits,
               const ShrinkWatcher& watcher)
    : run_(run), limits_(limits), watcher_(watcher), best_(c) {
  std::optional<Verdict> first = this->run(c);
  // A limit of no case at all: there is no verdict to keep.
  if (!first) first = make_verdict(to_string(c), {Skipped{SkipReason::interrupted, ""}}, {});
  const bool nothing = first->green() || first->kind() == VerdictKind::skipped;
  if (nothing && end_ == Shrunk::End::minimal) end_ = Shrunk::End::green;
  failure_ = failure_of(*first);
  verdict_ = std::move(*first);
}

bool Search::keep(const Case& candidate) {
  if (over() || candidate == best_ || !tried_.insert(to_string(candidate)).second) return false;
  std::optional<Verdict> v = run(candidate);
  if (!v || v->green() || !shows(*v, failure_)) return false;
  best_ = candidate;
  verdict_ = std::move(*v);
  return true;
}

std::optional<Verdict> Search::run(const Case& c) {
  if (cases_ >= limits_.cases) {
    end_ = Shrunk::End::out_of_cases;
  } else if (limits_.seconds > 0 && cases_ > 0 && seconds() > limits_.seconds) {
    end_ = Shrunk::End::out_of_time;
  } else if (watcher_ && !watcher_({best_, cases_, seconds()})) {
    end_ = Shrunk::End::stopped;
  }
  if (over()) return std::nullopt;
  ++cases_;
  return run_(c);
}

double Search::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

Shrunk Search::result() && {
  return {end_, std::move(best_), std::move(verdict_), cases_, seconds()};
}

void bisect(Search& s, int64_t low, int64_t high, int64_t unit,
            const std::function<void(Case&, int64_t)>& set) {
  // The first few by themselves: what depends on a remainder shows there, and bisection would pass
  // it by.
  constexpr int64_t kFirst = 4;
  int64_t otherwise = low;
  for (int64_t v = low; v < high && v < low + kFirst * unit; v += unit) {
    if (s.with([&](Case& c) { set(c, v); })) return;
    otherwise = v;
  }
  int64_t alike = high;
  while (alike - otherwise > unit && !s.over()) {
    const int64_t half = (alike - otherwise) / 2 / unit * unit;
    const int64_t middle = otherwise + std::max(unit, half);
    (s.with([&](Case& c) { set(c, middle); }) ? alike : otherwise) = middle;
  }
}

}  // namespace w4
