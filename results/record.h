// A verdict with what is needed to file it: the currency of the store, JUnit and the report.
#pragma once

#include <string>

#include "core/verdict.h"

namespace w4 {

struct Record {
  std::string suite;   // "smoke", or the file the line came from
  std::string kernel;  // as in the case line: "decode"
  std::string device;  // as in the case line: "gfx1151"
  Verdict verdict;
  bool resumed = false;  // taken over from an earlier run of the same build
};

}  // namespace w4
