// Vector instructions with carries, 64-bit values or a lane mask: one file because all of them keep
// more than one word's definedness apart.
#include "rdna/isa/lane_op.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

// A lane mask operand is an SGPR (VCC where the encoding implies it), bit exact.
struct LaneMask {
  u32 v, d;
};
LaneMask read_mask(const Wave& w, const Operand& o) { return {read_s(w, o), read_sdef(w, o)}; }

// Bits of a lane mask outside EXEC are zeros, and defined.
template <Track T>
void write_mask(Wave& w, const Operand& o, u32 v, u32 d) {
  const u32 e = w.exec();
  write_s(w, o.reg, v & e, T == Track::on ? d | ~e : ~0u);
}

// dst = a ± b ± carry-in; carry-out to dst[1]. Borrow is the carry of a subtraction.
enum class Sum { add, sub, subrev };
template <Track T, Sum K, bool kCarryIn>
void run_carry(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "integer clamp");
  Lanes ta, tb, r, c;
  const u32* a = read_v(w, op.src[K == Sum::subrev ? 1 : 0], ta);
  const u32* b = read_v(w, op.src[K == Sum::subrev ? 0 : 1], tb);
  LaneMask in{0, ~0u};
  if constexpr (kCarryIn) in = read_mask(w, op.src[2]);
  Defined d;
  if constexpr (T == Track::on) {
    d = read_def(w, op.src[0]) & read_def(w, op.src[1]);
    d.lo &= in.d;
    d.hi &= d.lo;
  }
  for (int l = 0; l < kLanes; ++l) {
    const u32 ci = in.v >> l & 1;
    if constexpr (K == Sum::add) {
      const u32 s = a[l] + b[l];
      r.v[l] = s + ci;
      c.v[l] = (s < a[l] || r.v[l] < s) ? ~0u : 0u;
    } else {
      const u32 s = a[l] - b[l];
      r.v[l] = s - ci;
      c.v[l] = (a[l] < b[l] || s < ci) ? ~0u : 0u;
    }
  }
  const u32 out = sign_bits(c);
  put_lanes(w, op.dst[0].reg, r);
  write_mask<T>(w, op.dst[1], out, d.all());
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, d, w.exec());
}
template <Sum K, bool kCarryIn>
constexpr Row carry(std::string_view m) {
  return {m,
          {run_carry<Track::off, K, kCarryIn>, run_carry<Track::on, K, kCarryIn>},
          Flow::special,
          "valu_wide"};
}

// dst[64] = a[32] * b[32] + c[64]; dst[1] takes the carry out of bit 63.
template <Track T, bool kSigned>
void run_mad64(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "integer clamp");
  Lanes ta, tb, tc, td, lo, hi, co;
  const u32 *a = read_v(w, op.src[0], ta), *b = read_v(w, op.src[1], tb);
  const u32 *c = read_v(w, op.src[2], tc), *d = read_v(w, op.src[2], td, 1);
  for (int l = 0; l < kLanes; ++l) {
    const u64 z = c[l] | u64{d[l]} << 32;
    u64 p;
    if constexpr (kSigned) {
      p = static_cast<u64>(i64{static_cast<int32_t>(a[l])} * static_cast<int32_t>(b[l]));
    } else {
      p = u64{a[l]} * b[l];
    }
    const u64 s = p + z;
    lo.v[l] = static_cast<u32>(s);
    hi.v[l] = static_cast<u32>(s >> 32);
    if constexpr (kSigned) {
      co.v[l] = static_cast<u32>((~(p ^ z) & (p ^ s)) >> 32);
    } else {
      co.v[l] = s < p ? ~0u : 0u;
    }
  }
  Defined dl, dh;
  if constexpr (T == Track::on) {
    const Defined ab = read_def(w, op.src[0]) & read_def(w, op.src[1]);
    dl = ab & read_def(w, op.src[2]);
    const Defined up = read_def(w, op.src[2], 1);
    // The product's high words need all of both factors.
    const u32 below = ab.all() & dl.all();
    dl.hi &= dl.lo;
    dh = {below & up.lo, below & up.all()};
  }
  const u32 out = sign_bits(co);
  write_lanes64(w, op.dst[0].reg, lo, hi);
  if (op.dst[1].kind == OperandKind::sgpr) write_mask<T>(w, op.dst[1], out, dh.all());
  if constexpr (T == Track::on) {
    write_def(w, op.dst[0].reg, dl, w.exec());
    write_def(w, op.dst[0].reg + 1, dh, w.exec());
  }
}
template <bool kSigned>
constexpr Row mad64(std::string_view m) {
  return {m,
          {run_mad64<Track::off, kSigned>, run_mad64<Track::on, kSigned>},
          Flow::special,
          "valu_wide"};
}

enum class Shift { left, right, arithmetic };
template <Shift K>
constexpr u64 shift64(u64 x, u32 s) {
  if constexpr (K == Shift::left) return x << s;
  if constexpr (K == Shift::right) return x >> s;
  return static_cast<u64>(static_cast<i64>(x) >> s);
}
// The mask of defined bits moves with the bits; what is shifted in is known.
template <Shift K>
constexpr u64 shift64_mask(u64 d, u32 s) {
  if constexpr (K == Shift::left) return ~(~d << s);
  if constexpr (K == Shift::right) return ~(~d >> s);
  return static_cast<u64>(static_cast<i64>(d) >> s);
}

