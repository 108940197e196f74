// How a campaign stands, read from its store (and the log beside it) while it runs or later.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "campaign/long_run/plan.h"
#include "campaign/stop_rule.h"
#include "reports/summary.h"
#include "results/store.h"

namespace w4 {

struct CampaignStatus {
  StoredRun run;
  CampaignPlan plan;
  bool running = false;  // by a process that lives
  double seconds = 0;    // altogether, without pauses
  Tally tally;
  std::vector<TallyRow> table;
  std::vector<Position> positions;
  std::vector<StoredFailure> failures;  // the most frequent
  std::vector<FlakyLine> flaky;
  std::vector<LostCase> lost;
  StopCounts shown;
  StopRule rule;
  double quiet = -1;  // seconds since the last case that showed something new; -1: none did
};

// Of the newest campaign. The error names the store, and says so where it holds none.
Result<CampaignStatus> campaign_status(Store& store, const std::string& db);

std::string to_string(const CampaignStatus& s);
nlohmann::json to_json(const CampaignStatus& s);

}  // namespace w4
