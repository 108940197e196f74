// A small HIP program run to its end.
#pragma once

#include <string>

namespace w4::hip {

struct Ended {
  int code = -1;     // 128 + signal where a signal ended it
  std::string text;  // both streams, in the order of writing
};

// `environment`: assignments in front of the command, "W4HIP='device=gfx1100'". `program`: of
// tests/intake/hip/programs.
Ended run_program(const std::string& environment, const std::string& program);

}  // namespace w4::hip
