// Private memory: each lane has its own bytes, so lanes go one by one (spills are rare).
#pragma once

#include "rdna/confirm.h"
#include "rdna/rows/vmem.h"

namespace w4::rdna {

// Inside the scratch of the kernel's descriptor? Otherwise a finding, and false.
bool scratch_in_bounds(Wave& w, const Op& op, const uint64_t* a, uint64_t n, uint32_t lanes,
                       bool write);

template <Track T, int N, Fit F>
void scratch_load_at(Wave& w, const Op& op, const uint64_t* a) {
  const uint32_t e = w.exec();
  if (!scratch_in_bounds(w, op, a, N, e, false)) return;
  Workgroup& g = *w.group;
  LoadMasks masks;
  Lanes t[(N + 3) / 4];
  for (uint32_t m = e; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    uint32_t words[(N + 3) / 4] = {};
    std::memcpy(words, g.scratch_of(w, l) + a[l], N);
    for (int i = 0; i < (N + 3) / 4; ++i) t[i].v[l] = words[i];
    if constexpr (T == Track::on) {
      const uint8_t* state = g.scratch_state_of(w, l) + a[l];
      for (int i = 0; i < N; ++i) {
        Defined& d = masks.word[i / 4];
        if (!(state[i] & kDefined)) (i % 4 < 2 ? d.lo : d.hi) &= ~(1u << l);
      }
    }
  }
  put_loaded<N, F>(w, op.dst[0].reg, t, e);
  if constexpr (T == Track::on) {
    put_masks<N, F>(w, op.dst[0].reg, masks, e);
    if (g.launch->confirm) [[unlikely]]
      g.launch->confirm->loaded(w, op, Space::scratch, a, N, op.dst[0].reg, F, e);
  }
}

template <Track T, int N, int kShift>
void scratch_store_at(Wave& w, const Op& op, const uint64_t* a) {
  const uint32_t e = w.exec();
  if (!scratch_in_bounds(w, op, a, N, e, true)) return;
  Workgroup& g = *w.group;
  const int reg = op.src[2].reg;
  for (uint32_t m = e; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    uint32_t words[(N + 3) / 4];
    for (int i = 0; i < (N + 3) / 4; ++i) words[i] = w.v[reg + i].v[l] >> kShift;
    std::memcpy(g.scratch_of(w, l) + a[l], words, N);
    if constexpr (T == Track::on) {
      uint8_t* state = g.scratch_state_of(w, l) + a[l];
      for (int i = 0; i < N; ++i) {
        const bool high = i % 4 >= 2 || kShift;
        state[i] = (high ? w.dhi[reg + i / 4] : w.dlo[reg + i / 4]) >> l & 1 ? kDefined : 0;
      }
    }
  }
  if constexpr (T == Track::on) {
    if (g.launch->confirm) [[unlikely]]
      g.launch->confirm->stored(w, op, Space::scratch, a, N, reg, kShift, e);
  }
}

}  // namespace w4::rdna
