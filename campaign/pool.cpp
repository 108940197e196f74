#include <algorithm>
#include <optional>
#include <vector>

#include "campaign/execute.h"
#include "campaign/one_worker.h"

namespace w4 {
namespace {

constexpr int kPollMs = 100;

struct Slot {
  explicit Slot(const ExecuteOptions& options) : worker(options) {}
  OneWorker worker;
  size_t running = 0;        // index into the plan, where the worker is busy
  size_t next = 0, end = 0;  // neighbours in the plan that share weights
};

class Pool {
 public:
  Pool(std::span<const PlannedCase> plan, const ExecuteOptions& options, const Watcher& watcher)
      : plan_(plan), watcher_(watcher) {
    const size_t jobs = std::clamp<size_t>(static_cast<size_t>(options.jobs), 1, plan.size());
    slots_.reserve(jobs);
    for (size_t i = 0; i < jobs; ++i) slots_.emplace_back(options);
  }

  Result<void> run() {
    while (!stopped_ && !watcher_.stop()) {
      bool busy = false;
      for (Slot& s : slots_) {
        if (!s.worker.busy()) {
          if (auto fed = feed(s); !fed) return fed;
        }
        busy = busy || s.worker.busy();
      }
      if (!busy) return {};
      wait();
      for (Slot& s : slots_) {
        if (stopped_) break;
        if (auto v = s.worker.answer()) stopped_ = !watcher_.done(plan_[s.running], std::move(*v));
      }
      watcher_.tick();
    }
    return {};  // running workers are killed by their destructors
  }

 private:
  std::optional<size_t> take(Slot& s) {
    if (s.next == s.end) {
      if (queue_ == plan_.size()) return std::nullopt;
      s.next = queue_++;
      while (queue_ < plan_.size() && plan_[queue_].shares_weights(plan_[s.next])) ++queue_;
      s.end = queue_;
    }
    return s.next++;
  }

  Result<void> feed(Slot& s) {
    const std::optional<size_t> index = take(s);
    if (!index) return {};
    s.running = *index;
    return s.worker.ask(plan_[*index]);
  }

  void wait() {
    std::vector<pollfd> fds;
    for (const Slot& s : slots_) s.worker.watch(fds);
    ::poll(fds.data(), fds.size(), kPollMs);
  }

  std::span<const PlannedCase> plan_;
  const Watcher& watcher_;
  std::vector<Slot> slots_;
  size_t queue_ = 0;  // first case that no slot has taken
  bool stopped_ = false;
};

}  // namespace

Result<void> execute_in_workers(std::span<const PlannedCase> plan, const ExecuteOptions& options,
                                const Watcher& watcher) {
  if (plan.empty()) return {};
  return Pool(plan, options, watcher).run();
}

}  // namespace w4
