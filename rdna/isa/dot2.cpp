// v_dot2_*: two products of 16-bit halves added to an accumulator. The hottest instructions of a
// skinny GEMM, so the exact model has a vector path that proves its sums exact in double.
#include "rdna/isa/dot2.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "rdna/isa/dot_adders.h"
#include "rdna/isa/float_in.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;

// Denormals of fp32 are flushed by these instructions whatever MODE says: accumulator, result, and
// bf16 inputs, which are fp32 values (llvm-project#205101, ROCm/rocm-systems#12056).
__m256i flush8(__m256i x) {
  const __m256i normal = _mm256_cmpeq_epi32(_mm256_and_si256(x, _mm256_set1_epi32(0x7f800000)),
                                            _mm256_setzero_si256());
  return _mm256_andnot_si256(_mm256_and_si256(normal, _mm256_set1_epi32(0x7fffffff)), x);
}

// p0 + p1 + c rounded once, for terms far enough apart that fp32 does not hold p0 + p1.
__m256 add3_apart(__m256 p0, __m256 p1, __m256 c) {
  const __m256i magnitude = _mm256_set1_epi32(0x7fffffff), one = _mm256_set1_epi32(1);
  const __m256i a0 = _mm256_and_si256(_mm256_castps_si256(p0), magnitude);
  const __m256i a1 = _mm256_and_si256(_mm256_castps_si256(p1), magnitude);
  const __m256i ac = _mm256_and_si256(_mm256_castps_si256(c), magnitude);
  // Exponents of the largest and the smallest nonzero term at most 28 apart: the exact sum has at
  // most 28 + 24 + 1 = 53 bits below the carry, so double holds it. Zeros wrap to the top and drop
  // out of the unsigned minimum.
  const __m256i top = _mm256_max_epu32(_mm256_max_epu32(a0, a1), ac);
  const __m256i low =
      _mm256_min_epu32(_mm256_min_epu32(_mm256_sub_epi32(a0, one), _mm256_sub_epi32(a1, one)),
                       _mm256_sub_epi32(ac, one));
  const __m256i far = _mm256_cmpgt_epi32(_mm256_sub_epi32(top, low), _mm256_set1_epi32(27 << 23));
  const auto half = [](__m128 x0, __m128 x1, __m128 xc) {
    return _mm256_cvtpd_ps(_mm256_add_pd(_mm256_add_pd(_mm256_cvtps_pd(x0), _mm256_cvtps_pd(x1)),
                                         _mm256_cvtps_pd(xc)));
  };
  const __m128 lo =
      half(_mm256_castps256_ps128(p0), _mm256_castps256_ps128(p1), _mm256_castps256_ps128(c));
  const __m128 hi =
      half(_mm256_extractf128_ps(p0, 1), _mm256_extractf128_ps(p1, 1), _mm256_extractf128_ps(c, 1));
  __m256 r = _mm256_set_m128(hi, lo);
  if (const int slow = _mm256_movemask_ps(_mm256_castsi256_ps(far))) [[unlikely]] {
    alignas(32) float x0[8], x1[8], xc[8], xr[8];
    _mm256_store_ps(x0, p0);
    _mm256_store_ps(x1, p1);
    _mm256_store_ps(xc, c);
    _mm256_store_ps(xr, r);
    for (int i = 0; i < 8; ++i) {
      if (slow >> i & 1) xr[i] = dot2_ieee(x0[i], x1[i], xc[i]);
    }
    r = _mm256_load_ps(xr);
  }
  return r;
}

// Three fp32 rows, eight lanes: p0 + p1 + c rounded once. Products of fp16 are exact in fp32, and
// those of small weights have so few bits that their sum mostly is too: it gives both back then.
__m256 add3_exact(__m256 p0, __m256 p1, __m256 c) {
  const auto same = [](__m256 x, __m256 y) { return _mm256_cmp_ps(x, y, _CMP_EQ_OQ); };
  const __m256 s = _mm256_add_ps(p0, p1);
  const __m256 exact =
      _mm256_and_ps(same(_mm256_sub_ps(s, p0), p1), same(_mm256_sub_ps(s, p1), p0));
  if (_mm256_movemask_ps(exact) == 0xff) [[likely]]
    return _mm256_add_ps(s, c);
  return add3_apart(p0, p1, c);
}

