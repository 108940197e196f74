// Probes of a device into a capture.
#pragma once

#include <functional>

#include "campaign/capture/bench.h"
#include "campaign/capture/document.h"

namespace w4::capture {

// All probes of the device's family and their order, added to `c`. `step` is told before each how
// many are done, of how many; false ends it there. `emulator`: of the same arch. Returns how many
// words were recorded.
uint64_t record_probes(Bench& device, Bench& emulator, Capture& c,
                       const std::function<bool(size_t done, size_t of)>& step);

}  // namespace w4::capture
