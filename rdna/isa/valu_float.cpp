// fp32 and fp16 vector arithmetic. Every result is rounded once, to nearest even.
#include <algorithm>
#include <cmath>

#include "rdna/isa/float_math.h"
#include "rdna/isa/float_out.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;

// v_rcp, v_rsq, v_sqrt, v_exp and v_log flush fp32 denormals whatever MODE says
// (llvm-project#205101, #211017, #180291); hardware is within 1 ulp, here the nearest value.
enum class Denormals { as_mode, flush };

template <Track T, int N, auto F, Denormals K>
void run_f32(Wave& w, const Op& op) {
  if (w.round32) [[unlikely]]
    return unsupported(w, op, "fp32 rounding mode other than nearest even");
  Lanes t[N], r;
  const FloatBits* p[N];
  u32 d = ~0u;
  for (int i = 0; i < N; ++i) {
    p[i] = read_f32(w, op.src[i], t[i]);
    if constexpr (T == Track::on) d &= read_def(w, op.src[i]).all();
  }
  for (int l = 0; l < kLanes; ++l) {
    if constexpr (N == 1 && K == Denormals::flush) {
      r.v[l] = one_nan(bits_of(F(flush32(float{p[0][l]}))));
    } else if constexpr (N == 1) {
      r.v[l] = one_nan(bits_of(F(float{p[0][l]})));
    } else if constexpr (N == 2) {
      r.v[l] = one_nan(bits_of(F(float{p[0][l]}, float{p[1][l]})));
    } else {
      r.v[l] = one_nan(bits_of(F(float{p[0][l]}, float{p[1][l]}, float{p[2][l]})));
    }
  }
  put_f32<T, K == Denormals::flush>(w, op, r, d);
}
// G where MODE.IEEE is set: the minima and maxima of gfx11 tell signalling NaNs from quiet ones.
template <Track T, int N, auto F, auto G>
void run_f32_ieee(Wave& w, const Op& op) {
  w.ieee ? run_f32<T, N, G, Denormals::as_mode>(w, op)
         : run_f32<T, N, F, Denormals::as_mode>(w, op);
}

// v_fmac: the destination is the addend.
template <Track T>
void run_fmac32(Wave& w, const Op& op) {
  if (w.round32) [[unlikely]]
    return unsupported(w, op, "fp32 rounding mode other than nearest even");
  Lanes ta, tb, tc, r;
  const int dst = op.dst[0].reg;
  Operand addend;
  addend.kind = OperandKind::vgpr;
  addend.reg = static_cast<uint16_t>(dst);
  const FloatBits *a = read_f32(w, op.src[0], ta), *b = read_f32(w, op.src[1], tb);
  const FloatBits* c = read_f32(w, addend, tc);
  u32 d = ~0u;
  if constexpr (T == Track::on) {
    d = (read_def(w, op.src[0]) & read_def(w, op.src[1]) & read_def(w, addend)).all();
  }
  for (int l = 0; l < kLanes; ++l) {
    r.v[l] = one_nan(bits_of(__builtin_fmaf(a[l], b[l], c[l])));
  }
  put_f32<T>(w, op, r, d);
}

// Widening makes NaNs quiet: signalling ones anew.
void keep_signalling(const Wave& w, const Operand& o, Floats& f) {
  Lanes t;
  const u32* p = read_v(w, o, t);
  const int s = half_shift(o);
  for (int l = 0; l < kLanes; ++l) {
    const u32 x = p[l] >> s & 0x7fffu;
    if (x > 0x7c00u && x < 0x7e00u) f.v[l] = as_f32(0x7fa00000u);
  }
}

// F works on fp32 values of fp16 sources and returns what one rounding to fp16 finishes: exact, or
// fp32 with at least 24 >= 2 * 11 + 2 bits for one of + - * / sqrt.
template <Track T, int N, auto F, bool kSignalling = false>
void run_f16(Wave& w, const Op& op) {
  if (w.round16_64) [[unlikely]]
    return unsupported(w, op, "fp16 rounding mode other than nearest even");
  Floats f[N], r;
  u32 d = ~0u;
  for (int i = 0; i < N; ++i) {
    read_f16(w, op.src[i], f[i]);
    if constexpr (kSignalling) keep_signalling(w, op.src[i], f[i]);
    if constexpr (T == Track::on) d &= half_def(w, op.src[i]);
  }
  apply_lanes<N, F>(f, r);
  put_f16<T>(w, op, r, d);
}

