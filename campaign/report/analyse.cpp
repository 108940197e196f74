#include "campaign/report/analyse.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>
#include <vector>

#include "campaign/analysis.h"
#include "campaign/interrupt.h"
#include "results/documents.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

// Failures that a report shows.
constexpr int64_t kMostFailures = 1000;
// Beyond the time that a worker was given before it is killed; and where little time is left.
constexpr double kGrace = 10, kLeast = 3;

Result<std::vector<StoredFailure>> waiting(Store& store, int64_t run) {
  const auto all = store.failures(run, kMostFailures);
  if (!all) return std::unexpected(all.error());
  const std::string build = build_id();
  std::vector<StoredFailure> out;
  for (const StoredFailure& f : *all) {
    if (f.build_id != build) continue;
    bool has = false;
    for (const std::string& line : {f.smallest_line, f.first_line}) {
      if (has || line.empty()) continue;
      const auto document = find_document(store, "depiction", line, build);
      if (!document) return std::unexpected(document.error());
      has = document->has_value();
    }
    if (!has) out.push_back(f);
  }
  return out;
}

// One line that rewrites itself on a terminal, a plain one now and then elsewhere.
class Shown {
 public:
  void say(int64_t done, int64_t all, double left, bool now) {
    const auto at = std::chrono::steady_clock::now();
    const std::chrono::duration<double> since = at - last_;
    if (!now && since.count() < (terminal_ ? 0.5 : 5)) return;
    last_ = at;
    const std::string text = fmt::format("analysing failures: {} of {}, at most {:.0f} s left",
                                         done, all, std::max(left, 0.0));
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "w4check: ", text, terminal_ ? "" : "\n");
    std::fflush(stderr);
  }
  void clear() const {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point last_{};
};

class Crew {
 public:
  Crew(Store& store, std::vector<StoredFailure> todo, double seconds)
      : store_(store),
        todo_(todo.begin(), todo.end()),
        all_(static_cast<int64_t>(todo.size())),
        seconds_(seconds),
        jobs_(std::clamp<size_t>(std::thread::hardware_concurrency(), 1, todo.size())) {}

  Result<nlohmann::json> work() {
    Shown shown;
    shown.say(0, all_, seconds_, true);
    while (!interrupted() && left() > 0 && !(todo_.empty() && at_work_.empty())) {
      if (auto moved = move_on(); !moved) return std::unexpected(moved.error());
      shown.say(done_, all_, left(), false);
    }
    shown.clear();
    const std::string why = interrupted()
                                ? "the analysis was interrupted"
                                : fmt::format("the {:.6g} s of --analyse were over", seconds_);
    for (Analysis& a : at_work_) {
      if (auto stopped = a.stop(why); !stopped) return std::unexpected(stopped.error());
    }
    return nlohmann::json{{"seconds", seconds_},
                          {"analysed", done_},
                          {"left", all_ - done_},
                          {"why", done_ < all_ ? why : ""}};
  }

 private:
  using Clock = std::chrono::steady_clock;

  double left() const {
    return seconds_ - std::chrono::duration<double>(Clock::now() - start_).count();
  }

  // Each failure gets its share of what is left, and of it each task a part.
  AnalysisTimes times() const {
    const auto waves = static_cast<double>(todo_.size() / jobs_ + 1);
    const double share = std::max(kLeast, left() / waves);
    return {.shrink = 0.4 * share,
            .explain = 0.3 * share,
            .depict = 0.2 * share,
            .patience = share + kGrace,
            .nice = false};
  }

  Result<void> move_on() {
    while (at_work_.size() < jobs_ && !todo_.empty()) {
      auto begun = Analysis::begin(store_, todo_.front(), build_id(), times());
      if (!begun) return std::unexpected(begun.error());
      todo_.pop_front();
      at_work_.push_back(std::move(*begun));
    }
    std::vector<pollfd> fds;
    for (const Analysis& a : at_work_) a.watch(fds);
    ::poll(fds.data(), fds.size(), 100);
    for (size_t i = 0; i < at_work_.size();) {
      const auto ended = at_work_[i].tick();
      if (!ended) return std::unexpected(ended.error());
      if (!*ended) {
        ++i;
        continue;
      }
      ++done_;
      at_work_.erase(at_work_.begin() + static_cast<ptrdiff_t>(i));
    }
    return {};
  }

  Store& store_;
  std::deque<StoredFailure> todo_;
  int64_t all_, done_ = 0;
  double seconds_;
  size_t jobs_;
  Clock::time_point start_ = Clock::now();
  std::vector<Analysis> at_work_;
};

}  // namespace

Result<int64_t> waiting_failures(Store& store, int64_t run) {
  const auto all = waiting(store, run);
  if (!all) return std::unexpected(all.error());
  return static_cast<int64_t>(all->size());
}

Result<nlohmann::json> analyse_failures(Store& store, int64_t run, double seconds) {
  auto todo = waiting(store, run);
  if (!todo) return std::unexpected(todo.error());
  if (todo->empty()) return not_analysed(0, "");
  return Crew(store, std::move(*todo), seconds).work();
}

nlohmann::json not_analysed(int64_t left, const std::string& why) {
  return {{"seconds", 0}, {"analysed", 0}, {"left", left}, {"why", left > 0 ? why : ""}};
}

}  // namespace w4
