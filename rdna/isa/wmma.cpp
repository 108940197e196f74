// v_wmma_*_16x16x16_*: D = A * B + C on one wave. Lanes are matrix columns of B, C and D and rows
// of A; README.md has the layouts of gfx11 and gfx12 and what is evidence in the arithmetic.
#include <array>

#include "rdna/isa/dot_adders.h"
#include "rdna/isa/wmma_lanes.h"

namespace w4::rdna {
namespace {

using namespace matrix;

// An operand widened to fp32: k[i][j] is element i of the reduction in row j of A or column j of B.
struct alignas(64) Fragment {
  float k[kSide][kSide];
};

template <Type T>
__m256 widen_low(__m256i x) {
  if constexpr (T == Type::f16) return _mm256_cvtph_ps(low_halves(x));
  return _mm256_castsi256_ps(_mm256_slli_epi32(x, 16));
}
template <Type T>
__m256 widen_high(__m256i x) {
  if constexpr (T == Type::f16) return _mm256_cvtph_ps(low_halves(_mm256_srli_epi32(x, 16)));
  return _mm256_castsi256_ps(_mm256_and_si256(x, _mm256_set1_epi32(static_cast<int>(0xffff0000))));
}

// gfx11 has all 16 elements in each lane, twice in the wave; gfx12 has elements 0-7 in lanes 0-15
// and 8-15 in lanes 16-31.
bool replicated(const Operand& a) { return a.words == 8; }

template <Type T>
void read_fragment(const Wave& w, const Operand& o, Fragment& out) {
  const __m256 neg_lo = _mm256_set1_ps((o.mods & kNeg) ? -0.f : 0.f);
  const __m256 neg_hi = _mm256_set1_ps((o.mods & kNegHi) ? -0.f : 0.f);
  const int lanes = replicated(o) ? kSide : kLanes;
  for (int i = 0; i < o.words; ++i) {
    for (int l = 0; l < lanes; l += 8) {
      const __m256i x = load8(w.v[o.reg + i].v + l);
      const int k = 2 * i + (l >= kSide ? 8 : 0), j = l % kSide;
      _mm256_store_ps(&out.k[k][j], _mm256_xor_ps(widen_low<T>(x), neg_lo));
      _mm256_store_ps(&out.k[k + 1][j], _mm256_xor_ps(widen_high<T>(x), neg_hi));
    }
  }
}

// acc += A * B: one fused step per element of the reduction, in ascending order.
void multiply_add(const Fragment& a, const Fragment& b, Fragment& acc) {
  for (int r = 0; r < kSide; r += 4) {
    __m256 s[4][2];
    for (int i = 0; i < 4; ++i) {
      s[i][0] = _mm256_load_ps(&acc.k[r + i][0]);
      s[i][1] = _mm256_load_ps(&acc.k[r + i][8]);
    }
    for (int k = 0; k < kSide; ++k) {
      const __m256 b0 = _mm256_load_ps(&b.k[k][0]), b1 = _mm256_load_ps(&b.k[k][8]);
      for (int i = 0; i < 4; ++i) {
        const __m256 x = _mm256_broadcast_ss(&a.k[k][r + i]);
        s[i][0] = _mm256_fmadd_ps(x, b0, s[i][0]);
        s[i][1] = _mm256_fmadd_ps(x, b1, s[i][1]);
      }
    }
    for (int i = 0; i < 4; ++i) {
      _mm256_store_ps(&acc.k[r + i][0], one_nan(s[i][0]));
      _mm256_store_ps(&acc.k[r + i][8], one_nan(s[i][1]));
    }
  }
}

// The 16-bit pattern that a value was widened from.
template <Type T>
uint16_t narrow(float x) {
  if constexpr (T == Type::f16) return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
  return static_cast<uint16_t>(bits_of(x) >> 16);
}
template <Type T>
inline constexpr DotType kDot = T == Type::f16 ? DotType::f16 : DotType::bf16;

// Elements of one step of gfx12, which takes four from each half of the wave in turn.
constexpr int kGfx12First[4] = {0, 8, 4, 12};

// One element of D by the one-lane models: a step after the other, narrowed after each where the
// result is 16 bits wide. `sum`: C, widened.
template <Type In, Type Out>
float chain(const Fragment& a, const Fragment& b, int r, int c, float sum, FpModel model) {
  constexpr DotResult kResult = Out == Type::f32 ? DotResult::f32 : DotResult::half;
  const auto widen = [](u32 bits) {
    if constexpr (Out == Type::f32) return as_f32(bits);
    if constexpr (Out == Type::f16) return _cvtsh_ss(static_cast<uint16_t>(bits));
    return as_f32(bits << 16);
  };
  const auto operand = [&](const Fragment& f, int k, int line) { return narrow<In>(f.k[k][line]); };
  if (model == FpModel::gfx1151) {
    for (int k = 0; k < kSide; k += 2) {
      sum = widen(dot2_gfx1151(kDot<In>, operand(a, k, r), operand(b, k, c), operand(a, k + 1, r),
                               operand(b, k + 1, c), bits_of(sum), kResult));
    }
    return sum;
  }
  for (const int first : kGfx12First) {
    std::array<uint16_t, 4> x, y;
    for (int i = 0; i < 4; ++i) {
      x[static_cast<size_t>(i)] = operand(a, first + i, r);
      y[static_cast<size_t>(i)] = operand(b, first + i, c);
    }
    sum = widen(dot_gfx1201(kDot<In>, x, y, bits_of(sum), kResult));
  }
  return sum;
}

// acc += A * B by an adder, fp32 results: rows of lanes at a time where everything is finite.
template <Type In, FpModel kModel>
void add_by_adder(Fragment a, Fragment b, Fragment& acc) {
  constexpr bool kGfx11 = kModel == FpModel::gfx1151;
  using adder::not_finite;
  if constexpr (kGfx11 && In == Type::bf16) {
    for (Fragment* f : {&a, &b}) {
      for (auto& row : f->k) {
        for (float& x : row) x = flush32(x);
      }
    }
  }
  const auto product = [&](int k, int r, int c) {
    return adder::product<kDot<In>>(a.k[k][r], b.k[k][c]);
  };
  for (int r = 0; r < kSide; ++r) {
    alignas(64) u32 sum[kSide], special[kSide] = {};
    for (int c = 0; c < kSide; ++c) sum[c] = bits_of(acc.k[r][c]);
    for (int k = 0; k < kSide; ++k) {
      for (int c = 0; c < kSide; ++c) {
        special[c] |= not_finite(bits_of(a.k[k][r])) | not_finite(bits_of(b.k[k][c]));
      }
    }
    for (int step = 0; step < (kGfx11 ? kSide / 2 : kSide / 4); ++step) {
      for (int c = 0; c < kSide; ++c) {
        special[c] |= not_finite(sum[c]);
        if constexpr (kGfx11) {
          sum[c] = adder::add_gfx1151(product(2 * step, r, c), product(2 * step + 1, r, c), sum[c]);
        } else {
          const int k = kGfx12First[step];
          sum[c] = adder::add_gfx1201<4>(
              {product(k, r, c), product(k + 1, r, c), product(k + 2, r, c), product(k + 3, r, c)},
              sum[c]);
        }
      }
    }
    for (int c = 0; c < kSide; ++c) {
      acc.k[r][c] =
          special[c] ? chain<In, Type::f32>(a, b, r, c, acc.k[r][c], kModel) : as_f32(sum[c]);
    }
  }
}

template <Type In, Type Out>
void multiply_add(const Fragment& a, const Fragment& b, Fragment& acc, FpModel model) {
  if (model == FpModel::ieee) return multiply_add(a, b, acc);
  if constexpr (Out == Type::f32) {
    if (model == FpModel::gfx1151) return add_by_adder<In, FpModel::gfx1151>(a, b, acc);
    return add_by_adder<In, FpModel::gfx1201>(a, b, acc);
  } else {
    for (int r = 0; r < kSide; ++r) {
      for (int c = 0; c < kSide; ++c) acc.k[r][c] = chain<In, Out>(a, b, r, c, acc.k[r][c], model);
    }
  }
}

template <Type T>
float element(u32 x, int shift) {
  if constexpr (T == Type::f32) return as_f32(x);
  const u32 h = x >> shift & 0xffffu;
  return T == Type::f16 ? _cvtsh_ss(static_cast<uint16_t>(h)) : as_f32(h << 16);
}
template <Type T>
u32 bits_as(float x) {
  if constexpr (T == Type::f32) return bits_of(x);
  if constexpr (T == Type::f16) return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
  const u32 b = bits_of(x);
  if (x != x) return 0x7fc0u;
  return (b + 0x7fffu + (b >> 16 & 1)) >> 16;
}

template <Track K, Type In, Type Out>
void wmma(Wave& w, const Op& op) {
  constexpr bool kTracked = K == Track::on;
  const Operand &oa = op.src[0], &ob = op.src[1], &oc = op.src[2];
  const bool gfx11 = replicated(oa);
  const bool shapes = oa.kind == OperandKind::vgpr && ob.kind == OperandKind::vgpr &&
                      oa.words == ob.words && (gfx11 || oa.words == 4) && op.nsrc == 3 &&
                      op.dst[0].words == (gfx11 || Out == Type::f32 ? 8 : 4) && !op.clamp &&
                      (oc.kind == OperandKind::vgpr || oc.kind == OperandKind::constant);
  if (!shapes) [[unlikely]]
    return unsupported(w, op, "a matrix instruction with operands of an unexpected shape");
  if (!used_as_the_isa_asks(w, op, gfx11, kTracked)) return;
  // gfx11 keeps 16-bit C and D in one half of eight registers; op_sel of C names it.
  const bool high = Out != Type::f32 && (oc.mods & kOpSel0);
  Masks masks;
  if constexpr (kTracked) masks = carry<Out>(w, op, gfx11, high);

  Fragment a, b, acc;
  read_fragment<In>(w, oa, a);
  read_fragment<In>(w, ob, b);
  for (int r = 0; r < kSide; ++r) {
    const Place p = place_of<Out>(r, gfx11, high);
    for (int c = 0; c < kSide; ++c) {
      // A 16-bit inline constant is the same in every element.
      float x = oc.kind == OperandKind::vgpr
                    ? element<Out>(w.v[oc.reg + p.reg].v[p.lane + c], p.shift)
                    : element<Out>(oc.imm, 0);
      if (oc.mods & kNegHi) x = __builtin_fabsf(x);
      acc.k[r][c] = (oc.mods & kNeg) ? -x : x;
    }
  }
  multiply_add<In, Out>(a, b, acc, w.fp);
  for (int r = 0; r < kSide; ++r) {
    const Place p = place_of<Out>(r, gfx11, high);
    u32* to = w.v[op.dst[0].reg + p.reg].v + p.lane;
    for (int c = 0; c < kSide; ++c) {
      if constexpr (Out == Type::f32) {
        to[c] = bits_of(acc.k[r][c]);
      } else {
        to[c] = (to[c] & ~(0xffffu << p.shift)) | bits_as<Out>(acc.k[r][c]) << p.shift;
      }
    }
  }
  if constexpr (kTracked) {
    for (int i = 0; i < op.dst[0].words; ++i) write_def(w, op.dst[0].reg + i, masks.of[i], ~0u);
  }
}

template <Type In, Type Out>
constexpr Row row(std::string_view mnemonic) {
  return {mnemonic,
          {wmma<Track::off, In, Out>, wmma<Track::on, In, Out>},
          Flow::special,
          "wmma",
          Evidence::public_report};
}

constexpr Row kRows[] = {
    row<Type::f16, Type::f32>("v_wmma_f32_16x16x16_f16"),
    row<Type::bf16, Type::f32>("v_wmma_f32_16x16x16_bf16"),
    row<Type::f16, Type::f16>("v_wmma_f16_16x16x16_f16"),
    row<Type::bf16, Type::bf16>("v_wmma_bf16_16x16x16_bf16"),
};

}  // namespace

std::span<const Row> wmma_rows() { return kRows; }

}  // namespace w4::rdna
