// Check `align`. HSA runs kernels in the unaligned access mode: loads and stores of global memory
// and LDS may lie on any byte (RDNA3 ISA, "Alignment"); atomics must be naturally aligned.
#pragma once

#include "rdna/report.h"
#include "rdna/workgroup.h"

namespace w4::rdna {

// False: a finding.
inline bool atomics_aligned(Wave& w, const Op& op, const uint64_t* a, uint64_t n, uint32_t lanes) {
  if (!w.group->checks_on(kAlign)) return true;
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    if (a[l] % n == 0) continue;
    found(w, op, FindingKind::misaligned, 1u << l,
          fmt::format("atomic of {} bytes at {:#x}, which is not a multiple of {}", n, a[l], n));
    return false;
  }
  return true;
}

}  // namespace w4::rdna
