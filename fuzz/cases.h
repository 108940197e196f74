// What targets of cases do with one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "core/verdict.h"
#include "fuzz/target.h"
#include "verify/cases/case_bytes.h"

namespace w4::fuzz {

// Of all cases of the process. Fails where the module does not open or has none of the rows that
// generators know, or where a device is not an emulated arch; the error says what is legal.
Result<void> use(const std::string& module, const std::vector<std::string>& devices);

// The row that head byte 2 chooses among those of `rows` that the module has; the first of `rows`
// where it has none.
std::string_view chosen_row(Bytes input, std::span<const std::string_view> rows);

// Small legal cases of a row on the devices in use, a few of them large, none with a law. Where
// the module in use has no such row the process says so and exits with kUsage.
CaseInput small_cases(std::string_view row);

// The verdict; what the case showed goes into the engine's counters.
Verdict judged(Case c);

// Prints the verdict with the line that runs the case again, and aborts.
[[noreturn]] void fail_with(const Verdict& v);

// Anything but a pass is a failure; of a case with a law, also that it has no such law, or shows
// little by it.
void must_pass(Case c);

// How a law was judged, by which the engine keeps inputs: "moe experts_dense bit for bit"; empty
// where none was.
std::string law_class(const Case& c, const Verdict& v);

// Anything but a refusal by one of these clauses with the output untouched is a failure, but for
// cases that do not fit in memory.
void must_be_refused(Case c, std::span<const std::string> broken);

// From now on verdicts have a hash of all output bytes (Provenance::outputs).
void witness_outputs();

// The last that was judged; nullopt where it was refused or skipped.
const std::optional<Case>& last_case();

// Cases that ran in this process, and its seconds of processor time.
struct Spent {
  int64_t cases = 0;
  double seconds = 0;
};
Spent spent();

}  // namespace w4::fuzz