void dot_f16(const u32* a, const u32* b, const u32* c, u32* out) {
  for (int l = 0; l < kLanes; l += 8) {
    const __m256 m0 = _mm256_mul_ps(widen8(a + l), widen8(b + l));
    const __m256 m1 = _mm256_mul_ps(widen8(a + l + 4), widen8(b + l + 4));
    const auto straight = [](__m256 x) {  // undoes the lane pairing of the shuffle
      return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(x), 0xd8));
    };
    const __m256 p0 = straight(_mm256_shuffle_ps(m0, m1, 0x88));
    const __m256 p1 = straight(_mm256_shuffle_ps(m0, m1, 0xdd));
    const __m256 acc = _mm256_castsi256_ps(flush8(load8(c + l)));
    store8(out + l, flush8(_mm256_castps_si256(one_nan(add3_exact(p0, p1, acc)))));
  }
}

// bf16 products may leave the range of fp32: double throughout.
void dot_bf16(const u32* a, const u32* b, const u32* c, u32* out) {
  alignas(32) float low[2][kLanes], high[2][kLanes];
  for (int l = 0; l < kLanes; l += 8) {
    int i = 0;
    for (const u32* p : {a, b}) {
      const __m256i x = load8(p + l);
      store8(reinterpret_cast<u32*>(low[i]) + l, flush8(_mm256_slli_epi32(x, 16)));
      store8(reinterpret_cast<u32*>(high[i]) + l,
             flush8(_mm256_and_si256(x, _mm256_set1_epi32(static_cast<int>(0xffff0000)))));
      ++i;
    }
  }
  for (int l = 0; l < kLanes; l += 4) {
    const auto wide = [&](const float* p) { return _mm256_cvtps_pd(_mm_load_ps(p + l)); };
    const __m256d p0 = _mm256_mul_pd(wide(low[0]), wide(low[1]));
    const __m256d p1 = _mm256_mul_pd(wide(high[0]), wide(high[1]));
    alignas(16) float acc[4], r[4];
    for (int i = 0; i < 4; ++i) acc[i] = flush32(as_f32(c[l + i]));
    const __m256d pc = _mm256_cvtps_pd(_mm_load_ps(acc));
    const __m256d s = _mm256_add_pd(p0, p1), t = _mm256_add_pd(s, pc);
    // A sum that gives back both its terms lost nothing.
    const auto same = [](__m256d x, __m256d y) { return _mm256_cmp_pd(x, y, _CMP_EQ_OQ); };
    const __m256d exact =
        _mm256_and_pd(_mm256_and_pd(same(_mm256_sub_pd(s, p0), p1), same(_mm256_sub_pd(s, p1), p0)),
                      _mm256_and_pd(same(_mm256_sub_pd(t, s), pc), same(_mm256_sub_pd(t, pc), s)));
    _mm_store_ps(r, _mm256_cvtpd_ps(t));
    const int ok = _mm256_movemask_pd(exact);
    if (ok != 15) [[unlikely]] {
      alignas(32) double x0[4], x1[4];
      _mm256_store_pd(x0, p0);
      _mm256_store_pd(x1, p1);
      for (int i = 0; i < 4; ++i) {
        if (!(ok >> i & 1)) r[i] = dot2_ieee(x0[i], x1[i], acc[i]);
      }
    }
    for (int i = 0; i < 4; ++i) out[l + i] = flush32(one_nan(bits_of(r[i])));
  }
}

