// Scalar float instructions of gfx11.5 and gfx12.
#include <algorithm>
#include <cmath>
#include <limits>

#include "rdna/isa/float_math.h"
#include "rdna/isa/float_out.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using i32 = int32_t;

bool known(const Wave& w, const Operand& o, bool half) {
  const u32 need = half ? 0xffffu : ~0u;
  return (read_sdef(w, o) & need) == need;
}
float in32(const Wave& w, const Operand& o) {
  const u32 x = read_s(w, o);
  return as_f32((w.denorm32 & 1) ? x : flush32(x));
}
u32 out32(const Wave& w, float x) { return (w.denorm32 & 2) ? bits_of(x) : flush32(bits_of(x)); }
float in16(const Wave& w, const Operand& o) {
  const u32 x = read_s(w, o) & 0xffffu;
  const bool flush = !(w.denorm16_64 & 1) && !(x & 0x7c00u);
  return _cvtsh_ss(static_cast<uint16_t>(flush ? x & 0x8000u : x));
}
u32 out16(const Wave& w, float x) {
  const u32 h = _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
  return !(w.denorm16_64 & 2) && !(h & 0x7c00u) ? h & 0x8000u : h;
}

// N sources, all fp32 or all fp16. 16-bit results clear the high half of the SGPR.
template <Track T, int N, auto F, bool kHalf, bool kDstAddend = false>
void run(Wave& w, const Op& op) {
  if (kHalf ? w.round16_64 : w.round32) [[unlikely]]
    return unsupported(w, op, "rounding mode other than nearest even");
  float x[3] = {};
  bool d = true;
  for (int i = 0; i < N; ++i) {
    const Operand& o = kDstAddend && i == N - 1 ? op.dst[0] : op.src[i];
    x[i] = kHalf ? in16(w, o) : in32(w, o);
    d = d && known(w, o, kHalf);
  }
  float r;
  if constexpr (N == 1) r = F(x[0]);
  if constexpr (N == 2) r = F(x[0], x[1]);
  if constexpr (N == 3) r = F(x[0], x[1], x[2]);
  r = one_nan(r);
  const u32 undefined_bits = kHalf ? 0xffff0000u : 0u;
  write_s(w, op.dst[0].reg, kHalf ? out16(w, r) : out32(w, r),
          T == Track::off || d ? ~0u : undefined_bits);
}
// G where MODE.IEEE is set: signalling NaNs of minima and maxima. Widening makes NaNs quiet, so the
// fp16 ones are made anew.
template <Track T, auto F, auto G, bool kHalf>
void run_ieee(Wave& w, const Op& op) {
  if (!w.ieee) return run<T, 2, F, kHalf>(w, op);
  float x[2];
  bool d = true;
  for (int i = 0; i < 2; ++i) {
    const u32 h = read_s(w, op.src[i]) & 0x7fffu;
    x[i] = kHalf ? in16(w, op.src[i]) : in32(w, op.src[i]);
    if (kHalf && h > 0x7c00u && h < 0x7e00u) x[i] = as_f32(0x7fa00000u);
    d = d && known(w, op.src[i], kHalf);
  }
  const float r = one_nan(G(x[0], x[1]));
  write_s(w, op.dst[0].reg, kHalf ? out16(w, r) : out32(w, r),
          T == Track::off || d ? ~0u
          : kHalf              ? 0xffff0000u
                               : 0u);
}
// gfx12's transcendental functions of SGPRs (v_s_rcp_f32 and its like): vector instructions by
// encoding, with the vector ones' approximation and their flush of fp32 denormals.
template <Track T, auto F, bool kHalf>
void run_approx(Wave& w, const Op& op) {
  if (op.clamp || op.omod) return unsupported(w, op, "output modifiers of a scalar result");
  const Operand& o = op.src[0];
  const u32 sign = kHalf ? 0x8000u : 0x80000000u;
  const u32 x = sign_mods(read_s(w, o), o.mods, sign);
  u32 r;
  if constexpr (kHalf) {
    const bool flush = !(w.denorm16_64 & 1) && !(x & 0x7c00u);
    r = out16(w, one_nan(F(_cvtsh_ss(static_cast<uint16_t>(flush ? x & 0x8000u : x)))));
  } else {
    r = flush32(bits_of(one_nan(F(as_f32(flush32(x))))));
  }
  const u32 undefined_bits = kHalf ? 0xffff0000u : 0u;
  write_s(w, op.dst[0].reg, r, T == Track::off || known(w, o, kHalf) ? ~0u : undefined_bits);
}
template <Track T, auto F, bool kHalf>
void run_cmp(Wave& w, const Op& op) {
  const float a = kHalf ? in16(w, op.src[0]) : in32(w, op.src[0]);
  const float b = kHalf ? in16(w, op.src[1]) : in32(w, op.src[1]);
  w.scc = F(a, b);
  w.scc_def = T == Track::off || (known(w, op.src[0], kHalf) && known(w, op.src[1], kHalf));
}
// F: the source word to the result word.
template <Track T, auto F, u32 kNeed>
void run_word(Wave& w, const Op& op) {
  const bool d = (read_sdef(w, op.src[0]) & kNeed) == kNeed;
  write_s(w, op.dst[0].reg, F(w, op.src[0]), T == Track::off || d ? ~0u : 0u);
}
template <Track T>
void run_pk_rtz(Wave& w, const Op& op) {
  const u32 lo = _cvtss_sh(one_nan(in32(w, op.src[0])), _MM_FROUND_TO_ZERO);
  const u32 hi = _cvtss_sh(one_nan(in32(w, op.src[1])), _MM_FROUND_TO_ZERO);
  const u32 d =
      (known(w, op.src[0], false) ? 0xffffu : 0u) | (known(w, op.src[1], false) ? 0xffff0000u : 0u);
  write_s(w, op.dst[0].reg, lo | hi << 16, T == Track::off ? ~0u : d);
}

