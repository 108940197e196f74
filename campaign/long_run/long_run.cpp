#include "campaign/long_run/long_run.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

#include "campaign/interrupt.h"
#include "campaign/long_run/analyst.h"
#include "campaign/long_run/slices.h"
#include "campaign/long_run/ticker.h"
#include "campaign/one_worker.h"
#include "campaign/shown.h"

namespace w4 {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMs = 100;
constexpr double kSliceSeconds = 30;
constexpr double kSpendEvery = 1;     // seconds between two T of the log
constexpr double kInterruptEnds = 5;  // seconds for the cases in flight, after Ctrl-C
constexpr double kTimeEnds = 30;      // the same after the end of --for
// More than a person reads at once; the store keeps all.
constexpr int64_t kPrinted = 25;

bool red(const Verdict& v) { return !v.green() && v.kind() != VerdictKind::skipped; }

bool differ(const Verdict& a, const Verdict& b) {
  const bool outputs = !a.ran.outputs.empty() && !b.ran.outputs.empty();
  return a.kind() != b.kind() || (outputs && a.ran.outputs != b.ran.outputs);
}

// A case with a worker.
struct Running {
  NextCase next;
  PlannedCase planned;
  std::optional<Verdict> first{};  // of a red case that runs once more
};

struct Slot {
  explicit Slot(const ExecuteOptions& options) : worker(options) {}
  bool busy() const { return running || slice; }
  OneWorker worker;
  std::optional<Running> running{};
  std::optional<Slice> slice{};
  int64_t slice_number = 0;
  Clock::time_point since{};
};

class LongRun {
 public:
  LongRun(const CampaignPlan& plan, const LongRunOptions& options, LongRunStart& start)
      : plan_(plan),
        options_(options),
        s_(start),
        analyst_(start.store, start.run),
        ticker_(plan, start.spent) {
    execute_.jobs = options.jobs;
    execute_.behaviour = true;
    execute_.timeout = options.timeout == 0 ? std::optional(0.0) : std::nullopt;
    execute_.otherwise = options.timeout;
    execute_.most_bytes = most_bytes_of_worker(plan.devices.size());
    slots_.reserve(static_cast<size_t>(options.jobs));
    for (int i = 0; i < options.jobs; ++i) slots_.emplace_back(execute_);
  }

  Result<RunState> run() {
    if (auto ready = find_targets(); !ready) return std::unexpected(ready.error());
    auto done = cases();
    if (done && !interrupted()) done = analyse_the_rest();
    ticker_.clear();
    const auto stopped = analyst_.stop();
    if (!done) return std::unexpected(done.error());
    if (!stopped) return std::unexpected(stopped.error());
    if (auto spent = s_.log.spend(seconds()); !spent) return std::unexpected(spent.error());
    return interrupted() ? RunState::interrupted : RunState::complete;
  }

 private:
  double seconds() const { return s_.spent + since(start_); }
  static double since(Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
  }
  bool time_is_over() const { return plan_.seconds > 0 && seconds() >= plan_.seconds; }
  bool ending() const { return interrupted() || time_is_over(); }

  Result<void> find_targets() {
    if (std::ranges::find(plan_.sources, "targets") == plan_.sources.end()) return {};
    auto path = find_w4fuzz();
    if (!path) return std::unexpected(path.error());
    auto targets = targets_of(*path);
    if (!targets) return std::unexpected(targets.error());
    w4fuzz_ = std::move(*path), targets_ = std::move(*targets);
    return {};
  }

  Result<void> cases() {
    std::optional<Clock::time_point> ends;
    for (;;) {
      if (ending() && !ends) ends = Clock::now();
      const double patience = interrupted() ? kInterruptEnds : kTimeEnds;
      if (ends && since(*ends) > patience) return give_up_running();
      bool busy = false;
      for (Slot& slot : slots_) {
        if (!slot.busy() && !ends) {
          if (auto fed = feed(slot); !fed) return fed;
        }
        busy = busy || slot.busy();
      }
      if (!busy) return {};
      wait();
      for (Slot& slot : slots_) {
        if (auto taken = collect(slot); !taken) return taken;
      }
      if (auto kept = keep_up(); !kept) return kept;
    }
  }

