// Every declaration there is: those of the kernel table's rows, and those a manifest can choose.
#pragma once

#include <string>
#include <vector>

#include "core/dtypes.h"
#include "kernels/module.h"
#include "verify/module_numerics.h"

namespace w4::test {

struct Declaration {
  std::string name;  // "chunked_m1"
  const w4_numerics* numerics;
  int64_t m;            // rows of act; of a block with experts
  std::vector<int> as;  // A that may run: 0 is the declared one
  bool bias = true;     // the kernel takes one
  int64_t k = 2048;     // at which every breach must show
};
const std::vector<Declaration>& all_declarations();

ModuleNumerics numerics_of(const Declaration& d, DType act, int64_t k);

}  // namespace w4::test
