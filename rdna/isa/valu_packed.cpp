// VOP3P packed 16-bit arithmetic and the mixed-precision fused multiply-adds.
#include <algorithm>
#include <bit>
#include <cstring>

#include "rdna/isa/float_in.h"
#include "rdna/isa/float_math.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using i32 = int32_t;

// Both halves of a packed source, chosen by op_sel / op_sel_hi and negated by neg_lo / neg_hi.
const u32* select(const u32* p, uint8_t mods, bool negate, Lanes& tmp) {
  const u32 flip =
      negate ? ((mods & kNeg) ? 0x8000u : 0u) | ((mods & kNegHi) ? 0x80000000u : 0u) : 0u;
  const int lo = (mods & kOpSel0) ? 16 : 0, hi = (mods & kOpSel1) ? 16 : 0;
  if (lo == 0 && hi == 16 && !flip) return p;
  for (int l = 0; l < kLanes; ++l) {
    tmp.v[l] = ((p[l] >> lo & 0xffffu) | (p[l] >> hi) << 16) ^ flip;
  }
  return tmp.v;
}
Defined select_def(Defined d, uint8_t mods) {
  return {(mods & kOpSel0) ? d.hi : d.lo, (mods & kOpSel1) ? d.hi : d.lo};
}
template <int N>
Defined packed_def(const Wave& w, const Op& op) {
  Defined d;
  for (int i = 0; i < N; ++i) d = d & select_def(read_def(w, op.src[i]), op.src[i].mods);
  return d;
}

// fp16 denormals are flushed only where MODE asks for it: on both halves at once.
void flush_halves(u32* p) {
  for (int l = 0; l < kLanes; ++l) {
    const u32 lo = (p[l] & 0x7c00u) ? 0xffffu : 0x8000u;
    const u32 hi = (p[l] & 0x7c000000u) ? 0xffff0000u : 0x80000000u;
    p[l] &= lo | hi;
  }
}
void clamp_halves(const Wave& w, u32* p) {
  Floats f;
  Lanes h, out;
  for (int s : {0, 16}) {
    halves_to_f32(p, s, f);
    for (float& x : f.v) {
      if (x == x || w.dx10_clamp) x = x > 0.f ? (x < 1.f ? x : 1.f) : 0.f;
    }
    f32_to_halves(f, h);
    for (int l = 0; l < kLanes; ++l) out.v[l] = s ? out.v[l] | h.v[l] << 16 : h.v[l];
  }
  std::memcpy(p, out.v, sizeof out.v);
}

