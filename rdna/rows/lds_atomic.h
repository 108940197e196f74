// One LDS atomic on all lanes, with its checks.
#pragma once

#include "rdna/checks/lds_shadow.h"
#include "rdna/rows/atomic_access.h"

namespace w4::rdna {

// `swaps`: a compare-and-swap, which other waves' plain reads may precede. False: a race was
// reported.
bool lds_note_atomic(Wave& w, const Op& op, uint64_t a, int n, int lane, bool swaps);

// The memory that lane `l` reads is written and defined; otherwise a finding, and false.
bool lds_atomic_defined(Wave& w, const Op& op, uint64_t a, int n, int lane);

template <Track T, Atomic A, class U>
void lds_at(Wave& w, const Op& op, const uint64_t* a, const Data& d) {
  const uint32_t e = w.exec();
  Workgroup& g = *w.group;
  if (!data_known<T, A, U>(w, op, d)) return;
  if (!atomics_aligned(w, op, a, sizeof(U), e) || !lds_in_bounds(w, op, a, sizeof(U), e)) return;
  for (uint32_t m = e; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    if (g.lds.shadow) {
      if (T == Track::on && !lds_atomic_defined(w, op, a[l], sizeof(U), l)) return;
      if (!lds_note_atomic(w, op, a[l], sizeof(U), l, A == Atomic::cmpswap)) return;
    }
    one_lane<A, U>(w, op, g.lds.bytes.data() + a[l], d, l);
    if (T == Track::on && g.launch->confirm)
      g.launch->confirm->atomic_in_lds(w, op, a[l], sizeof(U), l);
  }
  result_known<T, U>(w, op, e);
}

}  // namespace w4::rdna
