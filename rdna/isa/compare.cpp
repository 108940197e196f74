// v_cmp_* and v_cmpx_*: one lane mask from two sources. Lanes outside EXEC give defined zeros.
#include "rdna/isa/float_in.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

// v_cmp writes its mask to an SGPR, v_cmpx to EXEC.
template <Track T, bool kToExec>
void put_mask(Wave& w, const Op& op, u32 mask, u32 defined) {
  const u32 e = w.exec();
  if constexpr (kToExec) {
    if constexpr (T == Track::on) {
      if (e & ~defined) undefined(w, op, FindingKind::undefined_exec, e & ~defined);
    }
    write_s(w, kExec, mask & e);
  } else {
    write_s(w, op.dst[0].reg, mask & e, T == Track::on ? defined | ~e : ~0u);
  }
}

// How sources of each type are read: a row of T and the lanes wholly defined.
template <class V>
struct Words {
  Lanes tmp;
  const u32* p;
  u32 d;
  Words(const Wave& w, const Operand& o) : p(read_v(w, o, tmp)), d(read_def(w, o).all()) {}
  V operator[](int l) const { return static_cast<V>(p[l]); }
};
template <class V>
struct Halves {
  Lanes tmp;
  const u32* p;
  int s;
  u32 d;
  Halves(const Wave& w, const Operand& o)
      : p(read_v(w, o, tmp)), s(half_shift(o)), d(half_def(w, o)) {}
  V operator[](int l) const { return static_cast<V>(p[l] >> s); }
};
template <class V>
struct Wides {
  Lanes tl, th;
  const u32 *lo, *hi;
  u32 d;
  Wides(const Wave& w, const Operand& o)
      : lo(read_v(w, o, tl)), hi(read_v(w, o, th, 1)), d(def64(w, o)) {}
  V operator[](int l) const { return static_cast<V>(lo[l] | u64{hi[l]} << 32); }
};
struct F32s {
  Lanes tmp;
  const FloatBits* p;
  u32 d;
  F32s(const Wave& w, const Operand& o) : p(read_f32(w, o, tmp)), d(read_def(w, o).all()) {}
  float operator[](int l) const { return p[l]; }
};
struct F16s {
  Floats f;
  u32 d;
  F16s(const Wave& w, const Operand& o) : d(half_def(w, o)) { read_f16(w, o, f); }
  float operator[](int l) const { return f.v[l]; }
};
struct F64s {
  Doubles f;
  u32 d;
  F64s(const Wave& w, const Operand& o) : d(def64(w, o)) { read_f64(w, o, f); }
  double operator[](int l) const { return f.v[l]; }
};

template <Track T, class S, bool kToExec, auto C>
void run_compare(Wave& w, const Op& op) {
  const S a(w, op.src[0]), b(w, op.src[1]);
  Lanes t;
  for (int l = 0; l < kLanes; ++l) t.v[l] = C(a[l], b[l]) ? ~0u : 0u;
  put_mask<T, kToExec>(w, op, sign_bits(t), a.d & b.d);
}

template <class S, bool kToExec, auto C>
constexpr Row row(std::string_view m) {
  return {m,
          {run_compare<Track::off, S, kToExec, C>, run_compare<Track::on, S, kToExec, C>},
          Flow::special,
          "compare"};
}

// Class bits of v_cmp_class: 0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0,
// 6 +0, 7 +denormal, 8 +normal, 9 +inf.
constexpr u32 class_of(u64 x, int exponent_bits, int fraction_bits) {
  const u64 fraction = x & ((u64{1} << fraction_bits) - 1);
  const u64 top = (u64{1} << exponent_bits) - 1, exponent = x >> fraction_bits & top;
  const bool neg = x >> (fraction_bits + exponent_bits) & 1;
  if (exponent == top && fraction) return 1u << (fraction >> (fraction_bits - 1) & 1);
  if (exponent == top) return neg ? 1u << 2 : 1u << 9;
  if (exponent) return neg ? 1u << 3 : 1u << 8;
  if (fraction) return neg ? 1u << 4 : 1u << 7;
  return neg ? 1u << 5 : 1u << 6;
}

