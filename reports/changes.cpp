#include "reports/changes.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "core/rerun.h"

namespace w4 {
namespace {

using nlohmann::json;

// Shown; the counts are of all.
constexpr size_t kMost = 300;

std::string lines_text(int64_t n) { return fmt::format("{} line{}", n, n == 1 ? "" : "s"); }

struct Told {
  std::string_view state;
  std::string how;
};

int64_t judged(const std::vector<KernelCounts>& counts, const std::string& kernel) {
  for (const KernelCounts& c : counts) {
    if (c.kernel == kernel) return c.judged();
  }
  return 0;
}

struct Two {  // runs, the earlier first
  const StoredRun& was;
  const StoredRun& is;
  std::vector<KernelCounts> counts_was, counts_is;
};

// A failure of the earlier run that the later does not show. It is fixed where every line that
// showed it ran again and is right; in a campaign also where as many cases of its kernel ran.
Told gone(const Two& runs, const ShownFailure& f, const LinesJudged& again) {
  if (again.flaky > 0) {
    return {"not seen again",
            fmt::format("{} of {} that showed it {} flaky: judged differently by one build",
                        again.flaky, lines_text(again.lines), again.flaky == 1 ? "is" : "are")};
  }
  if (again.red > 0) {
    return {"not seen again", fmt::format("{} of {} that showed it fail otherwise now", again.red,
                                          lines_text(again.lines))};
  }
  if (again.lines > 0 && again.green == again.lines) {
    return {"fixed", again.lines == 1
                         ? std::string("the line that showed it ran again and is right")
                         : fmt::format("all {} that showed it ran again and are right",
                                       lines_text(again.lines))};
  }
  const int64_t was = judged(runs.counts_was, f.failure.kernel),
                is = judged(runs.counts_is, f.failure.kernel);
  if (runs.is.kind != RunKind::campaign) {
    return {"not seen again",
            fmt::format("{} of {} that showed it ran again", again.green, lines_text(again.lines))};
  }
  if (is < was) {
    return {"not seen again", fmt::format("{} cases of {} ran, {} before: too few to say", is,
                                          f.failure.kernel, was)};
  }
  // Of independent draws: how likely so many cases miss a failure as frequent as it was.
  const double rate = static_cast<double>(f.cases) / static_cast<double>(was);
  return {
      "fixed",
      fmt::format("none in {} cases of {}, {} in {} before; were it as frequent still, "
                  "all would miss it with probability {:.2g}",
                  is, f.failure.kernel, f.cases, was, std::pow(1 - rate, static_cast<double>(is)))};
}

// A failure of the later run that the earlier did not show.
std::string came(const LinesJudged& before) {
  if (before.flaky > 0) {
    return fmt::format("{} of {} that show it {} flaky: judged differently by one build",
                       before.flaky, lines_text(before.lines), before.flaky == 1 ? "is" : "are");
  }
  if (before.green > 0) {
    return fmt::format("{} of {} that show it ran before and were right", before.green,
                       lines_text(before.lines));
  }
  return before.red > 0 ? "its lines failed otherwise before" : "its lines did not run before";
}

json row(const ShownFailure& f, const Told& told, int64_t then, int64_t now) {
  const StoredFailure& s = f.failure;
  const std::string& line = s.smallest_line.empty() ? s.first_line : s.smallest_line;
  return {{"failure", s.id},
          {"kernel", s.kernel},
          {"kind", s.kind},
          {"pattern", s.pattern},
          {"hypothesis", s.hypothesis},
          {"state", told.state},
          {"how", told.how},
          {"then", then},
          {"now", now},
          {"rerun", command_to_rerun(line)}};
}

json run_of(const StoredRun& r, const std::vector<KernelCounts>& counts) {
  KernelCounts all;
  for (const KernelCounts& c : counts) {
    all.green += c.green, all.red += c.red, all.skipped += c.skipped, all.seconds += c.seconds;
  }
  return {{"run", r.id},           {"started", r.started}, {"state", name_of(r.state)},
          {"build", r.build_id},   {"machine", r.machine}, {"cases", all.judged() + all.skipped},
          {"green", all.green},    {"red", all.red},       {"skipped", all.skipped},
          {"seconds", all.seconds}};
}

class Comparison {
 public:
  Comparison(Store& store, Two runs) : store_(store), runs_(std::move(runs)) {}

