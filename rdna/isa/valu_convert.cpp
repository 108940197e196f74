// Conversions between integers and floats. Float to integer cuts toward zero, saturates, and takes
// a NaN as 0.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "rdna/isa/float_math.h"
#include "rdna/isa/float_out.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using i32 = int32_t;

template <class I, class F>
inline I saturate(F x) {
  constexpr F kLow = static_cast<F>(std::numeric_limits<I>::min());
  constexpr F kHigh = static_cast<F>(std::numeric_limits<I>::max());  // may round up to 2^n
  if (x != x) return 0;
  if (x >= kHigh) return std::numeric_limits<I>::max();
  return x <= kLow ? std::numeric_limits<I>::min() : static_cast<I>(x);
}

// Sources: how a row is read and which lanes of it are defined.
template <int kByte>
struct Byte {
  Lanes t;
  const u32* p;
  u32 d;
  Byte(const Wave& w, const Operand& o) : p(read_v(w, o, t)) {
    const Defined x = read_def(w, o);
    d = kByte < 2 ? x.lo : x.hi;
  }
  u32 operator[](int l) const { return p[l] >> (8 * kByte) & 0xff; }
};
template <class V>
struct Word {
  Lanes t;
  const u32* p;
  u32 d;
  Word(const Wave& w, const Operand& o) : p(read_v(w, o, t)), d(read_def(w, o).all()) {}
  V operator[](int l) const { return static_cast<V>(p[l]); }
};
template <class V>
struct Half {
  Lanes t;
  const u32* p;
  int s;
  u32 d;
  Half(const Wave& w, const Operand& o) : p(read_v(w, o, t)), s(half_shift(o)), d(half_def(w, o)) {}
  V operator[](int l) const { return static_cast<V>(p[l] >> s); }
};
struct F32 {
  Lanes t;
  const FloatBits* p;
  u32 d;
  F32(const Wave& w, const Operand& o) : p(read_f32(w, o, t)), d(read_def(w, o).all()) {}
  float operator[](int l) const { return p[l]; }
};
struct F16 {
  Floats f;
  u32 d;
  F16(const Wave& w, const Operand& o) : d(half_def(w, o)) { read_f16(w, o, f); }
  float operator[](int l) const { return f.v[l]; }
};
struct F64 {
  Doubles f;
  u32 d;
  F64(const Wave& w, const Operand& o) : d(def64(w, o)) { read_f64(w, o, f); }
  double operator[](int l) const { return f.v[l]; }
};

// Destinations by the type F returns: u32 plain word, uint16_t half, float fp32 or (kHalf) fp16,
// double fp64.
template <Track T, class S, auto F, bool kHalf>
void run_convert(Wave& w, const Op& op) {
  if ((kHalf ? w.round16_64 : w.round32) != 0) [[unlikely]]
    return unsupported(w, op, "rounding mode other than nearest even");
  const S s(w, op.src[0]);
  using R = decltype(F(s[0]));
  const int dst = op.dst[0].reg;
  if constexpr (std::is_same_v<R, double>) {
    Doubles r;
    for (int l = 0; l < kLanes; ++l) r.v[l] = F(s[l]);
    put_f64<T>(w, op, r, s.d);
  } else if constexpr (std::is_same_v<R, float> && kHalf) {
    Floats r;
    for (int l = 0; l < kLanes; ++l) r.v[l] = F(s[l]);
    put_f16<T>(w, op, r, s.d);
  } else {
    Lanes r;
    for (int l = 0; l < kLanes; ++l) {
      if constexpr (std::is_same_v<R, float>) {
        r.v[l] = bits_of(F(s[l]));
      } else {
        r.v[l] = F(s[l]);
      }
    }
    if constexpr (std::is_same_v<R, float>) {
      put_f32<T>(w, op, r, s.d);
    } else if constexpr (kHalf) {
      if constexpr (T == Track::on) write_half_def(w, dst, high_dst(op), s.d);
      write_half(w, dst, high_dst(op), r);
    } else {
      if constexpr (T == Track::on) write_def(w, dst, {s.d, s.d}, w.exec());
      put_lanes(w, dst, r);
    }
  }
}
template <class S, auto F, bool kHalf = false>
constexpr Row cvt(std::string_view m) {
  return {m,
          {run_convert<Track::off, S, F, kHalf>, run_convert<Track::on, S, F, kHalf>},
          kHalf ? Flow::half : Flow::mix,
          "valu_convert"};
}

