// Check `writers`: who wrote each 2-byte element of an output in this launch. Two owners of one
// element are a finding; atomics share elements legally.
#pragma once

#include "rdna/report.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

// Lanes of `lanes` write n bytes at `offset[lane]` of b, which has writers.
void note_writers(Wave& w, const Op& op, Buffer& b, const uint64_t* offset, uint64_t n,
                  uint32_t lanes, bool atomic);

}  // namespace w4::rdna
