// What a kernel's machine code makes of data that need not be the fill's: the case gives kernel,
// sizes, tile and device, the arrays give the numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/case.h"
#include "core/result.h"
#include "reference/arrays.h"
#include "verify/context.h"
#include "verify/module_numerics.h"
#include "verify/setup.h"

namespace w4 {

// The data of a legal case, and what its kernel declares about it.
struct CleanCase {
  Setup setup;
  ModuleNumerics numerics;
  Arrays x;
};
Result<CleanCase> clean_case(const Case& c, Context& context);

struct MachineOutput {
  std::vector<uint16_t> out;  // [M,N] bits
  int chunk = 0;              // A of the tile that ran; 0: it names none
};
// Runs the case's kernel on x. Its group size may differ from the case's, the other sizes may not.
// Errors: the call is refused or does not complete, or there is a finding.
Result<MachineOutput> run_machine(Case c, const Arrays& x, Context& context);

}  // namespace w4
