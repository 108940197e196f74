// A run held against an earlier one of the same store: which failures each shows, and what became
// of the lines that showed one. Counting is done in the database: memory does not grow with rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/store.h"

namespace w4 {

// The newest that began before `run`, of the same kind and plan (of a campaign) or command (of a
// run), and judged something. Plans and commands are compared as text: shards are different plans.
Result<std::optional<StoredRun>> previous_run(Store& store, const StoredRun& run);

// A failure as one run shows it: by verdicts of its own, or that it took over.
struct ShownFailure {
  StoredFailure failure;
  int64_t cases = 0;              // of this run
  int64_t taken_over = 0;         // of them, reached by an earlier run
  std::vector<std::string> keys;  // failures of two runs that share one are the same
};
Result<std::vector<ShownFailure>> shown_failures(Store& store, int64_t run);  // most frequent first

// Of the distinct lines with which run `shown_by` shows a failure, how `judged_by` judged them.
struct LinesJudged {
  int64_t lines = 0;
  int64_t green = 0;  // green whenever judged
  int64_t red = 0;    // red at least once; the others were skipped or not there
  int64_t flaky = 0;  // judged differently by one build, of whatever run: to be green says little
};
Result<LinesJudged> lines_judged(Store& store, int64_t failure, int64_t shown_by,
                                 int64_t judged_by);

// What a run judged, by kernel; what it took over counts.
struct KernelCounts {
  std::string kernel;
  int64_t green = 0, red = 0, skipped = 0;
  double seconds = 0;
  int64_t judged() const { return green + red; }
};
Result<std::vector<KernelCounts>> kernel_counts(Store& store, int64_t run);

// Lines that one build judged differently and that `run` holds a verdict of: all of them counted,
// the first `limit` by line.
struct FlakyOfRun {
  int64_t total = 0;
  std::vector<FlakyLine> lines;
};
Result<FlakyOfRun> flaky_of(Store& store, int64_t run, int64_t limit);

}  // namespace w4
