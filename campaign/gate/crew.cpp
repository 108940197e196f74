#include "campaign/gate/crew.h"

#include <algorithm>
#include <utility>

namespace w4::gate {

Crew::Crew(const std::array<Side, 2>& sides, int jobs, double case_seconds, Clock::time_point end,
           std::function<bool()> stop)
    : sides_(sides), end_(end), stop_(std::move(stop)) {
  for (const Which side : {kBase, kHead}) {
    execute_.at(side).timeout = case_seconds;
    execute_.at(side).executable = sides.at(side).home.executable;
  }
  for (int i = 0; i < jobs; ++i) slots_.push_back({{hire(kBase), hire(kHead)}, std::nullopt});
}

Result<bool> Crew::feed(Slot& s, const std::function<std::optional<Task>()>& more) {
  std::optional<Task> task;
  if (!urgent_.empty()) {
    task = std::move(urgent_.front());
    urgent_.pop_front();
  } else if (more_) {
    task = more();
    more_ = task.has_value();
  }
  if (!task) return false;
  Case c = task->value;
  c.module = sides_.at(task->side).home.module;
  const std::string line = to_string(c);
  if (auto asked = s.workers.at(task->side)->ask({"gate", std::move(c), line}); !asked)
    return std::unexpected(asked.error());
  s.running = std::move(task);
  return true;
}

void Crew::wait() {
  constexpr int kPollMs = 100;
  std::vector<pollfd> fds;
  for (const Slot& s : slots_) {
    if (s.running) s.workers.at(s.running->side)->watch(fds);
  }
  ::poll(fds.data(), fds.size(), kPollMs);
}

// Their processes are killed with what they run.
void Crew::forget() {
  for (Slot& s : slots_) {
    if (!s.running) continue;
    ++forgotten_;
    s.workers.at(s.running->side) = hire(s.running->side);
    s.running.reset();
  }
  forgotten_ += static_cast<int64_t>(urgent_.size());
  urgent_.clear();
}

Result<void> Crew::run(const std::function<std::optional<Task>()>& more,
                       const std::function<bool()>& enough) {
  more_ = true;
  while (!over() && !enough()) {
    bool busy = false;
    for (Slot& s : slots_) {
      if (!s.running) {
        if (auto fed = feed(s, more); !fed) return std::unexpected(fed.error());
      }
      busy = busy || s.running.has_value();
    }
    if (!busy) return {};
    wait();
    for (Slot& s : slots_) {
      if (!s.running) continue;
      auto v = s.workers.at(s.running->side)->answer();
      if (!v) continue;
      const auto done = std::exchange(s.running, std::nullopt)->done;
      done(std::move(*v));
    }
  }
  forget();
  return {};
}

Result<Verdict> Crew::run_one(Which side, const Case& c) {
  std::optional<Verdict> out;
  ask({side, c, [&out](Verdict v) { out = std::move(v); }});
  if (auto ran = run([] { return std::nullopt; }); !ran) return std::unexpected(ran.error());
  if (out) return std::move(*out);
  return make_verdict(to_string(c), {Skipped{SkipReason::interrupted, ""}}, {});
}

}  // namespace w4::gate
