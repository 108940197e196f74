// How handlers read and write registers. `Track::off` costs nothing for definedness; `Track::on`
// carries the masks. One place, so that every handler has the same rules:
//  * a source is a row of 32 values plus two lane masks (low half, high half defined);
//  * a destination is written only in lanes of EXEC; masks of other lanes are kept.
#pragma once

#include <bit>
#include <cstring>

#include "rdna/wave.h"

namespace w4::rdna {

struct Defined {
  uint32_t lo = ~0u, hi = ~0u;
  Defined operator&(const Defined& o) const { return {lo & o.lo, hi & o.hi}; }
  // Both halves needed: the rule of arithmetic that mixes all bits.
  uint32_t all() const { return lo & hi; }
};

inline uint32_t sgpr(const Wave& w, int reg) { return reg == kNull ? 0u : w.s[reg]; }

// 32-bit scalar read, word `i` of the operand.
inline uint32_t read_s(const Wave& w, const Operand& o, int i = 0) {
  switch (o.kind) {
    case OperandKind::constant:
      return i == 0 ? o.imm : o.imm_hi;
    case OperandKind::scc:
      return w.scc;
    default:
      return sgpr(w, o.reg + i);
  }
}
inline uint64_t read_s64(const Wave& w, const Operand& o) {
  if (o.kind == OperandKind::sgpr && o.reg == kNull) return 0;
  return read_s(w, o) | uint64_t{read_s(w, o, 1)} << 32;
}
inline uint32_t read_sdef(const Wave& w, const Operand& o, int i = 0) {
  switch (o.kind) {
    case OperandKind::constant:
      return ~0u;
    case OperandKind::scc:
      return w.scc_def ? ~0u : 0u;
    default:
      return o.reg == kNull ? ~0u : w.sdef[o.reg + i];
  }
}

// Row of word `i` of a vector source without modifiers. `tmp` holds a broadcast where needed.
inline const uint32_t* read_v(const Wave& w, const Operand& o, Lanes& tmp, int i = 0) {
  if (o.kind == OperandKind::vgpr) return w.v[o.reg + i].v;
  if (o.kind == OperandKind::constant && i == 0) return o.row->v;
  const uint32_t x = read_s(w, o, i);
  for (int l = 0; l < kLanes; ++l) tmp.v[l] = x;
  return tmp.v;
}
inline Defined read_def(const Wave& w, const Operand& o, int i = 0) {
  if (o.kind == OperandKind::vgpr) return {w.dlo[o.reg + i], w.dhi[o.reg + i]};
  const uint32_t d = read_sdef(w, o, i);
  if (d == ~0u) return {};
  return {(d & 0xffffu) == 0xffffu ? ~0u : 0u, (d >> 16) == 0xffffu ? ~0u : 0u};
}

inline void write_def(Wave& w, int reg, Defined d, uint32_t lanes) {
  w.dlo[reg] = (w.dlo[reg] & ~lanes) | (d.lo & lanes);
  w.dhi[reg] = (w.dhi[reg] & ~lanes) | (d.hi & lanes);
}

// dst[l] = f(l) for lanes of EXEC. f must not have side effects: it is called for all 32 lanes.
template <class F>
inline void write_lanes(Wave& w, int reg, F f) {
  uint32_t* d = w.v[reg].v;
  const uint32_t e = w.exec();
  Lanes t;
  for (int l = 0; l < kLanes; ++l) t.v[l] = f(l);
  if (e == ~0u) {
    std::memcpy(d, t.v, sizeof t.v);
  } else {
    for (int l = 0; l < kLanes; ++l) d[l] = (e >> l & 1) ? t.v[l] : d[l];
  }
}

// Scalar write with its bit-exact definedness. Writing EXEC with an undefined bit is reported by
// the caller (see stop() in rdna/report.h).
inline void write_s(Wave& w, int reg, uint32_t value, uint32_t defined = ~0u) {
  if (reg == kNull) return;
  w.s[reg] = value;
  w.sdef[reg] = defined;
}

}  // namespace w4::rdna
