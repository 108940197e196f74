// The skeletons of vector instructions: a lane function over 32-bit words and a rule that says how
// it carries undefined bits. The lane loop vectorises; the rule runs only when some active lane has
// an undefined source.
#pragma once

#include <immintrin.h>

#include "rdna/access.h"
#include "rdna/report.h"
#include "rdna/table.h"

namespace w4::rdna {

// Bit mask of one lane from its half masks, and back.
inline uint32_t widen(Defined d, int l) {
  return ((d.lo >> l & 1) * 0xffffu) | ((d.hi >> l & 1) * 0xffff0000u);
}
inline void narrow(Defined& d, int l, uint32_t mask) {
  d.lo |= uint32_t{(mask & 0xffffu) == 0xffffu} << l;
  d.hi |= uint32_t{(mask >> 16) == 0xffffu} << l;
}

// A source word: its bits `v` and which of them are defined `d`.
struct Known {
  uint32_t d, v;
};

// Rules: from the sources of one lane to the mask of defined result bits.
namespace rule {
inline constexpr auto kMix = [](auto... k) -> uint32_t { return (k.d & ...) == ~0u ? ~0u : 0u; };
inline constexpr auto kBitwise = [](auto... k) -> uint32_t { return (k.d & ...); };
// A carry goes upward only: bits below the lowest undefined one stay defined.
constexpr uint32_t below_lowest_undefined(uint32_t d) { return d & ~(d + 1); }
inline constexpr auto kAdd = [](auto... k) -> uint32_t {
  return below_lowest_undefined((k.d & ...));
};
constexpr uint32_t and_mask(Known a, Known b) { return (a.d & b.d) | (a.d & ~a.v) | (b.d & ~b.v); }
constexpr uint32_t or_mask(Known a, Known b) { return (a.d & b.d) | (a.d & a.v) | (b.d & b.v); }
inline constexpr auto kAnd = [](Known a, Known b) -> uint32_t { return and_mask(a, b); };
inline constexpr auto kOr = [](Known a, Known b) -> uint32_t { return or_mask(a, b); };
// Shifts need the low five bits of the amount only.
constexpr bool amount_known(Known s) { return (s.d & 31) == 31; }
constexpr uint32_t shl_mask(uint32_t d, uint32_t s) { return (d << s) | ((1u << s) - 1); }
constexpr uint32_t shr_mask(uint32_t d, uint32_t s) { return ~(~d >> s); }
}  // namespace rule

template <int N, auto R>
inline Defined carry_masks(const Wave& w, const Defined (&d)[N], const uint32_t* const (&p)[N]) {
  uint32_t all = ~0u;
  for (int i = 0; i < N; ++i) all &= d[i].all();
  if ((all | ~w.exec()) == ~0u) [[likely]]
    return {};
  Defined r{0, 0};
  for (int l = 0; l < kLanes; ++l) {
    if constexpr (N == 1) {
      narrow(r, l, R(Known{widen(d[0], l), p[0][l]}));
    } else if constexpr (N == 2) {
      narrow(r, l, R(Known{widen(d[0], l), p[0][l]}, Known{widen(d[1], l), p[1][l]}));
    } else {
      narrow(r, l,
             R(Known{widen(d[0], l), p[0][l]}, Known{widen(d[1], l), p[1][l]},
               Known{widen(d[2], l), p[2][l]}));
    }
  }
  return r;
}

// A finished row to the lanes of EXEC.
inline void put_lanes(Wave& w, int reg, const Lanes& r) {
  const uint32_t e = w.exec();
  Lanes& d = w.v[reg];
  if (e == ~0u) [[likely]] {
    d = r;
  } else {
    for (int l = 0; l < kLanes; ++l) d.v[l] = (e >> l & 1) ? r.v[l] : d.v[l];
  }
}

// dst[0] = F(src[0], …), N sources of one word each.
template <Track T, int N, auto F, auto R>
void run_lanes(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "integer clamp");
  Lanes t[N];
  const uint32_t* p[N];
  for (int i = 0; i < N; ++i) p[i] = read_v(w, op.src[i], t[i]);
  Defined r;
  if constexpr (T == Track::on) {
    Defined d[N];
    for (int i = 0; i < N; ++i) d[i] = read_def(w, op.src[i]);
    r = carry_masks<N, R>(w, d, p);
  }
  write_lanes(w, op.dst[0].reg, [&](int l) -> uint32_t {
    if constexpr (N == 1) {
      return F(p[0][l]);
    } else if constexpr (N == 2) {
      return F(p[0][l], p[1][l]);
    } else {
      return F(p[0][l], p[1][l], p[2][l]);
    }
  });
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, r, w.exec());
}

