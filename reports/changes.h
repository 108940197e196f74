// What changed since the previous run of the same kind and plan or command: failures that are new,
// still there, fixed, or not seen again (which is not fixed).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/compare.h"

namespace w4 {

struct Changes {
  nlohmann::json since;           // the member "since" of the summary
  std::vector<int64_t> new_ones;  // failures of this run that the previous one did not show
  int64_t previous = 0;           // its id; 0: there is none
};

// `now`: the failures that `run` shows. Errors are the store's.
Result<Changes> changes_of(Store& store, const StoredRun& run,
                           const std::vector<ShownFailure>& now);

}  // namespace w4