// Two fp32 sources to a pair of 16-bit values; F gives the 16 bits of one.
template <Track T, auto F>
void run_pair(Wave& w, const Op& op) {
  const F32 a(w, op.src[0]), b(w, op.src[1]);
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, {a.d, b.d}, w.exec());
  Lanes r;
  for (int l = 0; l < kLanes; ++l) r.v[l] = (F(a[l]) & 0xffffu) | F(b[l]) << 16;
  put_lanes(w, op.dst[0].reg, r);
}
template <auto F>
constexpr Row pair(std::string_view m) {
  return {m, {run_pair<Track::off, F>, run_pair<Track::on, F>}, Flow::special, "valu_convert"};
}
// Two fp16 sources.
template <Track T, auto F>
void run_pair16(Wave& w, const Op& op) {
  const F16 a(w, op.src[0]), b(w, op.src[1]);
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, {a.d, b.d}, w.exec());
  Lanes r;
  for (int l = 0; l < kLanes; ++l) r.v[l] = (F(a[l]) & 0xffffu) | F(b[l]) << 16;
  put_lanes(w, op.dst[0].reg, r);
}
template <auto F>
constexpr Row pair16(std::string_view m) {
  return {m, {run_pair16<Track::off, F>, run_pair16<Track::on, F>}, Flow::special, "valu_convert"};
}

u32 f16_toward_zero(float x) { return _cvtss_sh(one_nan(x), _MM_FROUND_TO_ZERO); }
// Normalised integers: [-1, 1] or [0, 1] times the largest value, rounded once to nearest even (the
// product is exact in double).
u32 norm_i16(float x) {
  return static_cast<u32>(
      saturate<int16_t>(__builtin_rint(std::clamp(double{x}, -1., 1.) * 32767.)));
}
u32 norm_u16(float x) {
  return saturate<uint16_t>(__builtin_rint(std::clamp(double{x}, 0., 1.) * 65535.));
}

#define FROM(E) [](auto a) { return E; }
#define TO(R, E) [](auto a) -> R { return static_cast<R>(E); }

constexpr Row kRows[] = {
    cvt<Word<i32>, TO(float, a)>("v_cvt_f32_i32"),
    cvt<Word<u32>, TO(float, a)>("v_cvt_f32_u32"),
    cvt<Byte<0>, TO(float, a)>("v_cvt_f32_ubyte0"),
    cvt<Byte<1>, TO(float, a)>("v_cvt_f32_ubyte1"),
    cvt<Byte<2>, TO(float, a)>("v_cvt_f32_ubyte2"),
    cvt<Byte<3>, TO(float, a)>("v_cvt_f32_ubyte3"),
    cvt<F16, TO(float, a)>("v_cvt_f32_f16"),
    cvt<F64, TO(float, a)>("v_cvt_f32_f64"),
    cvt<Word<i32>, TO(double, a)>("v_cvt_f64_i32"),
    cvt<Word<u32>, TO(double, a)>("v_cvt_f64_u32"),
    cvt<F32, TO(double, a)>("v_cvt_f64_f32"),
    cvt<F32, TO(u32, saturate<i32>(a))>("v_cvt_i32_f32"),
    cvt<F32, TO(u32, saturate<u32>(a))>("v_cvt_u32_f32"),
    cvt<F64, TO(u32, saturate<i32>(a))>("v_cvt_i32_f64"),
    cvt<F64, TO(u32, saturate<u32>(a))>("v_cvt_u32_f64"),
    // "nearest" is the documents' floor(x + 0.5).
    cvt<F32, TO(u32, saturate<i32>(__builtin_floorf(a + 0.5f)))>("v_cvt_nearest_i32_f32"),
    cvt<F32, TO(u32, saturate<i32>(__builtin_floorf(a)))>("v_cvt_floor_i32_f32"),
    cvt<F32, TO(u32, fmath::frexp_exp(a))>("v_frexp_exp_i32_f32"),
    cvt<F64, TO(u32, fmath::frexp_exp(a))>("v_frexp_exp_i32_f64"),
    cvt<F16, TO(uint16_t, fmath::frexp_exp(a)), true>("v_frexp_exp_i16_f16"),
    cvt<F32, TO(float, a), true>("v_cvt_f16_f32"),
    // 16 bits fit fp32, so one rounding is left.
    cvt<Half<uint16_t>, TO(float, a), true>("v_cvt_f16_u16"),
    cvt<Half<int16_t>, TO(float, a), true>("v_cvt_f16_i16"),
    cvt<F16, TO(uint16_t, saturate<uint16_t>(a)), true>("v_cvt_u16_f16"),
    cvt<F16, TO(uint16_t, saturate<int16_t>(a)), true>("v_cvt_i16_f16"),
    pair<f16_toward_zero>("v_cvt_pk_rtz_f16_f32"),
    pair<norm_i16>("v_cvt_pk_norm_i16_f32"),
    pair<norm_u16>("v_cvt_pk_norm_u16_f32"),
    pair<[](float a) -> u32 { return static_cast<u32>(saturate<int16_t>(a)); }>("v_cvt_pk_i16_f32"),
    pair<[](float a) -> u32 { return saturate<uint16_t>(a); }>("v_cvt_pk_u16_f32"),
    pair16<norm_i16>("v_cvt_pk_norm_i16_f16"),
    pair16<norm_u16>("v_cvt_pk_norm_u16_f16"),
};

}  // namespace

std::span<const Row> valu_convert_rows() { return kRows; }

}  // namespace w4::rdna
