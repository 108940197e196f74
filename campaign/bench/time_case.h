// The time of one call on a GPU, by its own clock.
#pragma once

#include "campaign/bench/asked.h"
#include "campaign/bench/recorded_device.h"
#include "campaign/bench/rows.h"
#include "verify/context.h"

namespace w4::bench {

// The call is made as `w4check run` makes it: contract, prepare, place, accept, run, and judged
// against the reference. Only where that passes the launches of that run are launched again, for
// their time; then over copies of all operands in turn, so that none finds its weights in a cache.
// Afterwards every output must still hold, bit for bit, what was judged. On input: `device` is what
// `context` has as wanted.value.device.
Row time_case(const Wanted& wanted, Context& context, RecordedDevice& device, const Clock& clock);

// The device's own copy within its memory: what a figure in GB/s is held against. Of clock.copy
// bytes, or of less where there is no room, a sixteenth at least. On input: clock.copy > 0.
Result<DeviceCopy> time_copy(Device& device, const Clock& clock);

}  // namespace w4::bench
