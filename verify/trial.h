// One legal call on given data, carried through and judged: what a case of law=reference is, what
// each call of a law is, and what a diagnosis looks into.
#pragma once

#include <cstdint>
#include <vector>

#include "core/verdict.h"
#include "reference/experts.h"
#include "verify/call.h"
#include "verify/materialise.h"
#include "verify/module_numerics.h"
#include "verify/setup.h"

namespace w4 {

struct Trial {
  std::vector<Outcome> outcomes;  // at least one; the call's own verdict is their first by rank
  Run run;
  // Of a call that ran to its end; otherwise empty.
  std::vector<uint16_t> out;  // [M,N] bits
  Reference right;

  bool complete() const { return !out.empty(); }
};

// The declaration that the kernel of `setup` makes for its problem.
ModuleNumerics numerics_of(const Setup& setup);

// The data of the case of `setup` itself: arrays of the fill on `weights`.
Arrays arrays_of(const Setup& setup, std::shared_ptr<const Weights> weights);

// Prepares `source`, places `x`, asks, runs, judges. On input: setup.broken is empty, `call` is
// fresh, `x` and `source` say the same and have the problem's shapes.
Trial try_call(const Setup& setup, Call& call, const Arrays& x, const SourceTensors& source);

// Launches `call` once more, over an output that holds something, and judges that. On input:
// try_call(setup, call, x, …) was complete.
Trial try_again(const Setup& setup, Call& call, const Arrays& x);

}  // namespace w4
