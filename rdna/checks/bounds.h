// Check `bounds` for global memory: every active lane inside one buffer, not in a gap between
// strided rows, not writing what is read-only. Also the only way from an address to host bytes, so
// that with the check off a stray access is dropped instead of touching the host.
#pragma once

#include "rdna/report.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

// Where the active lanes of one access lie.
struct Place {
  Buffer* buffer = nullptr;  // nullptr: not all lanes in one buffer
  uint64_t offset[kLanes];   // from buffer->base
  uint32_t lanes = 0;        // lanes that may go on
};

// `a`: one address per lane, inactive ones copies of an active one; `n` bytes each.
inline bool in_one_buffer(const Memory::Impl& memory, const uint64_t* a, uint64_t n, Place& out) {
  Buffer* b = memory.find(a[0], n);
  if (!b) return false;
  const uint64_t base = b->base, last = b->bytes - n;
  uint64_t outside = 0;  // sign bit: some offset lies above `last`
  for (int l = 0; l < kLanes; ++l) {
    const uint64_t d = a[l] - base;
    out.offset[l] = d;
    outside |= d | (last - d);
  }
  out.buffer = b;
  return outside >> 63 == 0;
}

// The slow way, lane by lane: reports what is wrong and gives the lanes that are right, grouped by
// buffer. Returns false when the access is over (a finding stopped the wave).
bool check_lanes(Wave& w, const Op& op, const uint64_t* a, uint64_t n, bool write, uint32_t lanes);

}  // namespace w4::rdna
