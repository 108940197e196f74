// Float sources as handlers see them: neg and abs applied, denormals flushed where MODE says so.
#pragma once

#include "rdna/isa/half.h"
#include "rdna/isa/lane_op.h"

namespace w4::rdna {

inline uint32_t flush32(uint32_t x) { return (x & 0x7f800000u) ? x : x & 0x80000000u; }
inline float flush32(float x) { return as_f32(flush32(bits_of(x))); }

// neg after abs, on the sign bit of `width` bits.
inline uint32_t sign_mods(uint32_t x, uint8_t mods, uint32_t sign) {
  if (mods & kAbs) x &= ~sign;
  if (mods & kNeg) x ^= sign;
  return x;
}

// The row keeps its type (uint32_t); reading it through this type is no aliasing fault.
using FloatBits = float __attribute__((may_alias));
inline const FloatBits* read_f32(const Wave& w, const Operand& o, Lanes& tmp, int word = 0) {
  const uint32_t* p = read_v(w, o, tmp, word);
  const bool flush = !(w.denorm32 & 1);
  if ((o.mods & (kNeg | kAbs)) || flush) {
    for (int l = 0; l < kLanes; ++l) {
      const uint32_t x = sign_mods(p[l], o.mods, 0x80000000u);
      tmp.v[l] = flush ? flush32(x) : x;
    }
    p = tmp.v;
  }
  return reinterpret_cast<const FloatBits*>(p);
}

// A 16-bit float source (op_sel, neg, abs) widened to fp32.
inline void read_f16(const Wave& w, const Operand& o, Floats& out) {
  Lanes tmp;
  const uint32_t* p = read_v(w, o, tmp);
  halves_to_f32(p, half_shift(o), out);
  const bool flush = !(w.denorm16_64 & 1);
  if ((o.mods & (kNeg | kAbs)) || flush) {
    for (int l = 0; l < kLanes; ++l) {
      float x = as_f32(sign_mods(bits_of(out.v[l]), o.mods, 0x80000000u));
      if (flush && __builtin_fabsf(x) < 0x1p-14f) x = __builtin_copysignf(0.f, x);
      out.v[l] = x;
    }
  }
}

struct alignas(64) Doubles {
  double v[kLanes];
};
inline void read_f64(const Wave& w, const Operand& o, Doubles& out) {
  Lanes tl, th;
  const uint32_t* lo = read_v(w, o, tl);
  const uint32_t* hi = read_v(w, o, th, 1);
  const bool flush = !(w.denorm16_64 & 1);
  for (int l = 0; l < kLanes; ++l) {
    uint64_t x = lo[l] | uint64_t{sign_mods(hi[l], o.mods, 0x80000000u)} << 32;
    if (flush && !(x & 0x7ff0000000000000ull)) x &= 0x8000000000000000ull;
    out.v[l] = std::bit_cast<double>(x);
  }
}
// Both words of a 64-bit operand, all bits.
inline uint32_t def64(const Wave& w, const Operand& o) {
  return read_def(w, o).all() & read_def(w, o, 1).all();
}

}  // namespace w4::rdna
