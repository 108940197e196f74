#include "campaign/zoo/hunt.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>

#include "campaign/one_worker.h"
#include "campaign/streams/random_cases.h"
#include "campaign/zoo/module_audit.h"
#include "core/drifts.h"
#include "core/gpu.h"

namespace w4::zoo {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPollMs = 100;
// A drift needs many outputs, and looking at it costs: after so many cases, and at the end.
constexpr int64_t kDriftEvery = 50;
// A generator that has killed goes on until it has twice as many cases, and at least these: other
// oracles have their say.
constexpr int64_t kAtLeast = 100;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string one_line(const Verdict& v) {
  std::string text = to_string(v.primary());
  return text.substr(0, text.find('\n'));
}

// The device is not there, for no case.
bool is_absent(const Verdict& v) {
  const auto* s = std::get_if<Skipped>(&v.primary());
  return s != nullptr && s->reason == SkipReason::no_device;
}

class Hunter {
 public:
  Hunter(const Quarry& quarry, const HuntOptions& options) : quarry_(quarry), options_(options) {
    execute_.timeout = options.timeout;
    execute_.new_process_for_other_device = false;
    worker_.emplace(execute_);
  }

  Result<Hunted> all() {
    Hunted out;
    for (size_t i = 0; i < options_.generators.size(); ++i) {
      if (options_.stop() || (options_.first && out.killed())) break;
      const double left = options_.seconds - seconds_since(start_);
      // Those after this one get as much.
      const double share = left / static_cast<double>(options_.generators.size() - i);
      Hunted::Run run;
      run.generator = options_.generators[i];
      if (run.generator == Generator::audit) {
        if (auto done = audit(run); !done) return std::unexpected(done.error());
      } else if (auto done = cases(run, share); !done) {
        return std::unexpected(done.error());
      }
      out.runs.push_back(std::move(run));
    }
    return out;
  }

 private:
  std::unique_ptr<Stream> stream(Generator g) const {
    if (g == Generator::own) return list_stream(quarry_.own);
    if (g == Generator::suites) return suites_stream(quarry_.expect.rows, options_.seed);
    return random_stream(quarry_.expect.rows, options_.seed);
  }

  void kill(Hunted::Run& run, Kill k, std::string line, std::string text) const {
    if (options_.only && k.oracle != *options_.only) return;
    const Oracle o = k.oracle;
    run.killed.try_emplace(
        o, Killed{std::move(k), run.cases, run.seconds, std::move(line), std::move(text)});
  }

  void judge(Hunted::Run& run, const Verdict& v, Drifts& drifts, const Case& c) const {
    if (v.kind() == VerdictKind::pass) drifts.add(c, v);
    if (v.green()) return;
    if (const auto* s = std::get_if<Skipped>(&v.primary())) {
      if (run.skipped++ == 0) run.skip = fmt::format("{}: {}", name_of(s->reason), s->detail);
      return;
    }
    if (v.kind() == VerdictKind::mistrusted) {
      ++run.mistrusted;
      return;
    }
    std::vector<Kill> kills = kills_of(quarry_.expect, v, is_native_device(options_.device));
    if (quarry_.clean) kills.clear();
    for (Kill& k : kills) kill(run, std::move(k), v.line, one_line(v));
    if (!kills.empty()) return;
    if (run.others++ == 0) run.other = fmt::format("{}: {}", v.line, one_line(v));
  }

  void judge_drift(Hunted::Run& run, const Drifts& drifts) const {
    for (const Drifts::Group& g : drifts.groups()) {
      if (!g.beyond()) continue;
      if (quarry_.clean) {
        if (run.others++ == 0) run.other = to_string(g);
      } else {
        kill(run, {Oracle::drift, "drift"}, "", to_string(g));
      }
      return;
    }
  }

  Result<void> audit(Hunted::Run& run) const {
    const auto start = Clock::now();
    const auto wrong = audit_module(quarry_.module, std::max(options_.seconds, 10.0));
    run.seconds = seconds_since(start);
    if (!wrong) {
      run.other = wrong.error().text, run.others = 1;
      return {};
    }
    if (wrong->empty()) return {};
    if (quarry_.clean) {
      run.other = wrong->front(), run.others = static_cast<int64_t>(wrong->size());
    } else {
      kill(run, {Oracle::audit, "audit"}, "", wrong->front());
    }
    return {};
  }

  Result<void> cases(Hunted::Run& run, double share) {
    const auto from = stream(run.generator);
    const auto start = Clock::now();
    Drifts drifts;
    const bool endless = run.generator != Generator::own;
    while (!options_.stop()) {
      if (endless && seconds_since(start) >= share) break;
      if (options_.cases > 0 && run.cases >= options_.cases) break;
      auto c = from->next();
      if (!c) break;
      c->module = quarry_.module;
      if (!options_.device.empty()) {
        c->device = options_.device;
        if (is_native_device(c->device)) c->fp = "auto";
      }
      const auto v = verdict(*c);
      if (!v) return std::unexpected(v.error());
      if (!*v) break;
      ++run.cases;
      run.seconds = seconds_since(start);
      judge(run, **v, drifts, *c);
      if (is_absent(**v)) break;
      if (run.cases % kDriftEvery == 0) judge_drift(run, drifts);
      if (const Killed* k = run.first()) {
        if (options_.first || run.cases >= std::max(kAtLeast, 2 * k->cases)) break;
      }
    }
    judge_drift(run, drifts);
    return {};
  }

  // nullopt: stopped.
  Result<std::optional<Verdict>> verdict(const Case& c) {
    PlannedCase planned{"zoo", c, to_string(c)};
    if (auto asked = worker_->ask(planned); !asked) return std::unexpected(asked.error());
    while (!options_.stop()) {
      if (auto v = worker_->answer()) return std::optional(std::move(*v));
      fds_.clear();
      worker_->watch(fds_);
      ::poll(fds_.data(), fds_.size(), kPollMs);
    }
    return std::optional<Verdict>{};
  }

  const Quarry& quarry_;
  const HuntOptions& options_;
  ExecuteOptions execute_;
  std::optional<OneWorker> worker_;
  std::vector<pollfd> fds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

const Killed* Hunted::Run::first() const {
  const Killed* out = nullptr;
  for (const auto& [oracle, k] : killed) {
    if (out == nullptr || k.cases < out->cases) out = &k;
  }
  return out;
}

const Hunted::Run* Hunted::run_of(Generator g) const {
  const auto at = std::ranges::find(runs, g, &Run::generator);
  return at == runs.end() ? nullptr : &*at;
}

bool Hunted::killed() const {
  return std::ranges::any_of(runs, [](const Run& r) { return !r.killed.empty(); });
}

Result<Hunted> hunt(const Quarry& quarry, const HuntOptions& options) {
  return Hunter(quarry, options).all();
}

}  // namespace w4::zoo
