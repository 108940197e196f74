// Runs a plan to its verdicts: in this process, or in worker processes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "campaign/plan.h"
#include "core/verdict.h"

namespace w4 {

struct ExecuteOptions {
  int jobs = 1;
  // Seconds per case; 0: none; nullopt: limit_of() has the default. Only a worker can be stopped.
  std::optional<double> timeout{};
  uint32_t threads = 1;  // that a large launch of one case may use
  bool trace = false;    // as in verify/run_case.h
  // Native code that hears of another device gets a new process: it may ask once and keep the
  // answer. Not needed for modules that are known to ask at every call.
  bool new_process_for_other_device = true;
  std::string executable{};  // of the workers: a w4check of another build; empty: this one
  bool behaviour = false;    // answers say what cases showed (campaign/shown.h)
  bool outputs = false;      // answers hold the output (campaign/vote/voice.h)
  // Seconds per case where limit_of() has none; 0: none then either.
  double otherwise = 0;
  // A worker that holds more after a case is replaced before the next; 0: however much.
  int64_t most_bytes = 0;
};

struct Watcher {
  // A case has its verdict. False: stop here.
  std::function<bool(const PlannedCase&, Verdict)> done;
  // Called at least every 0.2 s while workers run, and between cases.
  std::function<void()> tick;
  // Asked often: true ends the run; cases that are running have no verdict then.
  std::function<bool()> stop;
};

// The default limit of a case that runs native code of a module or runs on a GPU, in seconds: 60
// or 180, and 1 more for every 20 million multiply-adds, a tenth of what the emulator does on one
// core. For --help.
inline constexpr const char* kDefaultLimit =
    "60 s and 1 s more for every 20 million multiply-adds where a line runs native code of a "
    "module, from 180 s where it runs on hip or cuda, otherwise none; 0: none at all";
// Seconds; 0: none.
double limit_of(const PlannedCase& p, const ExecuteOptions& options);

// What a case tells native code of a module about the device and remains the same as long as code
// may keep it: a line. Empty where no native code runs.
std::string told_to_native_code(const Case& c);

// Native code (module=, device=host), more than one job, or a timeout: workers.
bool needs_workers(std::span<const PlannedCase> plan, const ExecuteOptions& options);

// Errors are the harness's own: workers cannot be started or die before they answer.
Result<void> execute(std::span<const PlannedCase> plan, const ExecuteOptions& options,
                     const Watcher& watcher);

// The same in workers, whatever needs_workers says. A case during which its worker dies is a Crash
// with signal and the end of stderr; one over its time is a Timeout and its worker is killed.
Result<void> execute_in_workers(std::span<const PlannedCase> plan, const ExecuteOptions& options,
                                const Watcher& watcher);

}  // namespace w4
