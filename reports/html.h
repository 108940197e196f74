// A run as one self-contained page: no network, no other file; light, dark and on paper. Shows what
// the store holds and computes nothing new.
#pragma once

#include <span>
#include <string>

#include "results/store.h"

namespace w4 {

// The page opens with one sentence: everything verified, or what failed. Then counts, the kernel x
// device table, each failure with expected interval, got, place and rerun line, what was skipped
// and why, and what was run (build, arithmetic model, evidence). Text of the records is escaped.
std::string html_report(const StoredRun& run, std::span<const Record> records);

}  // namespace w4