template <class I>
u32 saturate(float x) {
  constexpr float kLow = static_cast<float>(std::numeric_limits<I>::min());
  constexpr float kHigh = static_cast<float>(std::numeric_limits<I>::max());
  if (x != x) return 0;
  if (x >= kHigh) return static_cast<u32>(std::numeric_limits<I>::max());
  return static_cast<u32>(x <= kLow ? std::numeric_limits<I>::min() : static_cast<I>(x));
}
// fp16 sources are exact in fp32; odd rounding in double keeps the fused sum to one rounding.
float fma16(float a, float b, float c) { return fmath::fma_to_odd32(a, b, c); }

#define F1(E) [](float a) -> float { return E; }
#define F2(E) [](float a, float b) -> float { return E; }
#define F3(E) [](float a, float b, float c) -> float { return E; }
#define ROW(...) {__VA_ARGS__}, Flow::special, "salu_float"
#define ONE(NAME, E)                                                                             \
  Row{"s_" NAME "_f32", ROW(run<Track::off, 1, F1(E), false>, run<Track::on, 1, F1(E), false>)}, \
      Row {                                                                                      \
    "s_" NAME "_f16", ROW(run<Track::off, 1, F1(E), true>, run<Track::on, 1, F1(E), true>)       \
  }
#define TWO(NAME, E)                                                                             \
  Row{"s_" NAME "_f32", ROW(run<Track::off, 2, F2(E), false>, run<Track::on, 2, F2(E), false>)}, \
      Row {                                                                                      \
    "s_" NAME "_f16", ROW(run<Track::off, 2, F2(E), true>, run<Track::on, 2, F2(E), true>)       \
  }
#define TWO_IEEE(NAME, E, G)                                                                     \
  Row{"s_" NAME "_f32",                                                                          \
      ROW(run_ieee<Track::off, F2(E), F2(G), false>, run_ieee<Track::on, F2(E), F2(G), false>)}, \
      Row {                                                                                      \
    "s_" NAME "_f16",                                                                            \
        ROW(run_ieee<Track::off, F2(E), F2(G), true>, run_ieee<Track::on, F2(E), F2(G), true>)   \
  }
#define CMP(NAME, E)                                                                             \
  Row{"s_cmp_" NAME "_f32", ROW(run_cmp<Track::off, [](float a, float b) { return E; }, false>,  \
                                run_cmp<Track::on, [](float a, float b) { return E; }, false>)}, \
      Row {                                                                                      \
    "s_cmp_" NAME "_f16", ROW(run_cmp<Track::off, [](float a, float b) { return E; }, true>,     \
                              run_cmp<Track::on, [](float a, float b) { return E; }, true>)      \
  }
