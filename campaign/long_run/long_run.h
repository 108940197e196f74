// A campaign under way: sources of cases on one side, workers on the other, every case announced
// before it runs and stored as soon as it has its verdict.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "campaign/long_run/announced.h"
#include "campaign/long_run/plan.h"
#include "campaign/long_run/sources.h"
#include "core/result.h"
#include "results/store.h"

namespace w4 {

struct LongRunOptions {
  std::string db;
  int jobs = 1;
  double timeout = 600;  // seconds of a case; 0: none
  bool shrink = true;    // and explain, in the background
  // Seconds past the end for what is left to shrink and explain; nullopt: default_settle().
  std::optional<double> settle{};
  std::FILE* people = stdout;
};

// 60 with an end by time (--for), else 600.
double default_settle(const CampaignPlan& plan);

// Files beside the store.
std::string log_of(const std::string& db);     // <db>.announced
std::string lock_of(const std::string& db);    // <db>.lock
std::string corpus_of(const std::string& db);  // <db>.corpus

// A worker that holds more than this after a case is replaced. Decoded code of an arch and what
// its largest cases need.
int64_t most_bytes_of_worker(size_t devices);

struct LongRunStart {
  Store store;
  int64_t run = 0;
  Announced log;
  Sources sources;
  double spent = 0;  // seconds, by earlier parts
};

// Until the plan's end, an interrupt or a failure of the harness: the state in which the run was
// left, or why it cannot go on. What was stored until then is.
Result<RunState> long_run(const CampaignPlan& plan, const LongRunOptions& options,
                          LongRunStart& start);

}  // namespace w4