// F: eight fp32 lanes to eight fp32 lanes that fp16 rounding finishes.
template <Track T, int N, auto F>
void run_pk_float(Wave& w, const Op& op) {
  if (w.round16_64) [[unlikely]]
    return unsupported(w, op, "fp16 rounding mode other than nearest even");
  Lanes t[N], u[N], r;
  const u32* p[N];
  for (int i = 0; i < N; ++i) {
    p[i] = select(read_v(w, op.src[i], t[i]), op.src[i].mods, true, u[i]);
    if (!(w.denorm16_64 & 1)) [[unlikely]] {
      std::memcpy(t[i].v, p[i], sizeof t[i].v);
      flush_halves(t[i].v);
      p[i] = t[i].v;
    }
  }
  for (int l = 0; l < kLanes; l += 4) {
    if constexpr (N == 2) {
      narrow8(r.v + l, one_nan(F(widen8(p[0] + l), widen8(p[1] + l))));
    } else {
      narrow8(r.v + l, one_nan(F(widen8(p[0] + l), widen8(p[1] + l), widen8(p[2] + l))));
    }
  }
  if (!(w.denorm16_64 & 2)) [[unlikely]]
    flush_halves(r.v);
  if (op.clamp) [[unlikely]]
    clamp_halves(w, r.v);
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, packed_def<N>(w, op), w.exec());
  put_lanes(w, op.dst[0].reg, r);
}
// Minimum and maximum of gfx11 with MODE.IEEE set: a signalling NaN gives a quiet one.
template <Track T, auto F>
void run_pk_ieee(Wave& w, const Op& op) {
  if (!w.ieee) return run_pk_float<T, 2, F>(w, op);
  Lanes t[2], u[2], signals;
  const u32* p[2];
  for (int i = 0; i < 2; ++i)
    p[i] = select(read_v(w, op.src[i], t[i]), op.src[i].mods, false, u[i]);
  const auto signalling = [](u32 h) { return (h & 0x7fffu) > 0x7c00u && !(h & 0x200u); };
  for (int l = 0; l < kLanes; ++l) {
    const u32 a = p[0][l], b = p[1][l];
    signals.v[l] = (signalling(a) || signalling(b) ? 0x7e00u : 0u) |
                   (signalling(a >> 16) || signalling(b >> 16) ? 0x7e000000u : 0u);
  }
  run_pk_float<T, 2, F>(w, op);
  const int dst = op.dst[0].reg;
  const bool zero = op.clamp && w.dx10_clamp;  // what the clamp makes of a NaN
  Lanes r;
  for (int l = 0; l < kLanes; ++l) {
    const u32 hit =
        ((signals.v[l] & 0xffffu) ? 0xffffu : 0u) | ((signals.v[l] >> 16) ? 0xffff0000u : 0u);
    r.v[l] = (w.v[dst].v[l] & ~hit) | (zero ? 0 : signals.v[l]);
  }
  put_lanes(w, dst, r);
}
template <auto F>
constexpr Row pk_ieee(std::string_view m) {
  return {m, {run_pk_ieee<Track::off, F>, run_pk_ieee<Track::on, F>}, Flow::half, "valu_packed"};
}
template <int N, auto F>
constexpr Row pk_float(std::string_view m) {
  return {m,
          {run_pk_float<Track::off, N, F>, run_pk_float<Track::on, N, F>},
          Flow::half,
          "valu_packed"};
}

// Min and max: -0 is below +0, a NaN gives the other source.
__m256 pick(__m256 a, __m256 b, __m256 first, bool is_min) {
  const __m256 both = is_min ? _mm256_or_ps(a, b) : _mm256_and_ps(a, b);
  const __m256 equal = _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
  __m256 r = _mm256_blendv_ps(b, a, first);
  r = _mm256_blendv_ps(r, both, equal);
  r = _mm256_blendv_ps(r, b, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
  return _mm256_blendv_ps(
      r, a, _mm256_andnot_ps(_mm256_cmp_ps(a, a, _CMP_UNORD_Q), _mm256_cmp_ps(b, b, _CMP_UNORD_Q)));
}
__m256 min8(__m256 a, __m256 b) { return pick(a, b, _mm256_cmp_ps(a, b, _CMP_LT_OQ), true); }
__m256 max8(__m256 a, __m256 b) { return pick(a, b, _mm256_cmp_ps(a, b, _CMP_GT_OQ), false); }
// minimum and maximum (gfx12): a NaN wins.
__m256 nan_wins(__m256 a, __m256 b, __m256 r) {
  return _mm256_blendv_ps(r, _mm256_add_ps(a, b), _mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}

// F: one pair of 16-bit values (zero-extended) to a 16-bit value.
template <Track T, int N, auto F>
void run_pk_int(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "integer clamp");
  Lanes t[N], u[N];
  const u32* p[N];
  for (int i = 0; i < N; ++i) {
    p[i] = select(read_v(w, op.src[i], t[i]), op.src[i].mods, false, u[i]);
  }
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, packed_def<N>(w, op), w.exec());
  write_lanes(w, op.dst[0].reg, [&](int l) -> u32 {
    if constexpr (N == 2) {
      return (F(p[0][l] & 0xffffu, p[1][l] & 0xffffu) & 0xffffu) | F(p[0][l] >> 16, p[1][l] >> 16)
                                                                       << 16;
    } else {
      return (F(p[0][l] & 0xffffu, p[1][l] & 0xffffu, p[2][l] & 0xffffu) & 0xffffu) |
             F(p[0][l] >> 16, p[1][l] >> 16, p[2][l] >> 16) << 16;
    }
  });
}
// F without clamp, G with it: saturated to the range of the 16-bit type.
template <Track T, auto F, auto G>
void run_pk_clamping(Wave& w, const Op& op) {
  if (!op.clamp) [[likely]]
    return run_pk_int<T, 2, F>(w, op);
  Op plain = op;
  plain.clamp = false;
  run_pk_int<T, 2, G>(w, plain);
}
template <auto F, auto G>
constexpr Row pk_clamping(std::string_view m) {
  return {m,
          {run_pk_clamping<Track::off, F, G>, run_pk_clamping<Track::on, F, G>},
          Flow::half,
          "valu_packed"};
}
template <int N, auto F>
constexpr Row pk_int(std::string_view m) {
  return {
      m, {run_pk_int<Track::off, N, F>, run_pk_int<Track::on, N, F>}, Flow::half, "valu_packed"};
}