template <Track T, int N, auto F, auto G>
void run_f16_ieee(Wave& w, const Op& op) {
  w.ieee ? run_f16<T, N, G, true>(w, op) : run_f16<T, N, F>(w, op);
}

template <Track T, bool kDstAddend>
void run_fma16(Wave& w, const Op& op) {
  if (w.round16_64) [[unlikely]]
    return unsupported(w, op, "fp16 rounding mode other than nearest even");
  Floats a, b, c, r;
  Operand addend = op.src[2];
  if constexpr (kDstAddend) {
    addend = Operand{};
    addend.kind = OperandKind::vgpr;
    addend.reg = op.dst[0].reg;
    addend.mods = high_dst(op) ? kOpSel0 : 0;
  }
  read_f16(w, op.src[0], a);
  read_f16(w, op.src[1], b);
  read_f16(w, addend, c);
  u32 d = ~0u;
  if constexpr (T == Track::on) {
    d = half_def(w, op.src[0]) & half_def(w, op.src[1]) & half_def(w, addend);
  }
  for (int l = 0; l < kLanes; l += 8) {
    _mm256_store_ps(r.v + l, one_nan(fma_to_odd(_mm256_load_ps(a.v + l), _mm256_load_ps(b.v + l),
                                                _mm256_load_ps(c.v + l))));
  }
  put_f16<T>(w, op, r, d);
}

// Exponent of the second source: an integer of the word, or of a half for fp16.
template <Track T>
void run_ldexp32(Wave& w, const Op& op) {
  Lanes ta, tb, r;
  const FloatBits* a = read_f32(w, op.src[0], ta);
  const u32* e = read_v(w, op.src[1], tb);
  u32 d = ~0u;
  if constexpr (T == Track::on) d = read_def(w, op.src[0]).all() & read_def(w, op.src[1]).all();
  for (int l = 0; l < kLanes; ++l) {
    const int n = std::clamp(static_cast<int>(e[l]), -400, 400);
    r.v[l] = bits_of(static_cast<float>(std::ldexp(double{a[l]}, n)));
  }
  put_f32<T>(w, op, r, d);
}
template <Track T>
void run_ldexp16(Wave& w, const Op& op) {
  Floats a, r;
  Lanes tb;
  read_f16(w, op.src[0], a);
  const u32* e = read_v(w, op.src[1], tb);
  const int s = half_shift(op.src[1]);
  u32 d = ~0u;
  if constexpr (T == Track::on) d = half_def(w, op.src[0]) & half_def(w, op.src[1]);
  for (int l = 0; l < kLanes; ++l) {
    const int n = std::clamp(int{static_cast<int16_t>(e[l] >> s)}, -80, 80);
    r.v[l] = std::ldexp(a.v[l], n);
  }
  put_f16<T>(w, op, r, d);
}

// Fixes the last steps of a division: (quotient, denominator, numerator).
inline float fixup(float q, float den, float num) {
  const bool minus = std::signbit(den) != std::signbit(num);
  const float zero = minus ? -0.f : 0.f, inf = minus ? -HUGE_VALF : HUGE_VALF;
  if (num != num) return num + num;
  if (den != den) return den + den;
  if ((num == 0 && den == 0) || (std::isinf(num) && std::isinf(den))) return __builtin_nanf("");
  if (den == 0 || std::isinf(num)) return inf;
  if (std::isinf(den) || num == 0) return zero;
  // The steps before leave a NaN only where the quotient overflowed on the way, and nothing useful
  // where it lies below every denormal.
  const auto exponent = [](float x) { return static_cast<int>(bits_of(x) >> 23 & 0xff); };
  if (exponent(num) - exponent(den) < -150) return zero;
  if (q != q) return inf;
  return std::copysign(q, minus ? -1.f : 1.f);
}

