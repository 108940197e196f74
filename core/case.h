// A case: everything that determines a verdict, printed as the line that reruns it.
//   decode m=5 n=4096 k=8192 g=64 zp=packed bias=n device=gfx1151 fill=normal seed=7 sched=rev
// key=value in any order, defaults omitted when printed, parse(print(c)) == c. Illegal problems
// parse; unknown keys, duplicates and text that is not a value of the key's type do not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checks.h"
#include "core/fill.h"
#include "core/law.h"
#include "core/mutation.h"
#include "core/only.h"
#include "core/placement.h"
#include "core/problem.h"
#include "core/result.h"
#include "core/schedule.h"

namespace w4 {

struct Case {
  std::string kernel;  // name in the kernel table: "decode"
  Problem problem{};
  std::string device = "gfx1151";    // an emulated arch, host, hip or cuda
  Placement place = Placement::end;  // of buffers, on hip and cuda
  Checks checks{};
  Fill fill = Fill::flat;
  uint64_t seed = 1;
  Only only{};  // what of the data is not zero
  Schedule sched{};
  std::string fp = "auto";  // auto | ieee | gfx1151 | gfx1201; auto: measured on the family
  Law law = Law::reference;
  std::string module{};  // empty: built in; otherwise a path
  std::string prep{};    // module that prepares the weights, a path; empty: `module`, as all else

  Mutation mutate{};  // one instruction that runs otherwise; emulated devices only

  bool operator==(const Case&) const = default;
};

std::string to_string(const Case& c);

// [a-z][a-z0-9_]*: what a case line can start with.
bool legal_kernel_name(std::string_view name);

// Errors carry the column (1-based) of the offending word and say what is legal there.
Result<Case> parse_case(std::string_view line);

// A file of case lines: '#' starts a comment, blank lines are skipped, an error names line and
// column. Refuses a file with no case in it and lines with NUL bytes or longer than 4096
// characters.
Result<std::vector<Case>> parse_cases(std::string_view text, std::string_view file_name);

// Keys in print order with type, legal values, default and meaning: for --help and the README.
struct KeyHelp {
  std::string_view key, legal, fallback, meaning;
};
std::span<const KeyHelp> case_keys();

}  // namespace w4
