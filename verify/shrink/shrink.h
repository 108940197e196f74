// A failing case to a smaller one that fails alike. Shape first (sizes, pads, offsets, types and
// every other field of Problem), then data (a simpler fill, fewer elements that are not zero, by
// `only`), then the schedule, then device, arithmetic and checks; over again until no step makes
// the case simpler. A greedy search: what comes out is minimal with respect to single steps.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/case.h"
#include "core/verdict.h"
#include "verify/shrink/failure.h"

namespace w4 {

// A case to its verdict; run_case, or a worker where native code may take its process down.
using RunCase = std::function<Verdict(const Case&)>;

struct ShrinkLimits {
  int64_t cases = 2000;  // runs, the first one included
  double seconds = 120;  // no run is started after that; 0: none
};

struct ShrinkState {
  const Case& smallest;
  int64_t cases = 0;  // run so far
  double seconds = 0;
};
// Asked before each run; false ends the search.
using ShrinkWatcher = std::function<bool(const ShrinkState&)>;

struct Shrunk {
  enum class End : uint8_t {
    minimal,       // no step is left that makes it simpler
    green,         // nothing to shrink: the case passes, is refused as it should be, or is skipped
    out_of_cases,  // a limit ended the search
    out_of_time,
    stopped,  // the watcher did
  } end = End::minimal;
  Case smallest;
  Verdict verdict;  // of `smallest`: the same Failure as the first run's
  int64_t cases = 0;
  double seconds = 0;
};
std::string_view name_of(Shrunk::End e);

// The same for the same case, `run` and limit of cases, unless time or the watcher ends it.
Shrunk shrink(const Case& c, const RunCase& run, const ShrinkLimits& limits = {},
              const ShrinkWatcher& watcher = {});

}  // namespace w4
