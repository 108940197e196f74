// What a case resolves to before anything runs: device, kernel, reported properties, broken
// clauses.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.h"
#include "core/verdict.h"
#include "reference/numerics.h"
#include "verify/context.h"

namespace w4 {

struct Setup {
  Case line;
  Device* device = nullptr;
  const w4_kernel* kernel = nullptr;
  const w4_kernel* preparer = nullptr;  // whose prepare() makes the weights: `prep=`, or `kernel`
  Reported reported;
  std::string fp;  // resolved
  Arithmetic arithmetic = Arithmetic::ieee;
  uint32_t threads = 1;              // of a launch
  rdna::Figures* figures = nullptr;  // as Context's
  Witness* witness = nullptr;        // as Context's; nullptr: nobody asks
  bool own_data = false;             // not the fill's but a law's: they promise no signal
  std::vector<std::string> broken;   // declared clauses that the case breaks, in declared order

  bool breaks(std::string_view clause) const;
  // Only clauses about the checkpoint (of_source): a call cannot show them.
  bool only_source_broken() const;
  std::string message_of(std::string_view clause) const;
};

// Errors are the verdict: HarnessError (no such module, kernel, clause) or Skipped.
std::expected<Setup, Outcome> make_setup(const Case& c, Context& context);

}  // namespace w4
