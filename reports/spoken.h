// The sentence and the advice at the top of a report: what its reader is to think and do first.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/summary.h"
#include "results/store.h"

namespace w4 {

// The failure to look at first.
struct StartWith {
  int64_t failure = 0;
  std::string kernel, kind, hypothesis;  // hypothesis: empty where it is not explained
  int64_t cases = 0;
  std::string why;   // "new since run 3", "the most frequent of 4"
  std::string line;  // the smallest known that shows it
  std::string
      says;  // what explains it, one sentence as it stands after a colon; empty: no one knows
};

// What is known of a run when it is judged as a whole.
struct Standing {
  StoredRun run;
  std::string written;  // of the report, UTC
  Tally all;
  std::vector<std::string> red_kernels;  // by name
  int64_t failures = 0;
  int64_t flaky = 0;  // lines that one build judged differently
  int64_t lost = 0;   // announced by a campaign and never judged
  std::optional<StartWith> start;
  int64_t not_declared = 0;  // of the skipped: they ask for what the kernel does not declare
  std::string skipped_most;  // the most frequent reason: "no device (12 cases)"; empty: none
  std::string next_is_new;   // of the stop rule: "the next case shows …"; empty: not asked
};

// state: "failed", "flaky", "unfinished", "nothing", "partly" or "good". Only the last says safe:
// nothing checked, not finished, or judged differently by one build is not verified.
struct Spoken {
  std::string_view state;
  std::string sentence, advice;
};
Spoken speak(const Standing& s);

}  // namespace w4
