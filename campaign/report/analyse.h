// `w4check report --analyse SECONDS`: what a run's failures still lack is found out before the
// report is written, the most frequent first, several at a time in worker processes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"
#include "results/store.h"

namespace w4 {

inline constexpr double kAnalyseSeconds = 60;

// The failures of a run that this build may analyse and that have no depiction yet.
Result<int64_t> waiting_failures(Store& store, int64_t run);

// Within `seconds`, or until Ctrl-C, with progress on stderr. For the report, as facts.analysis:
//   {"seconds", "analysed", "left", "why"}   why: there are some left; empty: none
// The error is the store's, or that no process starts.
Result<nlohmann::json> analyse_failures(Store& store, int64_t run, double seconds);

// The same of a report that analyses nothing.
nlohmann::json not_analysed(int64_t left, const std::string& why);

}  // namespace w4
