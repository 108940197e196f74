// A case to its verdict and, where the call ran to its end, the bits it wrote.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"
#include "verify/context.h"

namespace w4::diff {

struct WithOutput {
  Verdict verdict;
  std::vector<uint16_t> out;  // [M,N]; empty where there is none
};

// The verdict is run_case's. On input: the case has no law.
WithOutput run_for_output(const Case& c, Context& context);

}  // namespace w4::diff