// One half of a packed operand, widened.
template <DotType kType>
void widen_operand(const u32* p, int shift, bool flush, Floats& out) {
  if constexpr (kType == DotType::f16) {
    halves_to_f32(p, shift, out);
  } else {
    for (int l = 0; l < kLanes; ++l) {
      const u32 x = p[l] >> shift << 16;
      out.v[l] = as_f32(flush ? flush32(x) : x);
    }
  }
}

// The adders of gfx11 and gfx12; lanes with an operand that is not finite go to the one-lane model.
template <DotType kType, FpModel kModel>
void dot_by_adder(const u32* a, const u32* b, const u32* c, u32* out) {
  constexpr bool kGfx11 = kModel == FpModel::gfx1151;
  Floats al, ah, bl, bh;
  widen_operand<kType>(a, 0, kGfx11, al);
  widen_operand<kType>(a, 16, kGfx11, ah);
  widen_operand<kType>(b, 0, kGfx11, bl);
  widen_operand<kType>(b, 16, kGfx11, bh);
  Lanes special;
  for (int l = 0; l < kLanes; ++l) {
    const adder::Term p0 = adder::product<kType>(al.v[l], bl.v[l]);
    const adder::Term p1 = adder::product<kType>(ah.v[l], bh.v[l]);
    special.v[l] = adder::not_finite(c[l]);
    for (const Floats* f : {&al, &ah, &bl, &bh})
      special.v[l] |= adder::not_finite(bits_of(f->v[l]));
    out[l] = kGfx11 ? adder::add_gfx1151(p0, p1, c[l]) : adder::add_gfx1201<2>({p0, p1}, c[l]);
  }
  for (u32 m = sign_bits(special); m; m &= m - 1) {
    const int l = std::countr_zero(m);
    const uint16_t x[2] = {static_cast<uint16_t>(a[l]), static_cast<uint16_t>(a[l] >> 16)};
    const uint16_t y[2] = {static_cast<uint16_t>(b[l]), static_cast<uint16_t>(b[l] >> 16)};
    out[l] =
        kGfx11 ? dot2_gfx1151(kType, x[0], y[0], x[1], y[1], c[l]) : dot_gfx1201(kType, x, y, c[l]);
  }
}

// VOP3P selection and negation of a packed source. VOP2 forms carry no modifiers: kPlain.
constexpr uint8_t kPlain = kOpSel1;
const u32* select(const u32* p, uint8_t mods, Lanes& tmp) {
  if (mods == kPlain) return p;
  const int lo = (mods & kOpSel0) ? 16 : 0, hi = (mods & kOpSel1) ? 16 : 0;
  const u32 flip = ((mods & kNeg) ? 0x8000u : 0u) | ((mods & kNegHi) ? 0x80000000u : 0u);
  for (int l = 0; l < kLanes; ++l) {
    tmp.v[l] = ((p[l] >> lo & 0xffffu) | (p[l] >> hi) << 16) ^ flip;
  }
  return tmp.v;
}
// Both selected halves are needed.
u32 selected_def(Defined d, uint8_t mods) {
  return ((mods & kOpSel0) ? d.hi : d.lo) & ((mods & kOpSel1) ? d.hi : d.lo);
}

