// Keys of a case line that say nothing in it: what they are about is not there. A line with one is
// a case like any other (shrunk and stored lines have them), but whoever typed it is told.
#pragma once

#include <string>
#include <vector>

#include "core/case.h"

namespace w4 {

// One sentence each, as "ldl=8 says nothing without lead"; by the defaults of the case line, so
// that a key with its default value is never one. Of kernels in modules the carrier's keys are left
// out.
std::vector<std::string> idle_keys(const Case& c);

}  // namespace w4
