// What atomics of global memory and of LDS share: one lane's read, change and write, and where
// definedness is asked for. Lanes go one by one in lane order: the order of one instruction's lanes
// is not defined by the ISA, and any order is a legal one.
#pragma once

#include "rdna/checks/align.h"
#include "rdna/confirm.h"
#include "rdna/rows/address.h"
#include "rdna/rows/atomic_ops.h"

namespace w4::rdna {

template <class U>
inline U word(const Wave& w, int reg, int lane) {
  U x = w.v[reg].v[lane];
  if constexpr (sizeof(U) == 8) x |= static_cast<U>(w.v[reg + 1].v[lane]) << 32;
  return x;
}

template <class U>
inline uint32_t known(const Wave& w, int reg) {
  uint32_t d = ~0u;
  for (size_t i = 0; i < sizeof(U) / 4; ++i)
    d &= w.dlo[reg + static_cast<int>(i)] & w.dhi[reg + static_cast<int>(i)];
  return d;
}

// Where the operands are: global `data, compare` in consecutive registers, LDS in two sources.
// `second` is what the few two-operand kinds take beside the value (takes_second()).
struct Data {
  int value = 0, second = -1;
};

// One lane at host address p; the old value goes to dst where there is one.
template <Atomic A, class U>
void one_lane(Wave& w, const Op& op, uint8_t* p, const Data& d, int lane) {
  U old;
  std::memcpy(&old, p, sizeof old);
  const U second = takes_second(A) ? word<U>(w, d.second, lane) : U{0};
  const U now = apply_atomic<A, U>(old, word<U>(w, d.value, lane), second);
  std::memcpy(p, &now, sizeof now);
  if (op.ndst == 0) return;
  const int reg = op.dst[0].reg;
  // Data and destination may share registers; a lane's data was read above.
  w.v[reg].v[lane] = static_cast<uint32_t>(old);
  if constexpr (sizeof(U) == 8) w.v[reg + 1].v[lane] = static_cast<uint32_t>(old >> 32);
}

template <Track T, Atomic A, class U>
bool data_known(Wave& w, const Op& op, const Data& d) {
  if constexpr (T == Track::on) {
    uint32_t bad = w.exec() & ~known<U>(w, d.value);
    if (takes_second(A)) bad |= w.exec() & ~known<U>(w, d.second);
    if (bad) undefined(w, op, FindingKind::undefined_store, bad);
  }
  return w.state == WaveState::ready;
}

template <Track T, class U>
void result_known(Wave& w, const Op& op, uint32_t lanes) {
  if constexpr (T == Track::on) {
    if (op.ndst == 0) return;
    for (size_t i = 0; i < sizeof(U) / 4; ++i)
      write_def(w, op.dst[0].reg + static_cast<int>(i), {}, lanes);
    if (w.group->launch->confirm)
      w.group->launch->confirm->defined(w, op.dst[0].reg, sizeof(U) / 4, lanes);
  }
}

template <Track T>
bool atomic_address_known(Wave& w, const Op& op, uint32_t bad) {
  if (T == Track::on && bad) undefined(w, op, FindingKind::undefined_address, bad);
  return w.state == WaveState::ready;
}

// Floating-point atomics: rounding and denormals as IEEE; what the caches do is document only.
template <Atomic A>
inline constexpr Evidence kAtomicEvidence =
    A >= Atomic::fcmpswap ? Evidence::document : Evidence::ieee;

}  // namespace w4::rdna
