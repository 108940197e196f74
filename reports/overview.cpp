#include "reports/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/rerun.h"
#include "reports/analysis.h"
#include "reports/arithmetic.h"
#include "reports/changes.h"
#include "reports/failures.h"
#include "reports/spoken.h"
#include "reports/summary.h"
#include "reports/zoo_score.h"

namespace w4 {
namespace {

using nlohmann::json;

constexpr int64_t kFlakyShown = 100;
constexpr size_t kLostShown = 20;

json tally_json(const Tally& t) {
  json kinds = json::object();
  for (size_t i = 0; i < t.by_kind.size(); ++i) {
    if (t.by_kind.at(i) > 0) kinds[name_of(static_cast<VerdictKind>(i))] = t.by_kind.at(i);
  }
  return {{"cases", t.total()},   {"green", t.green}, {"red", t.red},
          {"skipped", t.skipped}, {"kinds", kinds},   {"headroom", t.headroom}};
}

json flaky_json(const FlakyOfRun& flaky) {
  json lines = json::array();
  for (const FlakyLine& f : flaky.lines) {
    json verdicts = json::array();
    for (const FlakyRecord& r : f.records) {
      verdicts.push_back({{"kind", r.kind}, {"outputs", r.outputs}, {"cases", r.count}});
    }
    lines.push_back({{"line", f.line},
                     {"rerun", command_to_rerun(f.line)},
                     {"build", f.build_id},
                     {"verdicts", std::move(verdicts)}});
  }
  return {{"total", flaky.total}, {"lines", std::move(lines)}};
}

int64_t not_judged(const std::vector<LostCase>& lost) {
  return std::ranges::count_if(lost, [](const LostCase& c) { return !c.judged; });
}

json lost_json(const std::vector<LostCase>& lost) {
  json cases = json::array();
  for (const LostCase& c : lost) {
    if (cases.size() == kLostShown) break;
    cases.push_back({{"line", c.line},
                     {"rerun", command_to_rerun(c.line)},
                     {"why", c.why},
                     {"judged", c.judged}});
  }
  return {{"total", lost.size()}, {"not_judged", not_judged(lost)}, {"cases", std::move(cases)}};
}

// New ones first, then the most frequent; w4check's own errors last. Only one that has a page.
Result<std::optional<StartWith>> start_with(Store& store, std::span<const ShownFailure> all,
                                            const Changes& changes) {
  const size_t found = all.size();
  all = all.first(std::min(found, kFailuresShown));
  const auto is_new = [&](const ShownFailure& f) {
    return std::ranges::find(changes.new_ones, f.failure.id) != changes.new_ones.end();
  };
  const auto before = [&](const ShownFailure& a, const ShownFailure& b) {
    const bool own_a = a.failure.kind == name_of(VerdictKind::harness_error);
    const bool own_b = b.failure.kind == name_of(VerdictKind::harness_error);
    if (own_a != own_b) return own_b;
    if (is_new(a) != is_new(b)) return is_new(a);
    return a.cases > b.cases;
  };
  const auto first = std::ranges::min_element(all, before);
  if (first == all.end()) return std::optional<StartWith>();
  const StoredFailure& f = first->failure;
  const auto analysis = stored_analysis(store, f);
  if (!analysis) return std::unexpected(analysis.error());
  const std::string why = changes.previous != 0 && is_new(*first)
                              ? fmt::format("new since run {}", changes.previous)
                          : found == 1 ? "the only failure"
                                       : fmt::format("the most frequent of {}", found);
  return std::optional<StartWith>(
      StartWith{f.id, f.kernel, f.kind, f.hypothesis, first->cases, why,
                f.smallest_line.empty() ? f.first_line : f.smallest_line, says_of(*analysis)});
}

json start_json(const std::optional<StartWith>& s) {
  if (!s) return nullptr;
  return {{"failure", s->failure}, {"kernel", s->kernel}, {"kind", s->kind},
          {"cases", s->cases},     {"why", s->why},       {"hypothesis", s->hypothesis},
          {"says", s->says},       {"line", s->line},     {"rerun", command_to_rerun(s->line)}};
}

class Overview : public Section {
 public:
  std::string_view name() const override { return "summary"; }
  void add(const Seen& seen) override {
    count(summary_, seen.filed.record);
    arithmetic_.add(seen);
    const auto* skipped = std::get_if<Skipped>(&seen.verdict().primary());
    if (skipped != nullptr && skipped->reason == SkipReason::not_supported_by_kernel) {
      ++not_declared_;
    }
  }