  // An interrupted campaign finds them in its log when it goes on.
  Result<void> give_up_running() {
    if (interrupted()) return {};
    for (const Slot& slot : slots_) {
      if (!slot.running || slot.running->first) continue;
      const NextCase& c = slot.running->next;
      if (auto told = s_.store.mark_lost(s_.run, c.source, c.number, slot.running->planned.line,
                                         "it still ran when the time of the campaign was over");
          !told) {
        return told;
      }
    }
    return {};
  }

  // What goes on beside the cases.
  Result<void> keep_up() {
    if (options_.shrink) {
      if (auto ticked = analyst_.tick(); !ticked) return ticked;
    }
    ticker_.show(seconds());
    if (since(spent_) < kSpendEvery) return {};
    spent_ = Clock::now();
    return s_.log.spend(seconds());
  }

  Result<void> analyse_the_rest() {
    const double left = plan_.seconds > 0 ? std::max(0.0, plan_.seconds - seconds()) : 0;
    const double most = left + options_.settle.value_or(default_settle(plan_));
    const auto ends = Clock::now();
    while (options_.shrink && !interrupted() && since(ends) < most) {
      if (auto kept = keep_up(); !kept) return kept;
      if (analyst_.idle()) return {};
      wait();
    }
    return {};
  }

  void wait() {
    std::vector<pollfd> fds;
    for (const Slot& s : slots_) {
      s.worker.watch(fds);
      if (s.slice) fds.push_back({s.slice->out_fd(), POLLIN, 0});
    }
    analyst_.watch(fds);
    ::poll(fds.data(), fds.size(), kPollMs);
  }

  // Targets have the share of the workers' time that a source has.
  bool wants_slice() const {
    if (targets_.empty()) return false;
    const double all = since(start_) * static_cast<double>(slots_.size());
    double targets = slice_seconds_;
    for (const Slot& s : slots_) {
      if (s.slice) targets += kSliceSeconds;
    }
    return targets * static_cast<double>(plan_.sources.size()) <= all;
  }

  Result<void> feed(Slot& slot) {
    if (!again_.empty()) {
      slot.running = std::move(again_.front());
      again_.pop_front();
      return slot.worker.ask(slot.running->planned);
    }
    if (wants_slice()) {
      if (const auto number = s_.sources.next_slice()) return start_slice(slot, *number);
    }
    auto next = s_.sources.next();
    if (next) return start_case(slot, std::move(*next));
    if (targets_.empty()) return {};
    const auto number = s_.sources.next_slice();
    return number ? start_slice(slot, *number) : Result<void>{};
  }

  Result<void> start_case(Slot& slot, NextCase next) {
    PlannedCase planned{next.source, next.value, to_string(next.value)};
    if (auto told = s_.log.announce({next.source, next.number, planned.line}); !told) return told;
    slot.running = Running{std::move(next), std::move(planned)};
    return slot.worker.ask(slot.running->planned);
  }

  Result<void> start_slice(Slot& slot, int64_t number) {
    const std::string target = targets_[static_cast<size_t>(number) % targets_.size()];
    const double left = plan_.seconds > 0 ? plan_.seconds - seconds() : kSliceSeconds;
    auto slice = Slice::start(w4fuzz_, target, plan_, corpus_of(options_.db), number,
                              std::clamp(left, 1.0, kSliceSeconds));
    if (!slice) return std::unexpected(slice.error());
    if (auto told = s_.log.announce({"targets", number, slice->line()}); !told) return told;
    slot.slice = std::move(*slice);
    slot.slice_number = number;
    slot.since = Clock::now();
    return {};
  }

  Result<void> collect(Slot& slot) {
    if (slot.slice) return collect_slice(slot);
    if (!slot.running) return {};
    auto v = slot.worker.answer();
    if (!v) return {};
    const Running running = std::move(*slot.running);
    slot.running.reset();
    if (running.first) return compare(running, *v);
    auto shown = shown_in(slot.worker.said().empty() ? "{}" : slot.worker.said());
    if (!shown) return std::unexpected(shown.error());
    return store(running, std::move(*v), *shown);
  }

