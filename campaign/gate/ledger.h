// The ledger of known reds (ci/known.cases): lines that are red and may stay so for a while. One
// entry a line, a # at its start makes it a comment:
//   CASE LINE | KIND OF VERDICT | REASON | expires=YYYY-MM-DD
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "core/verdict.h"

namespace w4::gate {

using Day = std::chrono::year_month_day;

struct Entry {
  int number = 0;  // of its line in the file
  Case value;      // without module= and prep=
  VerdictKind kind{};
  std::string reason;
  Day expires{};  // the last day on which it holds
};

// Errors name file, line and column, and say what is legal there. An empty ledger is one.
Result<std::vector<Entry>> parse_ledger(std::string_view text, std::string_view file);

// "2026-11-30"; nullopt: no day of the calendar, or written otherwise.
std::optional<Day> day_from(std::string_view text);
std::string to_string(const Day& day);
Day today();  // UTC

}  // namespace w4::gate