// Two 16-bit sources side by side, bits unchanged but for neg and abs.
template <Track T>
void run_pack(Wave& w, const Op& op) {
  Lanes ta, tb;
  const Operand &x = op.src[0], &y = op.src[1];
  const u32 *a = read_v(w, x, ta), *b = read_v(w, y, tb);
  const int sa = half_shift(x), sb = half_shift(y);
  if constexpr (T == Track::on) {
    write_def(w, op.dst[0].reg, {half_def(w, x), half_def(w, y)}, w.exec());
  }
  write_lanes(w, op.dst[0].reg, [&](int l) {
    return sign_mods(a[l] >> sa & 0xffffu, x.mods, 0x8000u) |
           sign_mods(b[l] >> sb & 0xffffu, y.mods, 0x8000u) << 16;
  });
}

// v_fma_mix*: each source is fp32, or with op_sel_hi an fp16 half that op_sel chooses. NEG and ABS
// keep their VOP3 meaning here. One rounding to the type of the result.
enum class Mix { f32, lo, hi };
template <Track T, Mix K>
void run_mix(Wave& w, const Op& op) {
  if (K == Mix::f32 ? w.round32 : w.round16_64) [[unlikely]]
    return unsupported(w, op, "rounding mode other than nearest even");
  Floats f[3];
  u32 d = ~0u;
  for (int i = 0; i < 3; ++i) {
    const Operand& o = op.src[i];
    Lanes t;
    if (o.mods & kOpSel1) {
      read_f16(w, o, f[i]);
      if constexpr (T == Track::on) d &= half_def(w, o);
    } else {
      std::memcpy(f[i].v, read_f32(w, o, t), sizeof f[i].v);
      if constexpr (T == Track::on) d &= read_def(w, o).all();
    }
  }
  const int dst = op.dst[0].reg;
  if constexpr (K == Mix::f32) {
    Lanes r;
    for (int l = 0; l < kLanes; ++l) {
      r.v[l] = one_nan(bits_of(__builtin_fmaf(f[0].v[l], f[1].v[l], f[2].v[l])));
    }
    for (int l = 0; l < kLanes; ++l) {
      const float x = as_f32(r.v[l]);
      if (op.clamp && (x == x || w.dx10_clamp)) r.v[l] = bits_of(x > 0.f ? std::min(x, 1.f) : 0.f);
      if (!(w.denorm32 & 2)) r.v[l] = flush32(r.v[l]);
    }
    if constexpr (T == Track::on) write_def(w, dst, {d, d}, w.exec());
    put_lanes(w, dst, r);
  } else {
    Floats odd;
    Lanes h;
    for (int l = 0; l < kLanes; ++l) {
      odd.v[l] = one_nan(fmath::fma_to_odd32(f[0].v[l], f[1].v[l], f[2].v[l]));
    }
    f32_to_halves(odd, h);
    if (!(w.denorm16_64 & 2)) {
      for (u32& x : h.v) x = (x & 0x7c00u) ? x : x & 0x8000u;
    }
    if (op.clamp) clamp_halves(w, h.v);
    if constexpr (T == Track::on) write_half_def(w, dst, K == Mix::hi, d);
    write_half(w, dst, K == Mix::hi, h);
  }
}