inline void write_lanes64(Wave& w, int reg, const Lanes& lo, const Lanes& hi) {
  put_lanes(w, reg, lo);
  put_lanes(w, reg + 1, hi);
}

// The top bit of each lane's word as a lane mask.
inline uint32_t sign_bits(const Lanes& t) {
  uint32_t m = 0;
  for (int l = 0; l < kLanes; l += 8) {
    const __m256 x = _mm256_load_ps(reinterpret_cast<const float*>(t.v + l));
    m |= static_cast<uint32_t>(_mm256_movemask_ps(x)) << l;
  }
  return m;
}

// One half of a 16-bit operand: op_sel chooses it.
inline int half_shift(const Operand& o) { return (o.mods & kOpSel0) ? 16 : 0; }
inline uint32_t half_def(const Wave& w, const Operand& o) {
  const Defined d = read_def(w, o);
  return (o.mods & kOpSel0) ? d.hi : d.lo;
}
// VOP3 puts the half of the destination into the modifiers of the first source.
inline bool high_dst(const Op& op) { return (op.src[0].mods & kDstOpSel) != 0; }

// Writes the low 16 bits of `h` into one half of the destination; the other half stays.
inline void write_half(Wave& w, int reg, bool high, const Lanes& h) {
  const uint32_t* old = w.v[reg].v;
  const int s = high ? 16 : 0;
  const uint32_t keep = high ? 0xffffu : 0xffff0000u;
  write_lanes(w, reg, [&](int l) { return (old[l] & keep) | (h.v[l] & 0xffffu) << s; });
}
inline void write_half_def(Wave& w, int reg, bool high, uint32_t defined) {
  const uint32_t e = w.exec();
  uint32_t& m = high ? w.dhi[reg] : w.dlo[reg];
  m = (m & ~e) | (defined & e);
}

// A 16-bit instruction: F gets and gives 16-bit values in the low bits.
template <Track T, int N, auto F>
void run_halves(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "integer clamp");
  Lanes t[N], h;
  const uint32_t* p[N];
  int s[N];
  uint32_t d = ~0u;
  for (int i = 0; i < N; ++i) {
    p[i] = read_v(w, op.src[i], t[i]);
    s[i] = half_shift(op.src[i]);
    if constexpr (T == Track::on) d &= half_def(w, op.src[i]);
  }
  for (int l = 0; l < kLanes; ++l) {
    if constexpr (N == 1) {
      h.v[l] = F(p[0][l] >> s[0] & 0xffffu);
    } else if constexpr (N == 2) {
      h.v[l] = F(p[0][l] >> s[0] & 0xffffu, p[1][l] >> s[1] & 0xffffu);
    } else {
      h.v[l] = F(p[0][l] >> s[0] & 0xffffu, p[1][l] >> s[1] & 0xffffu, p[2][l] >> s[2] & 0xffffu);
    }
  }
  write_half(w, op.dst[0].reg, high_dst(op), h);
  if constexpr (T == Track::on) write_half_def(w, op.dst[0].reg, high_dst(op), d);
}

}  // namespace w4::rdna
