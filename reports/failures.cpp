#include "reports/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "reports/analysis.h"
#include "reports/history.h"
#include "results/compare.h"
#include "results/verdict_json.h"

namespace w4 {
namespace {

using nlohmann::json;

// Lines of one failure, and of all together, so that the page of a run in which everything failed
// still opens.
constexpr size_t kMostLines = 200, kLeastLines = 20, kLinesInAll = 20'000;

// The command as the verdict prints it (core quotes it for a shell), without what follows it.
std::string rerun_command(std::string_view text) {
  constexpr std::string_view kLabel = "rerun: ";
  const size_t at = text.rfind(kLabel);
  if (at == std::string_view::npos) return std::string(text);
  text.remove_prefix(at + kLabel.size());
  return std::string(text.substr(0, text.find('\n')));
}

// A line quoted for a shell, as a verdict of that line prints it.
std::string command_of(const std::string& line) {
  return rerun_command(to_string(make_verdict(line, {HarnessError{""}}, {})));
}

struct FoldedLine {
  std::string line, kind, source;
  int64_t number = 0;
};

// What is known of one failure from its verdicts.
struct Folded {
  std::optional<Verdict> first;
  std::vector<FoldedLine> lines;
  std::map<std::string, int64_t> devices;  // "gfx1151" -> cases
};

class Failures : public Section {
 public:
  std::string_view name() const override { return "failures"; }

  void add(const Seen& seen) override {
    if (seen.filed.failure == 0) return;
    Folded& f = folded_[seen.filed.failure];
    const Verdict& v = seen.verdict();
    if (!f.first) f.first = v;
    ++f.devices[seen.filed.record.device];
    if (f.lines.size() < kMostLines) {
      f.lines.push_back(
          {v.line, std::string(name_of(v.kind())), seen.filed.source, seen.filed.number});
    }
  }

  Result<json> finish(Store& store, const ReportContext& context) override {
    // What was taken over is shown too, as the summary counts it.
    auto all = shown_failures(store, context.run.id);
    if (!all) return std::unexpected(all.error());
    if (all->size() > kFailuresShown) all->resize(kFailuresShown);
    auto history = History::read(store, context.run.id);
    if (!history) return std::unexpected(history.error());
    const size_t lines =
        std::clamp(kLinesInAll / std::max<size_t>(1, all->size()), kLeastLines, kMostLines);
    json out = json::array();
    for (ShownFailure& shown : *all) {
      StoredFailure& f = shown.failure;
      f.cases = shown.cases;
      auto one = failure_json(f, lines, store, context);
      if (!one) return std::unexpected(one.error());
      (*one)["history"] = history->of(f);
      out.push_back(std::move(*one));
    }
    return out;
  }

 private:
  Result<json> failure_json(const StoredFailure& f, size_t most_lines, Store& store,
                            const ReportContext& context) const {
    const Folded none;
    const auto known = folded_.find(f.id);
    const Folded& seen = known == folded_.end() ? none : known->second;
    json devices = json::array(), lines = json::array();
    for (const auto& [device, cases] : seen.devices)
      devices.push_back({{"device", device}, {"cases", cases}});
    for (const FoldedLine& l : seen.lines) {
      if (lines.size() == most_lines) break;
      lines.push_back(
          {{"line", l.line}, {"kind", l.kind}, {"source", l.source}, {"number", l.number}});
    }
    const auto analysis = analysis_json(f, store, context);
    if (!analysis) return std::unexpected(analysis.error());
    const std::string shortest = f.smallest_line.empty() ? f.first_line : f.smallest_line;
    json out = {{"id", f.id},
                {"kernel", f.kernel},
                {"kind", f.kind},
                {"pattern", f.pattern},
                {"cases", f.cases},
                {"devices", std::move(devices)},
                {"first_line", f.first_line},
                {"shrunk", !f.smallest_line.empty()},
                {"rerun", command_of(shortest)},
                {"text", seen.first ? to_string(*seen.first) : ""},
                {"verdict", seen.first ? verdict_to_json(*seen.first) : json()},
                {"lines", std::move(lines)},
                {"hypothesis_name", f.hypothesis},
                {"build", f.build_id}};
    out.update(*analysis);
    return out;
  }

  // explanation, depiction, green, and why one of them is missing.
  static Result<json> analysis_json(const StoredFailure& f, Store& store,
                                    const ReportContext& context) {
    json out = {{"explanation", nullptr}, {"depiction", nullptr}, {"green", false}, {"why", ""}};
    const auto kept = stored_analysis(store, f);
    if (!kept) return std::unexpected(kept.error());
    if (kept->is_object()) {
      out["depicted_at"] = "";
      for (auto& [key, value] : out.items()) {
        if (kept->contains(key)) value = kept->at(key);
      }
      return out;
    }
    out["depicted_at"] = "";
    out["why"] = why_not_analysed(f, context);
    return out;
  }

  static std::string why_not_analysed(const StoredFailure& f, const ReportContext& context) {
    if (f.build_id != context.build_id) {
      return fmt::format(
          "it was found by another build ({}) than the one that wrote this report ({}): "
          "only that build may look into it",
          f.build_id, context.build_id);
    }
    const auto facts = context.facts.find("analysis");
    if (facts == context.facts.end() || facts->value("why", "").empty())
      return "no one has looked into it yet";
    return facts->value("why", "");
  }

  std::map<int64_t, Folded> folded_;
};

}  // namespace

std::unique_ptr<Section> failures_section() { return std::make_unique<Failures>(); }

}  // namespace w4