// v_div_scale_f32: scales the numerator or the denominator (src[0], whichever of src[1] den and
// src[2] num it equals) so that the division steps neither overflow nor lose denormal bits; VCC
// says where v_div_fmas has to scale back.
template <Track T>
void run_div_scale32(Wave& w, const Op& op) {
  Lanes t0, t1, t2, r, c;
  const FloatBits* s0 = read_f32(w, op.src[0], t0);
  const FloatBits* den = read_f32(w, op.src[1], t1);
  const FloatBits* num = read_f32(w, op.src[2], t2);
  u32 d = ~0u;
  if constexpr (T == Track::on) {
    d = (read_def(w, op.src[0]) & read_def(w, op.src[1]) & read_def(w, op.src[2])).all();
  }
  for (int l = 0; l < kLanes; ++l) {
    const float x = s0[l], b = den[l], a = num[l];
    const auto exponent = [](float f) { return static_cast<int>(bits_of(f) >> 23 & 0xff); };
    const auto denormal = [&](float f) { return f != 0 && exponent(f) == 0; };
    const bool is_den = bits_of(x) == bits_of(b), is_num = bits_of(x) == bits_of(a);
    float y = x;
    bool scaled = false;
    if (a == 0 || b == 0) {
      y = __builtin_nanf("");
    } else if (exponent(a) - exponent(b) >= 96) {  // the quotient overflows on the way
      scaled = true;
      if (is_den) y = std::ldexp(x, 64);
    } else if (denormal(b)) {
      y = std::ldexp(x, 64);
    } else if (denormal(1.f / b) && denormal(static_cast<float>(a / b))) {
      // The document says 2^64 here too, which would take the denominator to infinity.
      scaled = true;
      if (is_den) y = std::ldexp(x, -64);
    } else if (denormal(1.f / b)) {
      y = std::ldexp(x, -64);
    } else if (denormal(static_cast<float>(a / b))) {
      scaled = true;
      if (is_num) y = std::ldexp(x, 64);
    } else if (exponent(a) <= 23) {
      y = std::ldexp(x, 64);
    }
    r.v[l] = bits_of(y);
    c.v[l] = scaled ? ~0u : 0u;
  }
  const u32 e = w.exec();
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, {d, d}, e);
  put_lanes(w, op.dst[0].reg, r);
  write_s(w, op.dst[1].reg, sign_bits(c) & e, T == Track::on ? d | ~e : ~0u);
}
// fma, then * 2^64 or 2^-64 by the direction of the scaling where VCC is set.
template <Track T>
void run_div_fmas32(Wave& w, const Op& op) {
  Lanes t[3], r;
  const FloatBits* p[3];
  u32 d = ~0u;
  for (int i = 0; i < 3; ++i) {
    p[i] = read_f32(w, op.src[i], t[i]);
    if constexpr (T == Track::on) d &= read_def(w, op.src[i]).all();
  }
  if constexpr (T == Track::on) d &= w.sdef[kVcc];
  for (int l = 0; l < kLanes; ++l) {
    double x = fmath::fma_to_odd64(p[0][l], p[1][l], p[2][l]);
    if (w.vcc() >> l & 1) x = std::ldexp(x, (bits_of(p[2][l]) >> 23 & 0xff) > 127 ? 64 : -64);
    r.v[l] = one_nan(bits_of(static_cast<float>(x)));
  }
  put_f32<T>(w, op, r, d);
}

inline float fract16(float x) {
  const float r = x - __builtin_floorf(x);
  return r > 0x1.ffcp-1f ? 0x1.ffcp-1f : r;
}

template <int N, auto F>
constexpr Row f32(std::string_view m, Evidence e = Evidence::ieee) {
  return {
      m,
      {run_f32<Track::off, N, F, Denormals::as_mode>, run_f32<Track::on, N, F, Denormals::as_mode>},
      Flow::mix,
      "valu_float",
      e};
}
template <int N, auto F, auto G>
constexpr Row f32_ieee(std::string_view m) {
  return {m,
          {run_f32_ieee<Track::off, N, F, G>, run_f32_ieee<Track::on, N, F, G>},
          Flow::mix,
          "valu_float"};
}
template <auto F>
constexpr Row approx(std::string_view m) {
  return {m,
          {run_f32<Track::off, 1, F, Denormals::flush>, run_f32<Track::on, 1, F, Denormals::flush>},
          Flow::mix,
          "valu_float",
          Evidence::document};
}
template <int N, auto F>
constexpr Row f16(std::string_view m, Evidence e = Evidence::ieee) {
  return {m, {run_f16<Track::off, N, F>, run_f16<Track::on, N, F>}, Flow::half, "valu_float", e};
}

template <int N, auto F, auto G>
constexpr Row f16_ieee(std::string_view m) {
  return {m,
          {run_f16_ieee<Track::off, N, F, G>, run_f16_ieee<Track::on, N, F, G>},
          Flow::half,
          "valu_float"};
}

#define F1(E) [](float a) -> float { return E; }
#define F2(E) [](float a, float b) -> float { return E; }
#define F3(E) [](float a, float b, float c) -> float { return E; }
#define BOTH(...) {__VA_ARGS__}, Flow::mix, "valu_float"

// The legacy forms take 0 * anything as +0.
constexpr auto kMulZero = F2((a == 0 || b == 0) ? 0.f : a * b);
constexpr auto kFmaZero = F3((a == 0 || b == 0) ? c : __builtin_fmaf(a, b, c));

