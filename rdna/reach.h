// The code of a kernel without running it: every instruction that control can reach from given
// places, device functions included.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rdna/control.h"
#include "rdna/program.h"

namespace w4::rdna {

struct Reached {
  Control control{};
  uint64_t target = 0;       // of direct branches and calls
  const Op* op = nullptr;    // lives as long as the program
  const Row* row = nullptr;  // nullptr: no row has it
};

// By linked address. `from`: linked addresses at which control can begin.
std::map<uint64_t, Reached> reach(Program& program, std::vector<uint64_t> from);

}  // namespace w4::rdna
