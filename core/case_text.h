// What the printer and the parser of case lines share: every field of a Case in print order.
#pragma once

#include "core/case.h"

namespace w4 {

// Calls f(key, member) for the fields of the problem, then those of the case. `C` is Case or const
// Case. The kernel's name is not a key.
template <class C, class F>
void for_each_case_field(C& c, F&& f) {
  for_each_field(c.problem, f);
  f("device", c.device);
  f("place", c.place);
  f("checks", c.checks);
  f("fill", c.fill);
  f("seed", c.seed);
  f("only", c.only);
  f("sched", c.sched);
  f("fp", c.fp);
  f("law", c.law);
  f("module", c.module);
  f("prep", c.prep);
  f("mutate", c.mutate);
}

}  // namespace w4
