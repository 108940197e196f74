// LDS loads and stores of N bytes a lane, with their checks.
#pragma once

#include "rdna/confirm.h"
#include "rdna/rows/vmem.h"

namespace w4::rdna {

template <Track T, int N, Fit F>
void lds_load(Wave& w, const Op& op, const uint64_t* a, int reg) {
  const uint32_t e = w.exec();
  Workgroup& g = *w.group;
  if (!lds_in_bounds(w, op, a, N, e)) return;
  LoadMasks masks;
  if (g.lds.shadow && !lds_note_read<T, N>(w, op, a, e, masks)) return;
  Lanes t[(N + 3) / 4];
  gather<N>(g.lds.bytes.data(), a, t);
  put_loaded<N, F>(w, reg, t, e);
  if constexpr (T == Track::on) {
    put_masks<N, F>(w, reg, masks, e);
    if (g.launch->confirm) [[unlikely]]
      g.launch->confirm->loaded(w, op, Space::lds, a, N, reg, F, e);
  }
}

template <Track T, int N, int kShift>
void lds_store(Wave& w, const Op& op, const uint64_t* a, int reg) {
  const uint32_t e = w.exec();
  Workgroup& g = *w.group;
  if (!lds_in_bounds(w, op, a, N, e)) return;
  if (g.lds.shadow) {
    constexpr int kWords = (N + 3) / 4;
    Defined words[kWords];
    bool all = true;
    if constexpr (T == Track::on) {
      for (int i = 0; i < kWords; ++i) {
        words[i] = {w.dlo[reg + i], w.dhi[reg + i]};
        if constexpr (N < 4) words[i].lo = words[i].hi = kShift ? words[i].hi : words[i].lo;
        all &= ((words[i].lo & words[i].hi) | ~e) == ~0u;
      }
    }
    if (!lds_note_write<N>(w, op, a, e, words, all)) return;
  }
  scatter<N, kShift>(g.lds.bytes.data(), a, w.v + reg, e);
  if constexpr (T == Track::on) {
    if (g.launch->confirm) [[unlikely]]
      g.launch->confirm->stored(w, op, Space::lds, a, N, reg, kShift, e);
  }
}

}  // namespace w4::rdna
