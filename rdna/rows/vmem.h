// The parts that global, flat, scratch and LDS instructions share.
#pragma once

#include "rdna/checks/lds_shadow.h"
#include "rdna/rows/address.h"
#include "rdna/rows/move_bytes.h"

namespace w4::rdna {

// Lanes all of whose stored bits are defined, per word of the source row(s).
template <int N, int kShift>
inline uint32_t stored_defined(const Wave& w, const Operand& data) {
  if constexpr (N >= 4) {
    uint32_t d = ~0u;
    for (int i = 0; i < N / 4; ++i) d &= w.dlo[data.reg + i] & w.dhi[data.reg + i];
    return d;
  } else {
    return kShift ? w.dhi[data.reg] : w.dlo[data.reg];
  }
}

}  // namespace w4::rdna