#define OP2(E) [](u32 a, u32 b) -> u32 { return E; }
#define OP3(E) [](u32 a, u32 b, u32 c) -> u32 { return E; }
constexpr i32 s16(u32 x) { return static_cast<int16_t>(x); }
constexpr u32 U(i32 x) { return static_cast<u32>(x); }
constexpr auto kAdd = [](__m256 a, __m256 b) { return _mm256_add_ps(a, b); };
constexpr auto kMul = [](__m256 a, __m256 b) { return _mm256_mul_ps(a, b); };
constexpr auto kFma = [](__m256 a, __m256 b, __m256 c) { return fma_for_half(a, b, c); };
constexpr auto kMin = [](__m256 a, __m256 b) { return min8(a, b); };
constexpr auto kMax = [](__m256 a, __m256 b) { return max8(a, b); };
constexpr auto kMinimum = [](__m256 a, __m256 b) { return nan_wins(a, b, min8(a, b)); };
constexpr auto kMaximum = [](__m256 a, __m256 b) { return nan_wins(a, b, max8(a, b)); };

constexpr Row kRows[] = {
    pk_float<2, kAdd>("v_pk_add_f16"),
    pk_float<2, kMul>("v_pk_mul_f16"),
    pk_float<3, kFma>("v_pk_fma_f16"),
    pk_ieee<kMin>("v_pk_min_f16"),
    pk_ieee<kMax>("v_pk_max_f16"),
    pk_float<2, kMin>("v_pk_min_num_f16"),
    pk_float<2, kMax>("v_pk_max_num_f16"),
    pk_float<2, kMinimum>("v_pk_minimum_f16"),
    pk_float<2, kMaximum>("v_pk_maximum_f16"),
    pk_clamping<OP2(a + b), OP2(std::min(a + b, 0xffffu))>("v_pk_add_u16"),
    pk_clamping<OP2(a - b), OP2(a > b ? a - b : 0)>("v_pk_sub_u16"),
    pk_clamping<OP2(a + b), OP2(U(std::clamp(s16(a) + s16(b), -32768, 32767)))>("v_pk_add_i16"),
    pk_clamping<OP2(a - b), OP2(U(std::clamp(s16(a) - s16(b), -32768, 32767)))>("v_pk_sub_i16"),
    pk_int<2, OP2(a* b)>("v_pk_mul_lo_u16"),
    pk_int<3, OP3(a* b + c)>("v_pk_mad_u16"),
    pk_int<3, OP3(a* b + c)>("v_pk_mad_i16"),
    pk_int<2, OP2(b << (a & 15))>("v_pk_lshlrev_b16"),
    pk_int<2, OP2(b >> (a & 15))>("v_pk_lshrrev_b16"),
    pk_int<2, OP2(U(s16(b) >> (a & 15)))>("v_pk_ashrrev_i16"),
    pk_int<2, OP2(std::min(a, b))>("v_pk_min_u16"),
    pk_int<2, OP2(std::max(a, b))>("v_pk_max_u16"),
    pk_int<2, OP2(U(std::min(s16(a), s16(b))))>("v_pk_min_i16"),
    pk_int<2, OP2(U(std::max(s16(a), s16(b))))>("v_pk_max_i16"),
    {"v_pack_b32_f16", {run_pack<Track::off>, run_pack<Track::on>}, Flow::half, "valu_packed"},
    {"v_fma_mix_f32",
     {run_mix<Track::off, Mix::f32>, run_mix<Track::on, Mix::f32>},
     Flow::special,
     "valu_packed"},
    {"v_fma_mixlo_f16",
     {run_mix<Track::off, Mix::lo>, run_mix<Track::on, Mix::lo>},
     Flow::special,
     "valu_packed"},
    {"v_fma_mixhi_f16",
     {run_mix<Track::off, Mix::hi>, run_mix<Track::on, Mix::hi>},
     Flow::special,
     "valu_packed"},
};

}  // namespace

std::span<const Row> valu_packed_rows() { return kRows; }

}  // namespace w4::rdna