constexpr Row kRows[] = {
    f32<2, F2(a + b)>("v_add_f32"),
    f32<2, F2(a - b)>("v_sub_f32"),
    f32<2, F2(b - a)>("v_subrev_f32"),
    f32<2, F2(a* b)>("v_mul_f32"),
    f32<2, kMulZero>("v_mul_dx9_zero_f32"),
    f32<3, kFmaZero>("v_fma_dx9_zero_f32"),
    f32<3, F3(__builtin_fmaf(a, b, c))>("v_fma_f32"),
    // Literals stand in the order of the assembler: fmaak a * b + K, fmamk a * K + b.
    f32<3, F3(__builtin_fmaf(a, b, c))>("v_fmaak_f32"),
    f32<3, F3(__builtin_fmaf(a, b, c))>("v_fmamk_f32"),
    {"v_fmac_f32", BOTH(run_fmac32<Track::off>, run_fmac32<Track::on>)},
    f32_ieee<2, F2(fmath::min_num(a, b)), F2(fmath::min_ieee(a, b))>("v_min_f32"),
    f32_ieee<2, F2(fmath::max_num(a, b)), F2(fmath::max_ieee(a, b))>("v_max_f32"),
    f32<2, F2(fmath::min_num(a, b))>("v_min_num_f32"),
    f32<2, F2(fmath::max_num(a, b))>("v_max_num_f32"),
    f32<2, F2(fmath::minimum(a, b))>("v_minimum_f32"),
    f32<2, F2(fmath::maximum(a, b))>("v_maximum_f32"),
    f32_ieee<3, F3(fmath::min_num(fmath::min_num(a, b), c)),
             F3(fmath::min_ieee(fmath::min_ieee(a, b), c))>("v_min3_f32"),
    f32_ieee<3, F3(fmath::max_num(fmath::max_num(a, b), c)),
             F3(fmath::max_ieee(fmath::max_ieee(a, b), c))>("v_max3_f32"),
    f32<3, F3(fmath::min_num(fmath::min_num(a, b), c))>("v_min3_num_f32"),
    f32<3, F3(fmath::max_num(fmath::max_num(a, b), c))>("v_max3_num_f32"),
    f32_ieee<3, F3(fmath::med3(a, b, c)), F3(fmath::med3_ieee(a, b, c))>("v_med3_f32"),
    f32<3, F3(fmath::med3(a, b, c))>("v_med3_num_f32"),
    f32_ieee<3, F3(fmath::max_num(fmath::min_num(a, b), c)),
             F3(fmath::max_ieee(fmath::min_ieee(a, b), c))>("v_minmax_f32"),
    f32_ieee<3, F3(fmath::min_num(fmath::max_num(a, b), c)),
             F3(fmath::min_ieee(fmath::max_ieee(a, b), c))>("v_maxmin_f32"),
    f32<3, F3(fmath::max_num(fmath::min_num(a, b), c))>("v_minmax_num_f32"),
    f32<3, F3(fmath::min_num(fmath::max_num(a, b), c))>("v_maxmin_num_f32"),
    f32<1, F1(__builtin_floorf(a))>("v_floor_f32"),
    f32<1, F1(__builtin_ceilf(a))>("v_ceil_f32"),
    f32<1, F1(__builtin_truncf(a))>("v_trunc_f32"),
    f32<1, F1(__builtin_rintf(a))>("v_rndne_f32"),
    f32<1, F1(fmath::fract(a))>("v_fract_f32"),
    f32<1, F1(fmath::frexp_mant(a))>("v_frexp_mant_f32"),
    f32<3, F3(fixup(a, b, c))>("v_div_fixup_f32"),
    {"v_div_scale_f32", BOTH(run_div_scale32<Track::off>, run_div_scale32<Track::on>)},
    // VCC is no operand: only the handler knows that it takes part.
    {"v_div_fmas_f32",
     {run_div_fmas32<Track::off>, run_div_fmas32<Track::on>},
     Flow::special,
     "valu_float"},
    {"v_ldexp_f32", BOTH(run_ldexp32<Track::off>, run_ldexp32<Track::on>)},
    approx<F1(1.f / a)>("v_rcp_f32"),
    approx<F1(1.f / a)>("v_rcp_iflag_f32"),
    approx<F1(static_cast<float>(1.0 / std::sqrt(double{a})))>("v_rsq_f32"),
    approx<F1(std::sqrt(a))>("v_sqrt_f32"),
    approx<F1(static_cast<float>(std::exp2(double{a})))>("v_exp_f32"),
    approx<F1(static_cast<float>(std::log2(double{a})))>("v_log_f32"),
    // The argument is in turns: sin(2 pi x). Denormals as MODE says.
    f32<1, F1(static_cast<float>(fmath::sin_turns(a)))>("v_sin_f32", Evidence::document),
    f32<1, F1(static_cast<float>(fmath::cos_turns(a)))>("v_cos_f32", Evidence::document),
    f16<2, F2(a + b)>("v_add_f16"),
    f16<2, F2(a - b)>("v_sub_f16"),
    f16<2, F2(b - a)>("v_subrev_f16"),
    f16<2, F2(a* b)>("v_mul_f16"),
    {"v_fma_f16", BOTH(run_fma16<Track::off, false>, run_fma16<Track::on, false>)},
    {"v_fmaak_f16", BOTH(run_fma16<Track::off, false>, run_fma16<Track::on, false>)},
    {"v_fmamk_f16", BOTH(run_fma16<Track::off, false>, run_fma16<Track::on, false>)},
    {"v_fmac_f16", BOTH(run_fma16<Track::off, true>, run_fma16<Track::on, true>)},
    f16_ieee<2, F2(fmath::min_num(a, b)), F2(fmath::min_ieee(a, b))>("v_min_f16"),
    f16_ieee<2, F2(fmath::max_num(a, b)), F2(fmath::max_ieee(a, b))>("v_max_f16"),
    f16<2, F2(fmath::min_num(a, b))>("v_min_num_f16"),
    f16<2, F2(fmath::max_num(a, b))>("v_max_num_f16"),
    f16<2, F2(fmath::minimum(a, b))>("v_minimum_f16"),
    f16<2, F2(fmath::maximum(a, b))>("v_maximum_f16"),
    f16_ieee<3, F3(fmath::min_num(fmath::min_num(a, b), c)),
             F3(fmath::min_ieee(fmath::min_ieee(a, b), c))>("v_min3_f16"),
    f16_ieee<3, F3(fmath::max_num(fmath::max_num(a, b), c)),
             F3(fmath::max_ieee(fmath::max_ieee(a, b), c))>("v_max3_f16"),
    f16<3, F3(fmath::min_num(fmath::min_num(a, b), c))>("v_min3_num_f16"),
    f16<3, F3(fmath::max_num(fmath::max_num(a, b), c))>("v_max3_num_f16"),
    f16_ieee<3, F3(fmath::med3(a, b, c)), F3(fmath::med3_ieee(a, b, c))>("v_med3_f16"),
    f16_ieee<3, F3(fmath::max_num(fmath::min_num(a, b), c)),
             F3(fmath::max_ieee(fmath::min_ieee(a, b), c))>("v_minmax_f16"),
    f16_ieee<3, F3(fmath::min_num(fmath::max_num(a, b), c)),
             F3(fmath::min_ieee(fmath::max_ieee(a, b), c))>("v_maxmin_f16"),
    f16<3, F3(fmath::med3(a, b, c))>("v_med3_num_f16"),
    f16<3, F3(fixup(a, b, c))>("v_div_fixup_f16"),
    f16<1, F1(__builtin_floorf(a))>("v_floor_f16"),
    f16<1, F1(__builtin_ceilf(a))>("v_ceil_f16"),
    f16<1, F1(__builtin_truncf(a))>("v_trunc_f16"),
    f16<1, F1(__builtin_rintf(a))>("v_rndne_f16"),
    f16<1, F1(fmath::frexp_mant(a))>("v_frexp_mant_f16"),
    // The largest fp16 below 1 bounds the result.
    f16<1, F1(fract16(a))>("v_fract_f16"),
    f16<1, F1(1.f / a)>("v_rcp_f16", Evidence::document),
    f16<1, F1(fmath::odd32(1.0 / std::sqrt(double{a})))>("v_rsq_f16", Evidence::document),
    f16<1, F1(std::sqrt(a))>("v_sqrt_f16", Evidence::document),
    f16<1, F1(fmath::odd32(std::exp2(double{a})))>("v_exp_f16", Evidence::document),
    f16<1, F1(fmath::odd32(std::log2(double{a})))>("v_log_f16", Evidence::document),
    {"v_ldexp_f16", BOTH(run_ldexp16<Track::off>, run_ldexp16<Track::on>)},
};

}  // namespace

std::span<const Row> valu_float_rows() { return kRows; }

}  // namespace w4::rdna
