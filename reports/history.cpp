#include "reports/history.h"

#include <ranges>

namespace w4 {

Result<History> History::read(Store& store, int64_t run) {
  constexpr int64_t kMostFailures = 1000;
  History out;
  const auto runs = store.runs();
  if (!runs) return std::unexpected(runs.error());
  size_t read = 0;
  for (const StoredRun& r : std::views::reverse(*runs)) {
    if (r.id == run) continue;
    if (++read > kRuns) break;
    const auto failures = store.failures(r.id, kMostFailures);
    if (!failures) return std::unexpected(failures.error());
    // Failures of one pattern that hypotheses tell apart count together.
    std::map<std::string, int64_t> cases;
    for (const StoredFailure& f : *failures) cases[key(f)] += f.cases;
    for (const auto& [k, n] : cases) {
      auto& list = out.by_key_.try_emplace(k, nlohmann::json::array()).first->second;
      list.push_back({{"run", r.id}, {"started", r.started}, {"build", r.build_id}, {"cases", n}});
    }
  }
  return out;
}

nlohmann::json History::of(const StoredFailure& f) const {
  const auto known = by_key_.find(key(f));
  return known == by_key_.end() ? nlohmann::json::array() : known->second;
}

}  // namespace w4
