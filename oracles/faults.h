// Numeric faults that kernels of this kind have had or could have. One that comes to the right
// product of wrong numbers is a change of the data, which the kernel's own machine code then
// computes with; one inside the arithmetic is a breach of the declaration (simulation.h).
#pragma once

#include <span>
#include <string_view>

#include "oracles/simulation.h"
#include "reference/arrays.h"

namespace w4 {

struct Fault {
  std::string_view name, says;
  Breach breach = Breach::none;
  // Makes x the data that the faulty kernel in effect computes with. False: the data has nothing
  // that the fault could change, and x is as it was or not to be used. Null: a breach.
  bool (*change)(Arrays& x) = nullptr;
};

std::span<const Fault> faults();

}  // namespace w4
