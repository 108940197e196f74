#include <poll.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "campaign/child.h"
#include "campaign/execute.h"
#include "results/text.h"
#include "results/verdict_json.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

using Clock = std::chrono::steady_clock;

// A fresh process now and then keeps what leaks or fragments in native code bounded.
constexpr int kCasesPerWorker = 5000;
constexpr int kPollMs = 100;

double since(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}

struct Slot {
  std::optional<Child> child;
  std::optional<size_t> running;  // index into the plan: the announced line
  Clock::time_point started;
  int answered = 0;          // by this child
  size_t next = 0, end = 0;  // neighbours in the plan that share weights
};

class Pool {
 public:
  Pool(std::span<const PlannedCase> plan, const ExecuteOptions& options, const Watcher& watcher)
      : plan_(plan), options_(options), watcher_(watcher) {
    slots_.resize(std::clamp<size_t>(static_cast<size_t>(options.jobs), 1, plan.size()));
  }

  Result<void> run() {
    while (!stopped_ && !watcher_.stop()) {
      bool busy = false;
      for (Slot& s : slots_) {
        if (!s.running) {
          if (auto fed = feed(s); !fed) return fed;
        }
        busy = busy || s.running;
      }
      if (!busy) return {};
      wait();
      for (Slot& s : slots_) {
        if (!stopped_ && s.child) serve(s);
      }
      watcher_.tick();
    }
    return {};  // running children are killed by their destructors
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
    if (s.child && s.answered >= kCasesPerWorker) s.child->reap(false), s.child.reset();
    if (!s.child) {
      auto child = Child::spawn(options_.threads, options_.trace);
      if (!child) return std::unexpected(child.error());
      s.child = std::move(*child);
      s.answered = 0;
    }
    s.running = index;
    s.started = Clock::now();
    s.child->send(plan_[*index].line);  // a failure shows as its death
    return {};
  }

  void wait() {
    std::vector<pollfd> fds;
    for (const Slot& s : slots_) {
      if (!s.child) continue;
      fds.push_back({s.child->out_fd(), POLLIN, 0});
      fds.push_back({s.child->err_fd(), POLLIN, 0});
    }
    ::poll(fds.data(), fds.size(), kPollMs);
  }

  void serve(Slot& s) {
    s.child->read_stderr();
    const bool alive = s.child->read_stdout();
    if (const auto line = s.child->next_line(); line && s.running) {
      answer(s, verdict_from_text(*line));
      return;
    }
    if (!alive) {
      const Death d = s.child->reap(false);
      s.child.reset();
      if (s.running) finish(s, crash(s, d));
    } else if (s.running && options_.timeout > 0 && since(s.started) > options_.timeout) {
      const double seconds = since(s.started);
      s.child->reap(true);
      s.child.reset();
      const std::string detail = fmt::format(
          "over the limit of {} s (--timeout); its worker was killed", options_.timeout);
      finish(s, verdict(s, Timeout{seconds, 0, detail}, seconds));
    }
  }

  void answer(Slot& s, Result<Verdict> v) {
    ++s.answered;
    if (v && v->line == plan_[*s.running].line) {
      finish(s, std::move(*v));
      return;
    }
    // Whoever answers what was not asked may have more of it: later answers could not be trusted.
    const std::string what = v ? "the worker answered another line: " + v->line : v.error().text;
    s.child->reap(true);
    s.child.reset();
    finish(s, verdict(s, HarnessError{what}, since(s.started)));
  }

  Verdict crash(const Slot& s, const Death& d) const {
    std::string tail = printable_utf8(d.stderr_tail);
    if (d.signal == 0) tail = fmt::format("the worker exited with status {}\n{}", d.status, tail);
    return verdict(s, Crash{d.signal, std::move(tail)}, since(s.started));
  }

  Verdict verdict(const Slot& s, Outcome o, double seconds) const {
    Provenance ran;
    ran.build_id = build_id();
    ran.seconds = seconds;
    return make_verdict(plan_[*s.running].line, {std::move(o)}, std::move(ran));
  }

  void finish(Slot& s, Verdict v) {
    const size_t index = *s.running;
    s.running.reset();
    if (!watcher_.done(plan_[index], std::move(v))) stopped_ = true;
  }

  std::span<const PlannedCase> plan_;
  const ExecuteOptions& options_;
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