  Result<json> finish(Store& store, const ReportContext& context) override {
    const auto shown = shown_failures(store, context.run.id);
    if (!shown) return std::unexpected(shown.error());
    auto changes = changes_of(store, context.run, *shown);
    if (!changes) return std::unexpected(changes.error());
    const auto flaky = flaky_of(store, context.run.id, kFlakyShown);
    if (!flaky) return std::unexpected(flaky.error());
    const auto lost = store.lost(context.run.id);
    if (!lost) return std::unexpected(lost.error());
    auto zoo = zoo_score(store, context);
    if (!zoo) return std::unexpected(zoo.error());
    const json stop = context.facts.value("stop", json());
    auto start = start_with(store, *shown, *changes);
    if (!start) return std::unexpected(start.error());
    const Standing standing{.run = context.run,
                            .written = context.written,
                            .all = summary_.all,
                            .red_kernels = red_kernels(),
                            .failures = static_cast<int64_t>(shown->size()),
                            .flaky = flaky->total,
                            .lost = not_judged(*lost),
                            .start = std::move(*start),
                            .not_declared = not_declared_,
                            .skipped_most = skipped_most(),
                            .next_is_new = stop.is_object() ? stop.value("says", "") : ""};
    const Spoken spoken = speak(standing);
    return json{{"state", spoken.state},
                {"sentence", spoken.sentence},
                {"advice", spoken.advice},
                {"start", start_json(standing.start)},
                {"all", tally_json(summary_.all)},
                {"table", table()},
                {"skipped", skipped()},
                {"failures", standing.failures},
                {"since", std::move(changes->since)},
                {"flaky", flaky_json(*flaky)},
                {"lost", lost_json(*lost)},
                {"stop", stop},
                {"zoo", std::move(*zoo)},
                {"arithmetic", arithmetic_.finish(context.facts.value("evidence", json::object()))},
                {"effort",
                 {{"seconds", summary_.seconds},
                  {"wave_instructions", summary_.wave_instructions},
                  {"taken_over", summary_.resumed}}}};
  }

 private:
  std::vector<std::string> red_kernels() const {
    std::vector<std::string> out;
    for (const auto& [key, tally] : summary_.table) {
      if (tally.red > 0 && (out.empty() || out.back() != key.first)) out.push_back(key.first);
    }
    return out;
  }
  std::string skipped_most() const {
    const auto most =
        std::ranges::max_element(summary_.skipped, {}, [](const auto& r) { return r.second; });
    if (most == summary_.skipped.end()) return "";
    std::string reason = most->first;
    std::ranges::replace(reason, '_', ' ');
    return fmt::format("{} ({} case{})", reason, most->second, most->second == 1 ? "" : "s");
  }
  json table() const {
    json out = json::array();
    for (const auto& [key, tally] : summary_.table) {
      json row = tally_json(tally);
      row["kernel"] = key.first;
      row["device"] = key.second;
      out.push_back(std::move(row));
    }
    return out;
  }
  json skipped() const {
    json out = json::array();
    for (const auto& [reason, n] : summary_.skipped) {
      out.push_back({{"reason", reason}, {"cases", n}});
    }
    return out;
  }

  Summary summary_;
  ArithmeticUsed arithmetic_;
  int64_t not_declared_ = 0;
};

}  // namespace

std::unique_ptr<Section> overview_section() { return std::make_unique<Overview>(); }

}  // namespace w4