  Result<void> compare(const std::vector<ShownFailure>& was, const std::vector<ShownFailure>& is) {
    std::map<std::string, size_t> by_key;
    for (size_t i = 0; i < was.size(); ++i) {
      for (const std::string& key : was[i].keys) by_key[key] = i;
    }
    std::set<size_t> matched;
    for (const ShownFailure& f : is) {
      int64_t then = 0;
      bool known = false;
      for (const std::string& key : f.keys) {
        const auto at = by_key.find(key);
        if (at == by_key.end()) continue;
        known = true;  // what two failures of today were one of counts its cases once
        if (matched.insert(at->second).second) then += was[at->second].cases;
      }
      if (auto told = known ? stayed(f, then) : appeared(f); !told) return told;
    }
    for (size_t i = 0; i < was.size(); ++i) {
      if (matched.contains(i)) continue;
      const auto again = lines_judged(store_, was[i].failure.id, runs_.was.id, runs_.is.id);
      if (!again) return std::unexpected(again.error());
      add(was[i], gone(runs_, was[i], *again), was[i].cases, 0);
    }
    return {};
  }

  Changes done() && {
    json counts = json::object();
    for (const char* state : {"new", "still failing", "fixed", "not seen again"})
      counts[state] = counts_[state];
    new_.since = {{"previous", run_of(runs_.was, runs_.counts_was)},
                  {"now", run_of(runs_.is, runs_.counts_is)},
                  {"why", ""},
                  {"counts", std::move(counts)},
                  {"failures", std::move(rows_)}};
    new_.previous = runs_.was.id;
    return std::move(new_);
  }

 private:
  Result<void> stayed(const ShownFailure& f, int64_t then) {
    const std::string how = f.taken_over == 0 ? ""
                            : f.taken_over < f.cases
                                ? fmt::format(
                                      "{} of {} cases taken over from an earlier run of "
                                      "this build, not run again",
                                      f.taken_over, f.cases)
                                : "taken over from an earlier run of this build, not run again";
    add(f, {"still failing", how}, then, f.cases);
    return {};
  }
  Result<void> appeared(const ShownFailure& f) {
    const auto before = lines_judged(store_, f.failure.id, runs_.is.id, runs_.was.id);
    if (!before) return std::unexpected(before.error());
    add(f, {"new", came(*before)}, 0, f.cases);
    new_.new_ones.push_back(f.failure.id);
    return {};
  }
  void add(const ShownFailure& f, const Told& told, int64_t then, int64_t now) {
    ++counts_[std::string(told.state)];
    if (rows_.size() < kMost) rows_.push_back(row(f, told, then, now));
  }

  Store& store_;
  Two runs_;
  json rows_ = json::array();
  std::map<std::string, int64_t> counts_;
  Changes new_;
};

}  // namespace

Result<Changes> changes_of(Store& store, const StoredRun& run,
                           const std::vector<ShownFailure>& now) {
  const auto before = previous_run(store, run);
  if (!before) return std::unexpected(before.error());
  if (!*before) {
    return Changes{
        .since = {{"previous", nullptr},
                  {"now", nullptr},
                  {"why", fmt::format("The store has no earlier run of the same {}.",
                                      run.kind == RunKind::campaign ? "plan" : "command")},
                  {"counts", json::object()},
                  {"failures", json::array()}},
        .new_ones = {},
        .previous = 0};
  }
  const auto was = shown_failures(store, (*before)->id);
  if (!was) return std::unexpected(was.error());
  auto counts_was = kernel_counts(store, (*before)->id);
  if (!counts_was) return std::unexpected(counts_was.error());
  auto counts_is = kernel_counts(store, run.id);
  if (!counts_is) return std::unexpected(counts_is.error());
  Comparison c(store, {**before, run, std::move(*counts_was), std::move(*counts_is)});
  if (auto done = c.compare(*was, now); !done) return std::unexpected(done.error());
  return std::move(c).done();
}

}  // namespace w4
