// Global loads and stores of N bytes a lane, with their checks.
#pragma once

#include "rdna/checks/bounds.h"
#include "rdna/checks/global_race.h"
#include "rdna/checks/writers.h"
#include "rdna/confirm.h"
#include "rdna/rows/vmem.h"
#include "rdna/store_log.h"

namespace w4::rdna {

// Undefined bytes of b under one load.
template <int N>
inline void read_state(const Buffer& b, const uint64_t* offset, uint32_t lanes, LoadMasks& out) {
  for (uint32_t m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    for (int i = 0; i < N; ++i) {
      if (b.state[offset[l] + static_cast<uint64_t>(i)] & kDefined) continue;
      Defined& d = out.word[i / 4];
      (i % 4 < 2 ? d.lo : d.hi) &= ~(1u << l);
    }
  }
}

template <Track T, int N, Fit F>
void global_load_at(Wave& w, const Op& op, const uint64_t* a) {
  const uint32_t e = w.exec();
  const Memory::Impl& memory = *w.group->launch->memory;
  Place p;
  LoadMasks masks;
  Lanes t[(N + 3) / 4];
  const bool one = in_one_buffer(memory, a, N, p);
  if (!one || !p.buffer->gaps.empty()) [[unlikely]] {
    if (!check_lanes(w, op, a, N, false, e)) return;
  }
  if (one) [[likely]] {
    if (!global_use(w, op, *p.buffer, p.offset, N, e, load_use(*w.group, op))) return;
    gather<N>(p.buffer->data, p.offset, t);
    if constexpr (T == Track::on) {
      if (p.buffer->state) [[unlikely]]
        read_state<N>(*p.buffer, p.offset, e, masks);
    }
  } else {
    for (uint32_t m = e; m; m &= m - 1) {
      const int l = __builtin_ctz(m);
      uint32_t words[(N + 3) / 4] = {};
      if (Buffer* b = memory.find(a[l], N)) {
        const uint64_t offset = a[l] - b->base;
        uint64_t at[kLanes];
        at[l] = offset;
        if (!global_use(w, op, *b, at, N, 1u << l, load_use(*w.group, op))) return;
        std::memcpy(words, b->data + offset, N);
        if constexpr (T == Track::on) {
          uint64_t o[kLanes];
          o[l] = offset;
          if (b->state) read_state<N>(*b, o, 1u << l, masks);
        }
      }
      for (int i = 0; i < (N + 3) / 4; ++i) t[i].v[l] = words[i];
    }
  }
  put_loaded<N, F>(w, op.dst[0].reg, t, e);
  if constexpr (T == Track::on) {
    put_masks<N, F>(w, op.dst[0].reg, masks, e);
    if (w.group->launch->confirm) [[unlikely]]
      w.group->launch->confirm->loaded(w, op, Space::global, a, N, op.dst[0].reg, F, e);
  }
}

// What follows a store of n bytes a lane.
inline void note_stored(Wave& w, const Op& op, Buffer& b, const uint64_t* offset, uint64_t n,
                        uint32_t lanes) {
  if (b.state) {
    for (uint32_t m = lanes; m; m &= m - 1)
      std::memset(b.state + offset[__builtin_ctz(m)], kDefined, n);
  }
  if (b.writers) note_writers(w, op, b, offset, n, lanes, false);
}

template <int N, int kShift>
inline void store_in(Wave& w, const Op& op, Buffer& b, const uint64_t* offset, uint32_t lanes) {
  const Lanes* rows = w.v + op.src[2].reg;
  if (StoreLog* log = w.group->launch->log) [[unlikely]]
    return log->add(w, op, b, offset, N, kShift, rows, lanes);
  if (!global_use(w, op, b, offset, N, lanes, Use::write)) return;
  scatter<N, kShift>(b.data, offset, rows, lanes);
  note_stored(w, op, b, offset, N, lanes);
}

template <Track T, int N, int kShift>
void global_store_at(Wave& w, const Op& op, const uint64_t* a) {
  const uint32_t e = w.exec();
  const Memory::Impl& memory = *w.group->launch->memory;
  if constexpr (T == Track::on) {
    uint32_t bad = e & ~stored_defined<N, kShift>(w, op.src[2]);
    if (bad && w.group->launch->confirm)
      bad = w.group->launch->confirm->undefined_bytes(w, op.src[2].reg, N, kShift, bad);
    if (bad) [[unlikely]]
      undefined(w, op, FindingKind::undefined_store, bad);
    if (w.state != WaveState::ready) return;
  }
  Place p;
  const bool one = in_one_buffer(memory, a, N, p);
  if (!one || !p.buffer->gaps.empty() || !p.buffer->writable) [[unlikely]] {
    if (!check_lanes(w, op, a, N, true, e)) return;
  }
  if (one) [[likely]] {
    if (p.buffer->writable) store_in<N, kShift>(w, op, *p.buffer, p.offset, e);
    return;
  }
  for (uint32_t m = e; m; m &= m - 1) {
    const int l = __builtin_ctz(m);
    Buffer* b = memory.find(a[l], N);
    if (!b || !b->writable) continue;
    uint64_t o[kLanes];
    o[l] = a[l] - b->base;
    store_in<N, kShift>(w, op, *b, o, 1u << l);
    if (w.state != WaveState::ready) return;
  }
}

}  // namespace w4::rdna