#define APPROX(NAME, E)                                             \
  Row{"v_s_" NAME "_f32",                                           \
      ROW(run_approx<Track::off, F1(static_cast<float>(E)), false>, \
          run_approx<Track::on, F1(static_cast<float>(E)), false>), \
      Evidence::document},                                          \
      Row {                                                         \
    "v_s_" NAME "_f16",                                             \
        ROW(run_approx<Track::off, F1(fmath::odd32(E)), true>,      \
            run_approx<Track::on, F1(fmath::odd32(E)), true>),      \
        Evidence::document                                          \
  }
#define WORD(NAME, NEED, E)                                                                       \
  Row {                                                                                           \
    NAME,                                                                                         \
        ROW(run_word<Track::off, [](const Wave& w, const Operand& o) -> u32 { return E; }, NEED>, \
            run_word<Track::on, [](const Wave& w, const Operand& o) -> u32 { return E; }, NEED>)  \
  }

constexpr Row kRows[] = {
    TWO("add", a + b),
    TWO("sub", a - b),
    TWO("mul", a* b),
    TWO_IEEE("min", fmath::min_num(a, b), fmath::min_ieee(a, b)),
    TWO_IEEE("max", fmath::max_num(a, b), fmath::max_ieee(a, b)),
    TWO("min_num", fmath::min_num(a, b)),
    TWO("max_num", fmath::max_num(a, b)),
    TWO("minimum", fmath::minimum(a, b)),
    TWO("maximum", fmath::maximum(a, b)),
    ONE("ceil", __builtin_ceilf(a)),
    ONE("floor", __builtin_floorf(a)),
    ONE("trunc", __builtin_truncf(a)),
    ONE("rndne", __builtin_rintf(a)),
    {"s_fmac_f32", ROW(run<Track::off, 3, F3(__builtin_fmaf(a, b, c)), false, true>,
                       run<Track::on, 3, F3(__builtin_fmaf(a, b, c)), false, true>)},
    {"s_fmac_f16",
     ROW(run<Track::off, 3, fma16, true, true>, run<Track::on, 3, fma16, true, true>)},
    {"s_fmaak_f32", ROW(run<Track::off, 3, F3(__builtin_fmaf(a, b, c)), false>,
                        run<Track::on, 3, F3(__builtin_fmaf(a, b, c)), false>)},
    {"s_fmamk_f32", ROW(run<Track::off, 3, F3(__builtin_fmaf(a, b, c)), false>,
                        run<Track::on, 3, F3(__builtin_fmaf(a, b, c)), false>)},
    CMP("lt", a < b),
    CMP("eq", a == b),
    CMP("le", a <= b),
    CMP("gt", a > b),
    CMP("lg", a<b || a> b),
    CMP("ge", a >= b),
    CMP("o", a == a && b == b),
    CMP("u", a != a || b != b),
    CMP("nge", !(a >= b)),
    CMP("nlg", !(a < b || a > b)),
    CMP("ngt", !(a > b)),
    CMP("nle", !(a <= b)),
    CMP("neq", !(a == b)),
    CMP("nlt", !(a < b)),
    WORD("s_cvt_f32_i32", ~0u, bits_of(static_cast<float>(static_cast<i32>(read_s(w, o))))),
    WORD("s_cvt_f32_u32", ~0u, bits_of(static_cast<float>(read_s(w, o)))),
    WORD("s_cvt_i32_f32", ~0u, saturate<i32>(in32(w, o))),
    WORD("s_cvt_u32_f32", ~0u, saturate<u32>(in32(w, o))),
    WORD("s_cvt_f16_f32", ~0u, out16(w, in32(w, o))),
    WORD("s_cvt_f32_f16", 0xffffu, out32(w, in16(w, o))),
    WORD("s_cvt_hi_f32_f16", 0xffff0000u,
         out32(w, _cvtsh_ss(static_cast<uint16_t>(read_s(w, o) >> 16)))),
    APPROX("rcp", 1.0 / double{a}),
    APPROX("sqrt", std::sqrt(double{a})),
    APPROX("rsq", 1.0 / std::sqrt(double{a})),
    APPROX("exp", std::exp2(double{a})),
    APPROX("log", std::log2(double{a})),
    {"s_cvt_pk_rtz_f16_f32", ROW(run_pk_rtz<Track::off>, run_pk_rtz<Track::on>)},
};

}  // namespace

std::span<const Row> salu_float_rows() { return kRows; }

}  // namespace w4::rdna
