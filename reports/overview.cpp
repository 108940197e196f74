#include "reports/overview.h"

#include <fmt/format.h>

#include "reports/summary.h"

namespace w4 {
namespace {

using nlohmann::json;

struct Spoken {
  std::string_view state;
  std::string sentence, advice;
};

// Nothing checked or not finished is not "verified".
Spoken speak(const StoredRun& run, const Tally& all) {
  if (all.red > 0) {
    return {"failed", fmt::format("Not safe to ship: {} of {} cases failed", all.red, all.total()),
            "Start with the first failure below: its line reruns it."};
  }
  if (run.state != RunState::complete || all.total() < run.planned) {
    return {"unfinished",
            fmt::format("Not finished: {} of {} cases have a verdict, none of them failed",
                        all.total(), run.planned),
            "Run the same command again: it takes over what is done."};
  }
  if (all.green == 0) {
    return {"nothing", "Nothing was verified", "See why cases were skipped, below."};
  }
  if (all.skipped > 0) {
    return {
        "partly",
        fmt::format("All {} cases that ran are right, but {} were skipped", all.green, all.skipped),
        "See why they were skipped, below."};
  }
  return {"good", fmt::format("Safe to ship as far as these cases go: all {} are right", all.green),
          "What they covered is on the page Coverage."};
}

json tally_json(const Tally& t) {
  json kinds = json::object();
  for (size_t i = 0; i < t.by_kind.size(); ++i) {
    if (t.by_kind.at(i) > 0) kinds[name_of(static_cast<VerdictKind>(i))] = t.by_kind.at(i);
  }
  return {{"cases", t.total()},   {"green", t.green}, {"red", t.red},
          {"skipped", t.skipped}, {"kinds", kinds},   {"headroom", t.headroom}};
}

class Overview : public Section {
 public:
  std::string_view name() const override { return "summary"; }
  void add(const Seen& seen) override { count(summary_, seen.filed.record); }

  Result<json> finish(Store&, const ReportContext& context) override {
    const Spoken spoken = speak(context.run, summary_.all);
    json table = json::array(), skipped = json::array();
    for (const auto& [key, tally] : summary_.table) {
      json row = tally_json(tally);
      row["kernel"] = key.first;
      row["device"] = key.second;
      table.push_back(std::move(row));
    }
    for (const auto& [reason, n] : summary_.skipped) {
      skipped.push_back({{"reason", reason}, {"cases", n}});
    }
    return json{{"state", spoken.state},   {"sentence", spoken.sentence},
                {"advice", spoken.advice}, {"all", tally_json(summary_.all)},
                {"table", table},          {"skipped", skipped}};
  }

 private:
  Summary summary_;
};

}  // namespace

std::unique_ptr<Section> overview_section() { return std::make_unique<Overview>(); }

}  // namespace w4
