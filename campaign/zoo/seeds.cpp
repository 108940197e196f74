#include "campaign/zoo/seeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/zoo/results.h"

namespace w4::zoo {

bool only_audited(const Expect& e) { return e.audit && e.verdicts.empty(); }

SeedScore score_of(const std::vector<SeedRow>& rows, uint64_t first_seed) {
  SeedScore out;
  const size_t seeds = rows.empty() ? 0 : rows.front().runs.size();
  std::vector<int> killed(seeds, 0);
  int hunted = 0, audit_only = 0;
  std::vector<double> all_cases, all_seconds;
  std::string table = fmt::format("{:<40} {:>8} {:>12} {:>12} {:>10} {:>10}\n", "mutant", "killed",
                                  "median cases", "most cases", "median s", "most s");
  nlohmann::json mutants = nlohmann::json::array();
  out.every_mutant_once = true;
  for (const SeedRow& row : rows) {
    if (row.audit_only) {
      ++audit_only;
      continue;
    }
    ++hunted;
    std::vector<double> cases, seconds;
    nlohmann::json runs = nlohmann::json::array();
    for (size_t s = 0; s < row.runs.size(); ++s) {
      const Killed* k = row.stale.empty() ? row.runs[s].first() : nullptr;
      runs.push_back({{"seed", first_seed + s},
                      {"killed", k != nullptr},
                      {"cases", k != nullptr ? k->cases : row.runs[s].cases},
                      {"seconds", k != nullptr ? k->seconds : row.runs[s].seconds},
                      {"line", k != nullptr ? k->line : ""}});
      if (k == nullptr) continue;
      ++killed[s];
      cases.push_back(static_cast<double>(k->cases));
      seconds.push_back(k->seconds);
    }
    mutants.push_back({{"mutant", row.name}, {"stale", row.stale}, {"runs", std::move(runs)}});
    all_cases.insert(all_cases.end(), cases.begin(), cases.end());
    all_seconds.insert(all_seconds.end(), seconds.begin(), seconds.end());
    out.every_mutant_once = out.every_mutant_once && !cases.empty();
    const auto most = [](const std::vector<double>& v) {
      return v.empty() ? 0 : *std::ranges::max_element(v);
    };
    table += fmt::format("{:<40} {:>8} {:>12} {:>12} {:>10.2f} {:>10.2f}{}\n", row.name,
                         fmt::format("{}/{}", cases.size(), seeds), median(cases), most(cases),
                         median(seconds), most(seconds), row.stale.empty() ? "" : "  stale");
  }
  out.every_mutant_once = out.every_mutant_once && seeds > 0;
  if (seeds == 0) {
    out.text = "no seed met every mutant: there is no score\n";
    return out;
  }
  out.text = table;
  int worst = hunted;
  for (size_t s = 0; s < seeds; ++s) {
    worst = std::min(worst, killed[s]);
    out.text += fmt::format("seed {}: {} of {} killed, {:.1f} %\n", first_seed + s, killed[s],
                            hunted, hunted == 0 ? 0.0 : 100.0 * killed[s] / hunted);
  }
  const auto most = [](const std::vector<double>& v) {
    return v.empty() ? 0 : *std::ranges::max_element(v);
  };
  out.text += fmt::format(
      "worst seed: {} of {}, {:.1f} %; to the kill: median {} cases and {:.2f} s, at most {} cases "
      "and {:.2f} s; {} more mutants only an audit shows\n",
      worst, hunted, hunted == 0 ? 0.0 : 100.0 * worst / hunted, median(all_cases),
      median(all_seconds), most(all_cases), most(all_seconds), audit_only);
  out.json = {{"first_seed", first_seed}, {"seeds", seeds},   {"hunted", hunted},
              {"audit_only", audit_only}, {"killed", killed}, {"mutants", std::move(mutants)}};
  return out;
}

}  // namespace w4::zoo
