// The failures of an attached input; part of merge.cpp.
#pragma once

#include "core/result.h"

namespace w4 {

class Database;

// Needs build_map, source_map and run_map; fills failure_map. Failures of one run that share a key
// are one: of the copies the most advanced speaks.
Result<void> merge_failures(Database& db);

}  // namespace w4
