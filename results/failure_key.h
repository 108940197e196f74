// What makes two red verdicts one failure: kernel, verdict and pattern.
#pragma once

#include <string>

#include "results/record.h"

namespace w4 {

struct FailureKey {
  std::string kernel;   // "decode"
  std::string kind;     // of the verdict: "mismatch"
  std::string pattern;  // one line, numbers replaced: "rows #..# of #"
  bool operator==(const FailureKey&) const = default;
};

// Of findings their kinds and places, of a broken law its name, of a call wrongly accepted or
// refused the clause, of a crash signal and place; of a mismatch its pattern and of the rest what
// they say, both normalised.
FailureKey failure_key(const Record& record);

// Decimal, hexadecimal and floating numbers outside of words, in which failures of one cause
// differ, become #; a list of them (3, 7, 11) one #. At most 200 bytes and what the last escape
// needs.
std::string normalised(std::string_view pattern);

}  // namespace w4