// Amount first (…rev): src[0] is 32 bits, src[1] 64 bits.
template <Track T, Shift K>
void run_shift64(Wave& w, const Op& op) {
  Lanes ts, tl, th, lo, hi;
  const u32* s = read_v(w, op.src[0], ts);
  const u32 *a = read_v(w, op.src[1], tl), *b = read_v(w, op.src[1], th, 1);
  Defined dl, dh;
  if constexpr (T == Track::on) {
    const u32 sd = read_def(w, op.src[0]).lo;
    const Defined xl = read_def(w, op.src[1]), xh = read_def(w, op.src[1], 1);
    if ((sd & xl.all() & xh.all()) != ~0u) {
      dl = dh = {0, 0};
      for (int l = 0; l < kLanes; ++l) {
        if (!(sd >> l & 1)) continue;
        const u64 m = shift64_mask<K>(widen(xl, l) | u64{widen(xh, l)} << 32, s[l] & 63);
        narrow(dl, l, static_cast<u32>(m));
        narrow(dh, l, static_cast<u32>(m >> 32));
      }
    }
  }
  for (int l = 0; l < kLanes; ++l) {
    const u64 r = shift64<K>(a[l] | u64{b[l]} << 32, s[l] & 63);
    lo.v[l] = static_cast<u32>(r);
    hi.v[l] = static_cast<u32>(r >> 32);
  }
  write_lanes64(w, op.dst[0].reg, lo, hi);
  if constexpr (T == Track::on) {
    write_def(w, op.dst[0].reg, dl, w.exec());
    write_def(w, op.dst[0].reg + 1, dh, w.exec());
  }
}
template <Shift K>
constexpr Row wide_shift(std::string_view m) {
  return {m, {run_shift64<Track::off, K>, run_shift64<Track::on, K>}, Flow::shift, "valu_wide"};
}

// src[2] is the lane mask: set lanes take src[1]. Modifiers are neg and abs of the data width.
template <Track T>
void run_cndmask32(Wave& w, const Op& op) {
  Lanes ta, tb;
  const u32 *a = read_v(w, op.src[0], ta), *b = read_v(w, op.src[1], tb);
  const LaneMask c = read_mask(w, op.src[2]);
  for (int i = 0; i < 2; ++i) {
    const uint8_t m = op.src[i].mods;
    if (!(m & (kNeg | kAbs))) [[likely]]
      continue;
    Lanes& t = i ? tb : ta;
    const u32* p = i ? b : a;
    for (int l = 0; l < kLanes; ++l) {
      const u32 x = (m & kAbs) ? p[l] & 0x7fffffffu : p[l];
      t.v[l] = (m & kNeg) ? x ^ 0x80000000u : x;
    }
    (i ? b : a) = t.v;
  }
  Defined r;
  if constexpr (T == Track::on) {
    const Defined x = read_def(w, op.src[0]), y = read_def(w, op.src[1]);
    r = {c.d & ((c.v & y.lo) | (~c.v & x.lo)), c.d & ((c.v & y.hi) | (~c.v & x.hi))};
  }
  const u32 mask = c.v;
  write_lanes(w, op.dst[0].reg, [=](int l) {
    const u32 m = 0u - (mask >> l & 1);
    return (b[l] & m) | (a[l] & ~m);
  });
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, r, w.exec());
}

template <Track T>
void run_cndmask16(Wave& w, const Op& op) {
  Lanes t[2], h;
  const u32* p[2];
  u32 keep[2], flip[2];
  int s[2];
  for (int i = 0; i < 2; ++i) {
    p[i] = read_v(w, op.src[i], t[i]);
    s[i] = half_shift(op.src[i]);
    keep[i] = (op.src[i].mods & kAbs) ? 0x7fffu : 0xffffu;
    flip[i] = (op.src[i].mods & kNeg) ? 0x8000u : 0u;
  }
  const LaneMask c = read_mask(w, op.src[2]);
  for (int l = 0; l < kLanes; ++l) {
    h.v[l] = (c.v >> l & 1) ? (p[1][l] >> s[1] & keep[1]) ^ flip[1]
                            : (p[0][l] >> s[0] & keep[0]) ^ flip[0];
  }
  u32 d = ~0u;
  if constexpr (T == Track::on) {
    d = c.d & ((c.v & half_def(w, op.src[1])) | (~c.v & half_def(w, op.src[0])));
  }
  write_half(w, op.dst[0].reg, high_dst(op), h);
  if constexpr (T == Track::on) write_half_def(w, op.dst[0].reg, high_dst(op), d);
}

constexpr Row kRows[] = {
    carry<Sum::add, false>("v_add_co_u32"),
    carry<Sum::sub, false>("v_sub_co_u32"),
    carry<Sum::subrev, false>("v_subrev_co_u32"),
    carry<Sum::add, true>("v_add_co_ci_u32"),
    carry<Sum::sub, true>("v_sub_co_ci_u32"),
    carry<Sum::subrev, true>("v_subrev_co_ci_u32"),
    mad64<false>("v_mad_u64_u32"),
    mad64<true>("v_mad_i64_i32"),
    mad64<false>("v_mad_co_u64_u32"),  // gfx12's name
    mad64<true>("v_mad_co_i64_i32"),
    wide_shift<Shift::left>("v_lshlrev_b64"),
    wide_shift<Shift::right>("v_lshrrev_b64"),
    wide_shift<Shift::arithmetic>("v_ashrrev_i64"),
    {"v_cndmask_b32",
     {run_cndmask32<Track::off>, run_cndmask32<Track::on>},
     Flow::select,
     "valu_wide"},
    {"v_cndmask_b16",
     {run_cndmask16<Track::off>, run_cndmask16<Track::on>},
     Flow::select,
     "valu_wide"},
};

}  // namespace

std::span<const Row> valu_wide_rows() { return kRows; }

}  // namespace w4::rdna
