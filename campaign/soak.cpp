#include "campaign/soak.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "campaign/crash_note.h"
#include "campaign/interrupt.h"
#include "verify/cases/floors.h"
#include "verify/cases/row_cases.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string combination(std::string_view row, std::string_view device, std::string_view act,
                        int64_t g) {
  return fmt::format("{} {} {} g{}", row, device, act, g);
}

// One soak under way. A thread keeps to its archs, so that the code of an arch is decoded by one
// thread only (by few where there are more threads than archs): decoded code is most of the memory.
class Soak {
 public:
  Soak(const SoakPlan& plan, std::FILE* people)
      : plan_(plan), people_(people), end_(plan.first + plan.cases), next_(plan.devices.size()) {
    for (size_t d = 0; d < next_.size(); ++d) next_[d] = first_of(d);
  }

  SoakResult run() {
    {
      std::vector<std::jthread> threads;
      threads.reserve(static_cast<size_t>(plan_.threads));
      for (int t = 0; t < plan_.threads; ++t)
        threads.emplace_back([this, t] { work(static_cast<size_t>(t)); });
    }
    SoakResult result;
    result.tally = std::move(tally_);
    result.next = end_;
    for (const auto& next : next_) result.next = std::min(result.next, next.load());
    result.seconds = seconds_since(start_);
    result.complete = result.next == end_;
    return result;
  }

 private:
  bool stop() const {
    return interrupted() || (plan_.max_seconds > 0 && seconds_since(start_) >= plan_.max_seconds);
  }

  // The first case of an arch: case i runs on arch i mod their number.
  int64_t first_of(size_t device) const {
    const auto archs = static_cast<int64_t>(plan_.devices.size());
    return plan_.first + (static_cast<int64_t>(device) - plan_.first % archs + archs) % archs;
  }

  // Devices, modules and materials are the thread's own.
  void work(size_t thread) {
    const size_t archs = plan_.devices.size(), threads = static_cast<size_t>(plan_.threads);
    Context context;
    for (bool some = true; some;) {
      some = false;
      for (size_t d = thread % archs; d < archs; d += threads) {
        if (stop()) return;
        const int64_t index = next_[d].fetch_add(static_cast<int64_t>(archs));
        if (index >= end_) continue;
        some = true;
        one(index, context);
      }
    }
  }

  void one(int64_t index, Context& context) {
    const Case c = soak_case(plan_, index);
    set_crash_note(fmt::format("w4soak: crashed in case {} of seed {}\nw4check rerun '{}'\n", index,
                               plan_.seed, to_string(c)));
    const Verdict v = run_case(c, context);
    const std::scoped_lock lock(mutex_);
    tally_.add(c, v);
    if (v.kind() != VerdictKind::pass) {
      fmt::print(people_, "case {} of seed {}: {}\nw4check rerun '{}'\n", index, plan_.seed,
                 to_string(v), v.line);
      std::fflush(people_);
    }
    show();
  }

  void show() {
    const double seconds = seconds_since(start_);
    if (seconds < shown_ + kEvery) return;
    shown_ = seconds;
    const int64_t done = tally_.all().cases();
    const double rate = static_cast<double>(done) / seconds;
    fmt::print(people_, "{} of {} cases, {:.0f} cases/s, {} alarms, {:.0f} s, {:.0f} s to go\n",
               done, plan_.cases, rate, tally_.alarms(), seconds,
               static_cast<double>(plan_.cases - done) / rate);
    std::fflush(people_);
  }

  static constexpr double kEvery = 10;  // seconds
  const SoakPlan& plan_;
  std::FILE* people_;
  const int64_t end_;
  std::vector<std::atomic<int64_t>> next_;  // by arch
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  SoakTally tally_;
  double shown_ = 0;
};

}  // namespace

Case soak_case(const SoakPlan& plan, int64_t index) {
  NumberedChooser choose(plan.seed, index);
  const std::string_view row = one_of(choose, std::span<const std::string_view>(plan.rows));
  const auto device = static_cast<size_t>(index) % plan.devices.size();
  return choose_case(choose, {.devices = std::span(plan.devices).subspan(device, 1)}, row);
}

void SoakTally::add(const Case& c, const Verdict& v) {
  all_.add(c, v);
  by_row_[c.kernel].add(c, v);
  ++combinations_[combination(c.kernel, c.device, name_of(c.problem.act), c.problem.g)];
}

std::vector<std::string> SoakTally::below(const SoakPlan& plan) const {
  std::vector<Coverage::Floor> floors{{"k range", "2048 and more", 0.1}};
  const auto even = [](double most, size_t parts) {
    return std::min(most, 0.5 / static_cast<double>(parts));
  };
  for (const auto row : plan.rows)
    floors.push_back({"kernel", std::string(row), even(0.01, plan.rows.size())});
  for (const auto device : plan.devices) {
    floors.push_back({"device", std::string(device), even(0.01, plan.devices.size())});
  }
  for (const char* act : {"f16", "bf16"}) floors.push_back({"dtype", act, 0.01});
  for (const char* g : {"32", "64", "128"}) floors.push_back({"g", g, 0.01});
  std::vector<std::string> out = all_.below(floors);
  const double share = even(0.001, plan.rows.size() * plan.devices.size() * 6);
  const auto floor =
      std::max<int64_t>(1, static_cast<int64_t>(share * static_cast<double>(all_.cases())));
  for (const auto row : plan.rows) {
    if (const auto of_row = by_row_.find(std::string(row)); of_row != by_row_.end()) {
      for (const auto& floors_of_row : {row_floors(row), rare_floors(row)}) {
        for (const std::string& s : of_row->second.below(floors_of_row)) {
          out.push_back(fmt::format("{}: {}", row, s));
        }
      }
    }
    for (const auto device : plan.devices) {
      for (const char* act : {"f16", "bf16"}) {
        for (const int64_t g : {32, 64, 128}) {
          const auto found = combinations_.find(combination(row, device, act, g));
          const int64_t got = found == combinations_.end() ? 0 : found->second;
          if (got >= floor) continue;
          out.push_back(fmt::format("{} in {} of {} cases, its floor is {}",
                                    combination(row, device, act, g), got, all_.cases(), floor));
        }
      }
    }
  }
  return out;
}

std::string SoakTally::text() const {
  std::string out;
  for (const auto& [row, coverage] : by_row_) out += fmt::format("{}: {}", row, coverage.text());
  int64_t least = all_.cases(), most = 0;
  for (const auto& [name, count] : combinations_) {
    least = std::min(least, count), most = std::max(most, count);
  }
  return out + fmt::format("all: {}  kernel x arch x dtype x G: {} combinations, {} to {} cases\n",
                           all_.text(), combinations_.size(), least, most);
}

SoakResult soak(const SoakPlan& plan, std::FILE* people) { return Soak(plan, people).run(); }

}  // namespace w4
