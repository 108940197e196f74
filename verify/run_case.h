// One case to its verdict: contract, fill, prepare, launch, findings, compare, trust.
#pragma once

#include "core/case.h"
#include "core/verdict.h"
#include "verify/context.h"

namespace w4 {

// Any case that parses. Green means (core/verdict.h):
//   Pass      the case breaks no declared clause, the kernel ran without a confirmed finding, every
//             output element lies in its interval, and the pass proves something (oracles.md 8)
//   Refused   the clause named is one that the case breaks, and no output byte was touched
// A finding counts once a second, bit-exact run of the case confirms it.
// `trace`: findings, Unsupported and step limits of the emulator say what the wave ran last and
// what its registers hold; slower.
Verdict run_case(const Case& c, Context& context, bool trace = false);

}  // namespace w4
