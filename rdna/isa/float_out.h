// The way out of a float handler: omod, clamp, output denormals, then the destination.
#pragma once

#include "rdna/isa/float_in.h"

namespace w4::rdna {

// The output modifier counts only where output denormals are flushed and MODE.IEEE is off; its
// zeros are +0 (RDNA3 ISA, 7.2.3.1).
inline bool omod_counts(const Wave& w, const Op& op, bool flushes) {
  return op.omod && flushes && !w.ieee;
}
// VOP3 output modifiers: *2, *4, /2, then clamp to [0, 1] (a NaN becomes 0 with DX10_CLAMP).
template <class F>
inline F out_mods(const Wave& w, const Op& op, F x, bool flushes) {
  if (omod_counts(w, op, flushes)) {
    x = x * (op.omod == 1 ? F{2} : op.omod == 2 ? F{4} : F{0.5}) + F{0};
  }
  if (op.clamp) {
    if (x != x) return w.dx10_clamp ? F{0} : x;
    x = x > F{0} ? (x < F{1} ? x : F{1}) : F{0};
  }
  return x;
}

// r[l] = F of lane l of the N source rows, with the one NaN. Row: Floats or Doubles.
template <int N, auto F, class Row>
inline void apply_lanes(const Row* f, Row& r) {
  for (int l = 0; l < kLanes; ++l) {
    if constexpr (N == 1) {
      r.v[l] = one_nan(F(f[0].v[l]));
    } else if constexpr (N == 2) {
      r.v[l] = one_nan(F(f[0].v[l], f[1].v[l]));
    } else {
      r.v[l] = one_nan(F(f[0].v[l], f[1].v[l], f[2].v[l]));
    }
  }
}

// kFlushes: denormals are zero whatever MODE says.
template <Track T, bool kFlushes = false>
inline void put_f32(Wave& w, const Op& op, Lanes& r, uint32_t defined) {
  const bool flushes = kFlushes || !(w.denorm32 & 2);
  if (op.omod || op.clamp) [[unlikely]] {
    for (uint32_t& x : r.v) x = bits_of(out_mods(w, op, as_f32(x), flushes));
  }
  if (flushes) [[unlikely]] {
    const uint32_t zero = omod_counts(w, op, true) ? 0u : 0x80000000u;
    for (uint32_t& x : r.v) x = (x & 0x7f800000u) ? x : x & zero;
  }
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, {defined, defined}, w.exec());
  put_lanes(w, op.dst[0].reg, r);
}

// `f` holds values that one rounding to fp16 finishes.
template <Track T>
inline void put_f16(Wave& w, const Op& op, Floats& f, uint32_t defined) {
  Lanes h;
  f32_to_halves(f, h);
  if (op.omod || op.clamp) [[unlikely]] {
    halves_to_f32(h.v, 0, f);
    for (float& x : f.v) x = out_mods(w, op, x, !(w.denorm16_64 & 2));
    f32_to_halves(f, h);
  }
  if (!(w.denorm16_64 & 2)) [[unlikely]] {
    const uint32_t zero = omod_counts(w, op, true) ? 0u : 0x8000u;
    for (uint32_t& x : h.v) x = (x & 0x7c00u) ? x : x & zero;
  }
  if constexpr (T == Track::on) write_half_def(w, op.dst[0].reg, high_dst(op), defined);
  write_half(w, op.dst[0].reg, high_dst(op), h);
}

template <Track T>
inline void put_f64(Wave& w, const Op& op, Doubles& f, uint32_t defined) {
  Lanes lo, hi;
  for (int l = 0; l < kLanes; ++l) {
    if (op.omod || op.clamp) f.v[l] = out_mods(w, op, f.v[l], !(w.denorm16_64 & 2));
    uint64_t x = std::bit_cast<uint64_t>(f.v[l]);
    if (!(w.denorm16_64 & 2) && !(x & 0x7ff0000000000000ull))
      x &= omod_counts(w, op, true) ? 0 : 0x8000000000000000ull;
    lo.v[l] = static_cast<uint32_t>(x);
    hi.v[l] = static_cast<uint32_t>(x >> 32);
  }
  if constexpr (T == Track::on) {
    write_def(w, op.dst[0].reg, {defined, defined}, w.exec());
    write_def(w, op.dst[0].reg + 1, {defined, defined}, w.exec());
  }
  write_lanes64(w, op.dst[0].reg, lo, hi);
}

}  // namespace w4::rdna