  Result<void> collect_slice(Slot& slot) {
    auto v = slot.slice->ended();
    if (!v) return {};
    slice_seconds_ += since(slot.since);
    const std::string line = red(*v) ? slot.slice->case_line() : "";
    const std::string target = slot.slice->target();
    NextCase next{"targets", slot.slice_number, {}, {}};
    slot.slice.reset();
    if (const auto c = parse_case(line); !line.empty() && c) {
      // The verdict of a case is a worker's.
      next.value = *c;
      return start_case(slot, std::move(next));
    }
    PlannedCase planned{"targets", {}, v->line};
    planned.value.kernel = "w4fuzz " + target;
    planned.value.device = plan_.devices.front();
    return store({std::move(next), std::move(planned)}, std::move(*v), {});
  }

  Result<void> store(const Running& r, Verdict v, const std::vector<Behaviour>& shown) {
    const NextCase& next = r.next;
    CampaignCase c;
    c.number = next.number, c.source = next.source;
    c.next = s_.sources.finish(next.source, next.number);
    c.record = {next.source, r.planned.value.kernel, r.planned.value.device, std::move(v), false};
    for (const Behaviour& b : shown) c.behaviours.push_back({static_cast<int>(b.kind), b.id});
    const auto added = s_.store.add_case(s_.run, c);
    if (!added) return std::unexpected(added.error());
    const Verdict& kept = c.record.verdict;
    if (auto told = s_.log.finish(next.source, next.number, name_of(kept.kind())); !told)
      return told;
    ticker_.count(red(kept), added->new_behaviours > 0);
    if (next.guided && added->new_behaviours > 0) {
      if (auto done = s_.sources.keep(*next.guided); !done) return done;
    }
    if (!red(kept)) return {};
    if (added->failure && added->failure->is_new) {
      print_new(kept);
      analyst_.wake();
    }
    // Slices of targets do not run the same again.
    if (parse_case(kept.line)) again_.push_back({r.next, r.planned, kept});
    return {};
  }

  void print_new(const Verdict& v) {
    ticker_.clear();
    if (++printed_ <= kPrinted) fmt::print(options_.people, "new failure: {}\n", to_string(v));
    if (printed_ == kPrinted) {
      fmt::print(options_.people,
                 "(further failures are stored, not printed: w4check campaign status --db {})\n",
                 options_.db);
    }
    std::fflush(options_.people);
  }

  Result<void> compare(const Running& r, const Verdict& second) {
    if (!differ(*r.first, second)) return {};
    ticker_.clear();
    fmt::print(options_.people, "flaky: {}, then {}: w4check rerun '{}'\n",
               name_of(r.first->kind()), name_of(second.kind()), second.line);
    std::fflush(options_.people);
    return s_.store.add(s_.run, {"again", r.planned.value.kernel, r.planned.value.device, second});
  }

  const CampaignPlan& plan_;
  const LongRunOptions& options_;
  LongRunStart& s_;
  ExecuteOptions execute_;
  std::vector<Slot> slots_;
  std::deque<Running> again_;  // at most a few: they come before new cases
  Analyst analyst_;
  Ticker ticker_;
  std::string w4fuzz_;
  std::vector<std::string> targets_;
  double slice_seconds_ = 0;
  int64_t printed_ = 0;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point spent_ = start_;
};

}  // namespace

double default_settle(const CampaignPlan& plan) { return plan.seconds > 0 ? 60 : 600; }

std::string log_of(const std::string& db) { return db + ".announced"; }
std::string lock_of(const std::string& db) { return db + ".lock"; }
std::string corpus_of(const std::string& db) { return db + ".corpus"; }

int64_t most_bytes_of_worker(size_t devices) {
  constexpr int64_t kMiB = int64_t{1} << 20;
  return 512 * kMiB + 1024 * kMiB * static_cast<int64_t>(devices);
}

Result<RunState> long_run(const CampaignPlan& plan, const LongRunOptions& options,
                          LongRunStart& start) {
  return LongRun(plan, options, start).run();
}

}  // namespace w4