// kAccumulate: v_dot2acc (VOP2), whose addend is the destination and which has no modifiers.
template <Track T, DotType kType, bool kAccumulate>
void run_dot2(Wave& w, const Op& op) {
  if (op.clamp) [[unlikely]]
    return unsupported(w, op, "clamp of a dot product");
  Lanes ta, tb, tc, ua, ub, r;
  const Operand &x = op.src[0], &y = op.src[1];
  if (kAccumulate && ((x.mods | y.mods) & (kNeg | kAbs))) [[unlikely]]
    return unsupported(w, op, "source modifiers of an accumulating dot product");
  const uint8_t mx = kAccumulate ? kPlain : x.mods, my = kAccumulate ? kPlain : y.mods;
  const u32* a = select(read_v(w, x, ta), mx, ua);
  const u32* b = select(read_v(w, y, tb), my, ub);
  const int dst = op.dst[0].reg;
  const u32* c = kAccumulate ? w.v[dst].v : read_v(w, op.src[2], tc);
  if (!kAccumulate && (op.src[2].mods & (kNeg | kNegHi))) {
    // neg_lo negates an fp32 addend, neg_hi takes its magnitude first.
    const uint8_t m = op.src[2].mods;
    for (int l = 0; l < kLanes; ++l) tc.v[l] = sign_mods(c[l], m, 0x80000000u);
    c = tc.v;
  }
  switch (w.fp) {
    case FpModel::ieee:
      kType == DotType::f16 ? dot_f16(a, b, c, r.v) : dot_bf16(a, b, c, r.v);
      break;
    case FpModel::gfx1151:
      dot_by_adder<kType, FpModel::gfx1151>(a, b, c, r.v);
      break;
    case FpModel::gfx1201:
      dot_by_adder<kType, FpModel::gfx1201>(a, b, c, r.v);
      break;
  }
  if constexpr (T == Track::on) {
    const Defined dc = kAccumulate ? Defined{w.dlo[dst], w.dhi[dst]} : read_def(w, op.src[2]);
    const u32 d = selected_def(read_def(w, x), mx) & selected_def(read_def(w, y), my) & dc.all();
    write_def(w, dst, {d, d}, w.exec());
  }
  put_lanes(w, dst, r);
}

// fp16 and bf16 results: half of the destination, one rounding (bf16 is cut on RDNA:
// triton#11227, measured on gfx1200). The adder of gfx12 was measured in these forms too, that of
// gfx11 was not.
template <Track T, DotType kType>
void run_dot2_half(Wave& w, const Op& op) {
  Lanes ta, tb, tc, ua, ub, h;
  const Operand &x = op.src[0], &y = op.src[1], &z = op.src[2];
  // Half products have no per-half modifiers here: VOP3 carries neg/abs for the pair.
  const auto plain = [&](const u32* p, const Operand& o, Lanes& tmp) {
    if (!(o.mods & (kNeg | kAbs))) return p;
    for (int l = 0; l < kLanes; ++l) {
      tmp.v[l] = sign_mods(p[l] & 0xffffu, o.mods, 0x8000u) | sign_mods(p[l] >> 16, o.mods, 0x8000u)
                                                                  << 16;
    }
    return static_cast<const u32*>(tmp.v);
  };
  const u32* a = plain(read_v(w, x, ta), x, ua);
  const u32* b = plain(read_v(w, y, tb), y, ub);
  const u32* c = read_v(w, z, tc);
  const int sc = half_shift(z);
  const auto value = [](u32 v) -> double {
    if constexpr (kType == DotType::f16) return _cvtsh_ss(static_cast<uint16_t>(v));
    return flush32(as_f32(v << 16));
  };
  for (int l = 0; l < kLanes; ++l) {
    const u32 addend = sign_mods(c[l] >> sc & 0xffffu, z.mods, 0x8000u);
    if (w.fp == FpModel::gfx1201) {
      const uint16_t x2[2] = {static_cast<uint16_t>(a[l]), static_cast<uint16_t>(a[l] >> 16)};
      const uint16_t y2[2] = {static_cast<uint16_t>(b[l]), static_cast<uint16_t>(b[l] >> 16)};
      const u32 wide =
          kType == DotType::f16 ? bits_of(_cvtsh_ss(static_cast<uint16_t>(addend))) : addend << 16;
      h.v[l] = dot_gfx1201(kType, x2, y2, wide, DotResult::half);
      continue;
    }
    const double p0 = value(a[l] & 0xffffu) * value(b[l] & 0xffffu);
    const double p1 = value(a[l] >> 16) * value(b[l] >> 16);
    if constexpr (kType == DotType::f16) {
      h.v[l] = odd_to_f16(sum3_to_odd(p0, p1, value(addend)));
    } else {
      h.v[l] = bits_of(one_nan(dot2_ieee(p0, p1, static_cast<float>(value(addend))))) >> 16;
    }
  }
  const bool high = high_dst(op);
  if constexpr (T == Track::on) {
    const u32 d = read_def(w, x).all() & read_def(w, y).all() & half_def(w, z);
    write_half_def(w, op.dst[0].reg, high, d);
  }
  write_half(w, op.dst[0].reg, high, h);
}

