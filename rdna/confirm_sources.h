// What the confirming run takes down of an instruction's sources before it runs.
#pragma once

#include <algorithm>

#include "rdna/confirm.h"
#include "rdna/exact_flow.h"

namespace w4::rdna {

struct Confirm::Sources {
  int n = 0;
  std::array<std::array<Bits, kLanes>, 4> lane{};  // per source and lane
  std::array<std::array<uint32_t, kLanes>, 4> origin{};
  std::array<uint32_t, kLanes> any_origin{};  // first undefined source of the lane
  uint32_t scalar_origin = 0;                 // first undefined source at all
  std::array<ExactRow, 2> old{};              // of the destination rows
  int words = 0;                              // of a VGPR destination
};

// The bits that the half masks of register `reg` say are defined.
inline uint32_t expand(const Wave& w, int reg, int lane) {
  return ((w.dlo[reg] >> lane & 1) * 0xffffu) | ((w.dhi[reg] >> lane & 1) * 0xffff0000u);
}

}  // namespace w4::rdna
