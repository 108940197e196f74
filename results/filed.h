// The verdicts of a run one after the other: memory does not grow with the run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "results/store.h"

namespace w4 {

struct Filed {
  Record record;
  std::string source;      // of a campaign: "random"; empty: of a run
  int64_t number = 0;      // within run and source
  int64_t failure = 0;     // id of StoredFailure, of the run that reached the verdict; 0: not red
  bool json_kept = false;  // false: made of columns (docs/store.md): worst element, drift are lost
};

// What was taken over, then the run's own, each in the order in which it was filed. `take` is
// called for each and may end the reading with an error, which is the result then.
Result<void> each_filed(Store& store, int64_t run,
                        const std::function<Result<void>(Filed&&)>& take);

}  // namespace w4
