// The plan of a run: which lines, in which order, from suites and files, with the overrides of the
// command line applied. Equal lines are run once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/case.h"
#include "core/result.h"

namespace w4 {

struct PlanOptions {
  std::vector<std::string> suites, files;
  std::vector<std::string> lines;    // case lines themselves
  std::vector<std::string> devices;  // empty: what the lines say
  std::string fp, checks;            // empty: what the lines say
  std::optional<uint64_t> seed;      // nullopt: what the lines say, 1 in the suites
  std::string module{}, kernel{};    // drawn for the kernels of a module (kernel_cases.h)
  int64_t count = 200;
};

struct PlannedCase {
  std::string suite;  // or the name of the file
  Case value;
  std::string line;

  // Rough work in multiply-adds of one activation row, for the time that is left.
  double cost() const;
  // Whether both cases use the same weights: such neighbours stay on one worker, which has them.
  bool shares_weights(const PlannedCase& other) const;
};

// Errors: unknown suite, unreadable or wrong file, a value that a key does not take, no cases.
Result<std::vector<PlannedCase>> make_plan(const PlanOptions& options);

// Whether the key of the case line takes `value`; the error names `option`, the value and what is
// legal.
Result<void> check_key_value(std::string_view option, std::string_view key,
                             const std::string& value);

// What parses and still cannot be run by anybody: a kernel that is not built in, a module= that is
// no file.
Result<void> check_runnable(const Case& c);

// A case line that somebody typed after `command`, which errors start with: it parses and can be
// run.
Result<Case> read_typed_line(std::string_view command, const std::string& line);

// The text of a regular file or of standard input ("-"), 64 MiB at most.
Result<std::string> read_text(const std::string& path);

}  // namespace w4
