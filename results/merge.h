// Several stores into one. A run is the same run in all stores by its uid, a verdict by run, source
// and number: however often and in whatever order and grouping stores are merged, the result holds
// the same. docs/store.md says what becomes of each table.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/result.h"

namespace w4 {

struct Merged {
  int64_t runs = 0;          // in the output now
  int64_t verdicts = 0;      // in the output now
  int64_t new_verdicts = 0;  // of them, that it did not hold before
};

// Merges `inputs` into `output`, which is made where there is none (all or nothing, through
// output.part) and otherwise keeps what it holds (one transaction an input). Inputs stay as they
// are. Errors name the store: missing, not a store, of another schema version, damaged, or an input
// that is the output; no input is read before all of them have been looked at.
Result<Merged> merge_stores(std::span<const std::string> inputs, const std::string& output);

}  // namespace w4
