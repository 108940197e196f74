#include "campaign/report/stop.h"

#include <array>
#include <string>

#include "campaign/stop_rule.h"
#include "verify/behaviour.h"

namespace w4 {

Result<nlohmann::json> stop_fact(Store& store, const StoredRun& run) {
  if (run.kind != RunKind::campaign) return nullptr;
  const std::array<std::string, 2> drawn{"random", "laws"};
  const auto counts = store.drawn_counts(run.id, drawn);
  if (!counts) return std::unexpected(counts.error());
  if (counts->cases == 0) return nullptr;
  const auto shown = store.stop_counts(run.id);
  if (!shown) return std::unexpected(shown.error());
  const StopRule rule =
      stop_rule({counts->cases, counts->singles, counts->recent, counts->recent_new});
  nlohmann::json kinds = nlohmann::json::array();
  for (const BehaviourCount& k : shown->kinds) {
    kinds.push_back({{"kind", name_of(static_cast<BehaviourKind>(k.kind))},
                     {"distinct", k.distinct},
                     {"once", k.once}});
  }
  return nlohmann::json{{"says", to_string(rule)},
                        {"probability", rule.probability},
                        {"low", rule.low},
                        {"high", rule.high},
                        {"cases", counts->cases},
                        {"singles", counts->singles},
                        {"last_new_at", shown->last_at},
                        {"last_new_cases", shown->last_cases},
                        {"judged", shown->cases},
                        {"behaviours", std::move(kinds)}};
}

}  // namespace w4