template <Track T, int kBits, bool kToExec>
void run_class(Wave& w, const Op& op) {
  Lanes t0, t1, tm, t;
  const Operand &x = op.src[0], &m = op.src[1];
  const u32* a = read_v(w, x, t0);
  const u32* hi = kBits == 64 ? read_v(w, x, t1, 1) : a;
  const u32* mask = read_v(w, m, tm);
  u32 d = read_def(w, m).lo;
  if constexpr (kBits == 16) d &= half_def(w, x);
  if constexpr (kBits == 32) d &= read_def(w, x).all();
  if constexpr (kBits == 64) d &= def64(w, x);
  for (int l = 0; l < kLanes; ++l) {
    u32 c;
    if constexpr (kBits == 16) {
      c = class_of(sign_mods(a[l] >> half_shift(x) & 0xffffu, x.mods, 0x8000u), 5, 10);
    } else if constexpr (kBits == 32) {
      c = class_of(sign_mods(a[l], x.mods, 0x80000000u), 8, 23);
    } else {
      c = class_of(a[l] | u64{sign_mods(hi[l], x.mods, 0x80000000u)} << 32, 11, 52);
    }
    t.v[l] = (mask[l] & c) ? ~0u : 0u;
  }
  put_mask<T, kToExec>(w, op, sign_bits(t), d);
}

#define CMP(S, TYPE, NAME, E)                                              \
  row<S, false, [](auto a, auto b) { return E; }>("v_cmp_" NAME "_" TYPE), \
      row<S, true, [](auto a, auto b) { return E; }>("v_cmpx_" NAME "_" TYPE)
// 16-bit types have no f and t.
#define INTEGER16(S, TYPE)                                                           \
  CMP(S, TYPE, "lt", a < b), CMP(S, TYPE, "eq", a == b), CMP(S, TYPE, "le", a <= b), \
      CMP(S, TYPE, "gt", a > b), CMP(S, TYPE, "ne", a != b), CMP(S, TYPE, "ge", a >= b)
#define INTEGER(S, TYPE)                                                                 \
  CMP(S, TYPE, "f", false), CMP(S, TYPE, "lt", a < b), CMP(S, TYPE, "eq", a == b),       \
      CMP(S, TYPE, "le", a <= b), CMP(S, TYPE, "gt", a > b), CMP(S, TYPE, "ne", a != b), \
      CMP(S, TYPE, "ge", a >= b), CMP(S, TYPE, "t", true)
// lg is ordered and unequal; the n… forms are true for NaN.
#define FLOATING(S, TYPE)                                                                     \
  CMP(S, TYPE, "f", false), CMP(S, TYPE, "lt", a < b), CMP(S, TYPE, "eq", a == b),            \
      CMP(S, TYPE, "le", a <= b), CMP(S, TYPE, "gt", a > b), CMP(S, TYPE, "lg", a<b || a> b), \
      CMP(S, TYPE, "ge", a >= b), CMP(S, TYPE, "o", !(a != a) && !(b != b)),                  \
      CMP(S, TYPE, "u", a != a || b != b), CMP(S, TYPE, "nge", !(a >= b)),                    \
      CMP(S, TYPE, "nlg", !(a < b || a > b)), CMP(S, TYPE, "ngt", !(a > b)),                  \
      CMP(S, TYPE, "nle", !(a <= b)), CMP(S, TYPE, "neq", !(a == b)),                         \
      CMP(S, TYPE, "nlt", !(a < b)), CMP(S, TYPE, "t", true)
#define CLASS(BITS, TYPE)                                                        \
  Row{"v_cmp_class_" TYPE,                                                       \
      {run_class<Track::off, BITS, false>, run_class<Track::on, BITS, false>},   \
      Flow::special,                                                             \
      "compare"},                                                                \
      Row{"v_cmpx_class_" TYPE,                                                  \
          {run_class<Track::off, BITS, true>, run_class<Track::on, BITS, true>}, \
          Flow::special,                                                         \
          "compare"}

constexpr Row kRows[] = {
    INTEGER16(Halves<int16_t>, "i16"),
    INTEGER16(Halves<uint16_t>, "u16"),
    INTEGER(Words<int32_t>, "i32"),
    INTEGER(Words<uint32_t>, "u32"),
    INTEGER(Wides<int64_t>, "i64"),
    INTEGER(Wides<uint64_t>, "u64"),
    FLOATING(F16s, "f16"),
    FLOATING(F32s, "f32"),
    FLOATING(F64s, "f64"),
    CLASS(16, "f16"),
    CLASS(32, "f32"),
    CLASS(64, "f64"),
};

}  // namespace

std::span<const Row> compare_rows() { return kRows; }

}  // namespace w4::rdna
