#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "campaign/commands.h"
#include "campaign/execute.h"
#include "campaign/interrupt.h"
#include "campaign/outputs.h"
#include "campaign/progress.h"
#include "campaign/whole_set.h"
#include "reports/summary.h"
#include "verify/build_id.h"

namespace w4 {
namespace {

// More failures than a person reads at once: the rest are counted here and kept by --db and --json.
constexpr int64_t kPrinted = 25;

int harness_error(const std::string& text) {
  fmt::print(stderr, "w4check: harness error: {}\n", text);
  return kHarnessError;
}

bool red(const Verdict& v) { return !v.green() && v.kind() != VerdictKind::skipped; }

class Campaign {
 public:
  Campaign(const RunCommand& c, std::vector<PlannedCase> plan, Outputs outputs)
      : command_(c),
        plan_(std::move(plan)),
        planned_(static_cast<int64_t>(plan_.size())),
        outputs_(std::move(outputs)),
        people_(c.json == "-" || c.junit == "-" ? stderr : stdout) {}

  int run() {
    if (auto resumed = resume(); !resumed) return harness_error(resumed.error().text);
    double cost = 0;
    for (const PlannedCase& p : plan_) cost += p.cost();
    Progress progress(stderr, static_cast<int64_t>(plan_.size()), cost);
    const Watcher watcher{[&](const PlannedCase& p, Verdict v) {
                            progress.advance(p.cost(), !red(v));
                            return take(p, std::move(v), progress);
                          },
                          [&] { progress.show(); }, [] { return interrupted(); }};
    catch_interrupts();
    const Result<void> ran = execute(
        plan_,
        {command_.jobs, command_.timeout, threads_of_a_case(command_.threads, command_.jobs)},
        watcher);
    progress.clear();
    const RunState state = interrupted()                     ? RunState::interrupted
                           : !ran || !trouble_.empty()       ? RunState::stopped
                           : summary_.all.total() < planned_ ? RunState::stopped
                                                             : RunState::complete;
    const Result<void> kept = outputs_.finish(state);
    whole_.judge(state == RunState::complete);
    print_summary(state);
    if (!ran) return harness_error(ran.error().text);
    if (!kept) return harness_error(kept.error().text);
    if (!trouble_.empty()) return harness_error(trouble_);
    return exit_code(state);
  }

 private:
  // Takes over what this build has judged before; the rest stays planned.
  Result<void> resume() {
    if (command_.db.empty() || command_.fresh) return {};
    // A build outside git does not know what it was made of.
    if (build_id().find(" unknown ") != std::string::npos) return {};
    std::vector<std::string> lines;
    std::unordered_map<std::string, std::string> suite_of;
    for (const PlannedCase& p : plan_) {
      if (!p.value.module.empty() || !p.value.prep.empty()) continue;
      lines.push_back(p.line);
      suite_of[p.line] = p.suite;
    }
    auto records = outputs_.adopt(lines);
    if (!records) return std::unexpected(records.error());
    if (records->empty()) return {};
    fmt::print(stderr,
               "w4check: {} of {} cases already have a verdict of this build in {}; running the "
               "other {} (--fresh runs all)\n",
               records->size(), planned_, command_.db,
               planned_ - static_cast<int64_t>(records->size()));
    std::unordered_map<std::string, bool> done;
    for (Record& r : *records) {
      done[r.verdict.line] = true;
      r.suite = suite_of[r.verdict.line];
      if (auto kept = keep(std::move(r), true); !kept) return kept;
    }
    std::erase_if(plan_, [&](const PlannedCase& p) { return done.contains(p.line); });
    return {};
  }

  bool take(const PlannedCase& p, Verdict v, Progress& progress) {
    const bool stop = command_.fail_fast && red(v);
    progress.show();
    if (red(v) && summary_.all.red < kPrinted) progress.clear();
    Record r{p.suite, p.value.kernel, p.value.device, std::move(v), false};
    if (auto kept = keep(std::move(r), false); !kept) {
      trouble_ = kept.error().text;
      return false;
    }
    return !stop;
  }

  Result<void> keep(Record r, bool stored) {
    count(summary_, r);
    whole_.add(r);
    if (red(r.verdict) && summary_.all.red <= kPrinted) {
      fmt::print(people_, "{}\n", to_string(r.verdict));
      if (summary_.all.red == kPrinted) {
        fmt::print(people_,
                   "(further failures are counted, not printed; --db and --json keep all)\n");
      }
      std::fflush(people_);
    }
    return outputs_.add(std::move(r), stored);
  }

  void print_summary(RunState state) const {
    for (const auto& [key, t] : summary_.table) {
      fmt::print(people_, "{} on {}: {}\n", key.first, key.second, sentence(t));
    }
    for (const auto& [reason, n] : summary_.skipped) {
      fmt::print(people_, "skipped {}: {}\n", n, reason);
    }
    std::string how;
    if (state != RunState::complete) {
      how =
          fmt::format("{} after {} of {} cases: ", name_of(state), summary_.all.total(), planned_);
    }
    const int64_t resumed = summary_.resumed;
    fmt::print(people_, "{}{}{}\n", how, sentence(summary_.all),
               resumed > 0 ? fmt::format("; {} of them from an earlier run", resumed) : "");
    whole_.print(people_);
    if (summary_.all.green == 0 && summary_.all.red == 0) {
      fmt::print(people_, "nothing was verified\n");
    }
    if (state == RunState::interrupted && !command_.db.empty()) {
      fmt::print(people_, "the same command again continues from {}\n", command_.db);
    }
    std::fflush(people_);
  }

  int exit_code(RunState state) const {
    if (summary_.harness_failed()) return kHarnessError;
    if (summary_.all.red > 0 || whole_.red()) return kRed;
    if (state == RunState::interrupted) return kInterrupted;
    return summary_.all.green > 0 ? kGreen : kRed;
  }

  const RunCommand& command_;
  std::vector<PlannedCase> plan_;
  int64_t planned_;
  Outputs outputs_;
  FILE* people_;
  Summary summary_;
  WholeSet whole_;
  std::string trouble_;
};

}  // namespace

int run_command(const RunCommand& c) {
  if (c.json == "-" && c.junit == "-") {
    return usage_error("--json - and --junit -: only one of them can have standard output");
  }
  auto plan = make_plan(c.plan);
  if (!plan) return usage_error(plan.error().text);
  auto outputs = Outputs::open(c, static_cast<int64_t>(plan->size()));
  if (!outputs) return usage_error(outputs.error().text);
  return Campaign(c, std::move(*plan), std::move(*outputs)).run();
}

}  // namespace w4