// Sums of four 8-bit (or eight 4-bit) products and a 32-bit addend; neg_lo of a source says that it
// is signed. Clamp saturates the finished sum to the result's type.
template <Track T, bool kFourBits, bool kSignedForm>
void run_dot_int(Wave& w, const Op& op) {
  using Result = std::conditional_t<kSignedForm, int32_t, u32>;
  using Limits = std::numeric_limits<Result>;
  constexpr int kBits = kFourBits ? 4 : 8;
  Lanes ta, tb, tc;
  const u32 *a = read_v(w, op.src[0], ta), *b = read_v(w, op.src[1], tb);
  const u32* c = read_v(w, op.src[2], tc);
  const bool sa = kSignedForm && (op.src[0].mods & kNeg),
             sb = kSignedForm && (op.src[1].mods & kNeg);
  const auto element = [](u32 x, int i, bool is_signed) -> int64_t {
    const u32 top = x << (32 - kBits - i * kBits);
    return is_signed ? int64_t{static_cast<int32_t>(top) >> (32 - kBits)}
                     : int64_t{top >> (32 - kBits)};
  };
  u32 d = ~0u;
  if constexpr (T == Track::on) {
    d = (read_def(w, op.src[0]) & read_def(w, op.src[1]) & read_def(w, op.src[2])).all();
  }
  write_lanes(w, op.dst[0].reg, [&](int l) {
    int64_t s = static_cast<Result>(c[l]);
    for (int i = 0; i < 32 / kBits; ++i) s += element(a[l], i, sa) * element(b[l], i, sb);
    if (op.clamp) s = std::clamp<int64_t>(s, Limits::min(), Limits::max());
    return static_cast<u32>(s);
  });
  if constexpr (T == Track::on) write_def(w, op.dst[0].reg, {d, d}, w.exec());
}

template <DotType kType, bool kAccumulate>
constexpr Row dot(std::string_view m) {
  return {m,
          {run_dot2<Track::off, kType, kAccumulate>, run_dot2<Track::on, kType, kAccumulate>},
          Flow::special,
          "dot2",
          Evidence::public_report};
}
template <bool kFourBits, bool kSignedForm>
constexpr Row dot_int(std::string_view m) {
  return {m,
          {run_dot_int<Track::off, kFourBits, kSignedForm>,
           run_dot_int<Track::on, kFourBits, kSignedForm>},
          Flow::special,
          "dot2",
          Evidence::document};
}

constexpr Row kRows[] = {
    dot<DotType::f16, false>("v_dot2_f32_f16"),
    dot<DotType::f16, true>("v_dot2acc_f32_f16"),
    dot<DotType::bf16, false>("v_dot2_f32_bf16"),
    {"v_dot2_f16_f16",
     {run_dot2_half<Track::off, DotType::f16>, run_dot2_half<Track::on, DotType::f16>},
     Flow::special,
     "dot2",
     Evidence::document},
    {"v_dot2_bf16_bf16",
     {run_dot2_half<Track::off, DotType::bf16>, run_dot2_half<Track::on, DotType::bf16>},
     Flow::special,
     "dot2",
     Evidence::public_report},
    dot_int<false, true>("v_dot4_i32_iu8"),
    dot_int<false, false>("v_dot4_u32_u8"),
    dot_int<true, true>("v_dot8_i32_iu4"),
    dot_int<true, false>("v_dot8_u32_u4"),
};

}  // namespace

std::span<const Row> dot_rows() { return kRows; }

}  // namespace w4::rdna
