// Whether a pass of a legal case could prove anything (oracles.md 8): a generator makes no case
// whose pass would be Mistrusted.
#pragma once

#include "core/case.h"

namespace w4 {

// On fills that promise signal: what the reference says of the products, before anything runs. At
// most a third of them may be zero or not finite, or have a bound above an eighth of them: stricter
// than the verdict's half, because the output may lie anywhere in its interval.
bool shows_signal(const Case& c);

// Whether shows_signal has to be asked at all: fills and shapes that could not show it. Where there
// are more than a few outputs, they are zero or in doubt together only by
//   one bound for all: chains of matrix instructions on long sums of random terms, the offset trick
//   of bf16 on data that is mostly the offset (lane), with arithmetic that rounds every step
//   one factor for all: fused silu
//   one bias for all: the few different sums of `lane` at a small K, taken off again
bool may_lack_signal(const Case& c);

// Other seeds, then other fills, until the case shows something; the last, cancel, promises
// nothing.
void ensure_signal(Case& c);

}  // namespace w4
