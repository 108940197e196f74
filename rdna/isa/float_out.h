// The way out of a float handler: omod, clamp, output denormals, then the destination.
#pragma once

#include "rdna/isa/float_in.h"

namespace w4::rdna {

// VOP3 output modifiers: *2, *4, /2, then clamp to [0, 1] (a NaN becomes 0 with DX10_CLAMP).
template <class F>
inline F out_mods(const Wave& w, const Op& op, F x) {
  if (op.omod == 1) x *= 2;
  if (op.omod == 2) x *= 4;
  if (op.omod == 3) x /= 2;
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

template <Track T>
inline void put_f32(Wave& w, const Op& op, Lanes& r, uint32_t defined) {
  if (op.omod || op.clamp) [[unlikely]] {
    for (uint32_t& x : r.v) x = bits_of(out_mods(w, op, as_f32(x)));
  }
  if (!(w.denorm32 & 2)) [[unlikely]] {
    for (uint32_t& x : r.v) x = flush32(x);
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
    for (float& x : f.v) x = out_mods(w, op, x);
    f32_to_halves(f, h);
  }
  if (!(w.denorm16_64 & 2)) [[unlikely]] {
    for (uint32_t& x : h.v) x = (x & 0x7c00u) ? x : x & 0x8000u;
  }
  if constexpr (T == Track::on) write_half_def(w, op.dst[0].reg, high_dst(op), defined);
  write_half(w, op.dst[0].reg, high_dst(op), h);
}

template <Track T>
inline void put_f64(Wave& w, const Op& op, Doubles& f, uint32_t defined) {
  Lanes lo, hi;
  for (int l = 0; l < kLanes; ++l) {
    if (op.omod || op.clamp) f.v[l] = out_mods(w, op, f.v[l]);
    uint64_t x = std::bit_cast<uint64_t>(f.v[l]);
    if (!(w.denorm16_64 & 2) && !(x & 0x7ff0000000000000ull)) x &= 0x8000000000000000ull;
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
