// The dot products against big-integer arithmetic, and the vector forms of the adders against the
// one-lane forms.
#include "rdna/isa/dot2.h"

#include <mpfr.h>

#include <cmath>
#include <cstdio>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

double f16_value(uint16_t h) {
  const int e = h >> 10 & 31, f = h & 1023;
  const double m = e == 31 ? (f ? NAN : INFINITY) : std::ldexp(e ? 1024 + f : f, (e ? e : 1) - 25);
  return h & 0x8000 ? -m : m;
}
double bf16_value(uint16_t h) {
  const int e = h >> 7 & 255, f = h & 127;
  if (e == 0) return h & 0x8000 ? -0.0 : 0.0;  // flushed
  const double m = e == 255 ? (f ? NAN : INFINITY) : std::ldexp(128 + f, e - 134);
  return h & 0x8000 ? -m : m;
}

// One rounding of the exact sum, with 1200 bits of MPFR in between.
uint32_t exact_dot(double a0, double b0, double a1, double b1, uint32_t cbits) {
  float c = std::bit_cast<float>(cbits);
  if (std::fpclassify(c) == FP_SUBNORMAL) c = std::copysign(0.f, c);
  if (!std::isfinite(a0) || !std::isfinite(b0) || !std::isfinite(a1) || !std::isfinite(b1) ||
      !std::isfinite(c)) {
    return std::bit_cast<uint32_t>(static_cast<float>(a0 * b0 + a1 * b1 + double{c}));
  }
  mpfr_t s, t;
  mpfr_init2(s, 1200);
  mpfr_init2(t, 1200);
  mpfr_set_d(s, a0, MPFR_RNDN);
  mpfr_mul_d(s, s, b0, MPFR_RNDN);
  mpfr_set_d(t, a1, MPFR_RNDN);
  mpfr_mul_d(t, t, b1, MPFR_RNDN);
  mpfr_add(s, s, t, MPFR_RNDN);
  mpfr_add_d(s, s, c, MPFR_RNDN);
  float r = mpfr_get_flt(s, MPFR_RNDN);
  const bool zero = mpfr_zero_p(s);
  mpfr_clears(s, t, nullptr);
  if (zero) {
    const bool minus = std::signbit(a0 * b0) && std::signbit(a1 * b1) && std::signbit(c);
    r = minus ? -0.f : 0.f;
  }
  if (std::fpclassify(r) == FP_SUBNORMAL) r = std::copysign(0.f, r);
  return std::bit_cast<uint32_t>(r);
}

bool same(uint32_t got, uint32_t want) {
  const bool nan = (want & 0x7fffffff) > 0x7f800000;
  return nan ? (got & 0x7fffffff) > 0x7f800000 : got == want;
}

// Sources whose exponents lie close, far, and at the ends of the range.
struct Gen {
  std::mt19937_64 rng{7};
  uint16_t half(int style) {
    const auto r = static_cast<uint16_t>(rng());
    if (style == 0) return r;
    if (style == 1) return static_cast<uint16_t>((r & 0x83ff) | (13 + (r >> 13)) << 10);
    return static_cast<uint16_t>((r & 0x8000) | (rng() % 4) * 0x2800 | (r & 3));
  }
  uint32_t word(int style) {
    const auto r = static_cast<uint32_t>(rng());
    if (style == 0) return r;
    if (style == 1) return (r & 0x807fffff) | (120 + rng() % 16) << 23;
    return (r & 0x80000003) | (60 + rng() % 130) << 23;
  }
};

void check_ieee(const char* mnemonic, bool bf16, bool accumulate) {
  Gen g;
  Bench b;
  const auto value = bf16 ? bf16_value : f16_value;
  for (int round = 0; round < 6000; ++round) {
    const int style = round % 3;
    Lanes c;
    for (int l = 0; l < kLanes; ++l) {
      b.v[0].v[l] = g.half(style) | uint32_t{g.half(style)} << 16;
      b.v[1].v[l] = g.half(style) | uint32_t{g.half(style)} << 16;
      // Cancellation: now and then the accumulator is near minus the products.
      c.v[l] = g.word(style);
      if (l % 4 == 0) {
        const double p = -(value(b.v[0].v[l] & 0xffff) * value(b.v[1].v[l] & 0xffff));
        c.v[l] = std::bit_cast<uint32_t>(static_cast<float>(p)) + (l / 4 % 3) - 1;
      }
    }
    b.v[2] = c;
    if (accumulate) {
      b.run(mnemonic, {Bench::vgpr(2)}, {Bench::vgpr(0), Bench::vgpr(1)});
    } else {
      b.run(mnemonic, {Bench::vgpr(2)},
            {Bench::vgpr(0, kOpSel1), Bench::vgpr(1, kOpSel1), Bench::vgpr(2, kOpSel1)});
    }
    for (int l = 0; l < kLanes; ++l) {
      const uint32_t x = b.v[0].v[l], y = b.v[1].v[l];
      const uint32_t want =
          exact_dot(value(x & 0xffff), value(y & 0xffff), value(x >> 16), value(y >> 16), c.v[l]);
      compared(mnemonic);
      ASSERT_TRUE(same(b.v[2].v[l], want))
          << mnemonic << std::hex << " a " << x << " b " << y << " c " << c.v[l] << " got "
          << b.v[2].v[l] << " want " << want << " round " << std::dec << round;
    }
  }
}

TEST(VOP3P, Dot2OneRounding) {
  check_ieee("v_dot2_f32_f16", false, false);
  check_ieee("v_dot2_f32_bf16", true, false);
}
TEST(VOP2, Dot2AccumulateOneRounding) { check_ieee("v_dot2acc_f32_f16", false, true); }

// Three terms so far apart that no pair of them fits a double.
TEST(VOP3P, Dot2SumToOddOfFarTerms) {
  EXPECT_EQ(sum3_to_odd(1, 0x1p-60, -0x1p-140), 1 + 0x1p-52);
  EXPECT_EQ(sum3_to_odd(0x1p-140, 1, -0x1p-60), 1 - 0x1p-53);
  EXPECT_EQ(sum3_to_odd(0x1p60, 0x1p-60, -0x1p60), 0x1p-60);
  EXPECT_EQ(sum3_to_odd(-0x1p-60, 0x1p-60, 1), 1);
  EXPECT_TRUE(std::signbit(sum3_to_odd(-0.0, -0.0, -0.0)));
  EXPECT_FALSE(std::signbit(sum3_to_odd(-0.0, 0.0, -0.0)));
}

TEST(VOP3, Dot2F16ResultOneRounding) {
  Gen g;
  Bench b;
  for (int round = 0; round < 2000; ++round) {
    Lanes c;
    for (int l = 0; l < kLanes; ++l) {
      b.v[0].v[l] = g.half(round % 3) | uint32_t{g.half(round % 3)} << 16;
      b.v[1].v[l] = g.half(round % 3) | uint32_t{g.half(round % 3)} << 16;
      c.v[l] = g.half(round % 3) | 0xabcd0000u;
    }
    b.v[2] = c;
    b.run("v_dot2_f16_f16", {Bench::vgpr(2)}, {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2)});
    for (int l = 0; l < kLanes; ++l) {
      const uint32_t x = b.v[0].v[l], y = b.v[1].v[l];
      const double a0 = f16_value(x & 0xffff), b0 = f16_value(y & 0xffff), a1 = f16_value(x >> 16),
                   b1 = f16_value(y >> 16), z = f16_value(c.v[l] & 0xffff);
      ASSERT_EQ(b.v[2].v[l] >> 16, 0xabcdu);
      if (!std::isfinite(a0 * b0 + a1 * b1 + z)) continue;
      mpfr_t s, t;
      mpfr_inits2(400, s, t, nullptr);
      mpfr_set_d(s, a0 * b0, MPFR_RNDN);  // 22 bits: exact in double
      mpfr_set_d(t, a1 * b1, MPFR_RNDN);
      mpfr_add(s, s, t, MPFR_RNDN);
      mpfr_add_d(s, s, z, MPFR_RNDN);
      // 11 bits, or a unit of 2^-24 for small results.
      double want = 0;
      if (!mpfr_zero_p(s)) {
        const long e = mpfr_get_exp(s);  // 2^(e-1) <= |s|
        const long unit = std::max(e - 11, -24l);
        mpfr_div_2si(s, s, unit, MPFR_RNDN);
        mpfr_rint(s, s, MPFR_RNDN);
        mpfr_mul_2si(s, s, unit, MPFR_RNDN);
        want = mpfr_get_d(s, MPFR_RNDN);
        if (std::fabs(want) > 65504) want = std::copysign(INFINITY, want);
      }
      mpfr_clears(s, t, nullptr);
      compared("v_dot2_f16_f16");
      ASSERT_EQ(f16_value(b.v[2].v[l] & 0xffff), want)
          << std::hex << x << " " << y << " " << c.v[l];
    }
  }
}

// Terms that agree in sign make an ordinary sum; the mirrored case mirrors the result.
TEST(VOP3P, Gfx1151SymmetricInSign) {
  Gen g;
  for (int i = 0; i < 200000; ++i) {
    const uint16_t a0 = g.half(1), b0 = g.half(1), a1 = g.half(1), b1 = g.half(1);
    const uint32_t c = g.word(1);
    const uint32_t r = dot2_gfx1151(DotType::f16, a0, b0, a1, b1, c);
    const uint32_t m =
        dot2_gfx1151(DotType::f16, a0 ^ 0x8000, b0, a1 ^ 0x8000, b1, c ^ 0x80000000u);
    if (r << 1) {
      ASSERT_EQ(r ^ 0x80000000u, m);
    }
  }
}

// The vector form is exact arithmetic in double, the one-lane form integers.
void vector_form_is_the_one_lane_form(DotType type, FpModel model) {
  Bench b;
  b.w.fp = model;
  Gen g;
  for (int round = 0; round < 3000; ++round) {
    Lanes c;
    for (int l = 0; l < kLanes; ++l) {
      b.v[0].v[l] = g.half(round % 3) | uint32_t{g.half(round % 3)} << 16;
      b.v[1].v[l] = g.half(round % 3) | uint32_t{g.half(round % 3)} << 16;
      c.v[l] = l % 5 ? g.word(round % 3) : 0x80000000u * (l & 1);
      if (l % 7 == 3) c.v[l] &= 0x81ffffffu;  // near fp32's denormals
      if (l % 11 == 5) b.v[1].v[l] &= type == DotType::bf16 ? 0x81ff81ffu : 0x87ff87ffu;
    }
    b.v[2] = c;
    b.run(type == DotType::f16 ? "v_dot2_f32_f16" : "v_dot2_f32_bf16", {Bench::vgpr(3)},
          {Bench::vgpr(0, kOpSel1), Bench::vgpr(1, kOpSel1), Bench::vgpr(2, kOpSel1)});
    for (int l = 0; l < kLanes; ++l) {
      const uint32_t x = b.v[0].v[l], y = b.v[1].v[l];
      const std::array xs{static_cast<uint16_t>(x), static_cast<uint16_t>(x >> 16)};
      const std::array ys{static_cast<uint16_t>(y), static_cast<uint16_t>(y >> 16)};
      const uint32_t want = model == FpModel::gfx1151
                                ? dot2_gfx1151(type, xs[0], ys[0], xs[1], ys[1], c.v[l])
                                : dot_gfx1201(type, xs, ys, c.v[l]);
      ASSERT_TRUE(same(b.v[3].v[l], want)) << std::hex << x << " " << y << " " << c.v[l] << " got "
                                           << b.v[3].v[l] << " want " << want;
    }
  }
}
TEST(VOP3P, Gfx1151VectorFormIsTheOneLaneForm) {
  vector_form_is_the_one_lane_form(DotType::f16, FpModel::gfx1151);
  vector_form_is_the_one_lane_form(DotType::bf16, FpModel::gfx1151);
}
TEST(VOP3P, Gfx1201VectorFormIsTheOneLaneForm) {
  vector_form_is_the_one_lane_form(DotType::f16, FpModel::gfx1201);
  vector_form_is_the_one_lane_form(DotType::bf16, FpModel::gfx1201);
}

TEST(VOP3P, Dot2Definedness) {
  Bench b;
  b.lo[0] = ~4u;  // lane 2 lacks the low half of a
  b.run("v_dot2_f32_f16", {Bench::vgpr(3)},
        {Bench::vgpr(0, kOpSel1), Bench::vgpr(1, kOpSel1), Bench::vgpr(2, kOpSel1)});
  EXPECT_EQ(b.lo[3], ~4u);
  EXPECT_EQ(b.hi[3], ~4u);
  // Selecting the high half twice does not read the low one.
  b.run("v_dot2_f32_f16", {Bench::vgpr(3)},
        {Bench::vgpr(0, kOpSel0 | kOpSel1), Bench::vgpr(1, kOpSel1), Bench::vgpr(2, kOpSel1)});
  EXPECT_EQ(b.lo[3], ~0u);
}

// Sums of products of elements; neg_lo of a source of the iu forms says that it is signed.
TEST(VOP3P, DotOfIntegers) {
  struct Form {
    const char* mnemonic;
    int bits;
    bool mixed;
  };
  Gen g;
  for (const Form& f : {Form{"v_dot4_i32_iu8", 8, true}, Form{"v_dot4_u32_u8", 8, false},
                        Form{"v_dot8_i32_iu4", 4, true}, Form{"v_dot8_u32_u4", 4, false}}) {
    for (int round = 0; round < 100; ++round) {
      Bench b;
      for (int r = 0; r < 3; ++r) {
        for (uint32_t& x : b.v[r].v) x = static_cast<uint32_t>(g.rng());
      }
      const bool is_signed[2] = {f.mixed && (round & 1), f.mixed && (round & 2)};
      b.run(f.mnemonic, {Bench::vgpr(3)},
            {Bench::vgpr(0, is_signed[0] ? kNeg : 0), Bench::vgpr(1, is_signed[1] ? kNeg : 0),
             Bench::vgpr(2)});
      for (int l = 0; l < kLanes; ++l) {
        int64_t s = b.v[2].v[l];
        for (int at = 0; at < 32; at += f.bits) {
          int64_t x[2];
          for (int i = 0; i < 2; ++i) {
            x[i] = b.v[i].v[l] >> at & ((1u << f.bits) - 1);
            if (is_signed[i] && x[i] >> (f.bits - 1)) x[i] -= 1 << f.bits;
          }
          s += x[0] * x[1];
        }
        ASSERT_TRUE(result_is(f.mnemonic, b.v[3].v[l], static_cast<uint32_t>(s)));
      }
    }
  }
}

// The sum rounded to fp32, then its low half cut off (triton#11227).
TEST(VOP3, Dot2Bf16ResultIsCut) {
  Gen g;
  const auto bf16 = [&] {
    const auto r = static_cast<uint16_t>(g.rng());
    return static_cast<uint16_t>((r & 0x807f) | (120 + (r >> 7) % 16) << 7);
  };
  int cut = 0;
  for (int round = 0; round < 1000; ++round) {
    Bench b;
    for (int r = 0; r < 3; ++r) {
      for (uint32_t& x : b.v[r].v) x = bf16() | uint32_t{bf16()} << 16;
    }
    const Lanes c = b.v[2];
    b.run("v_dot2_bf16_bf16", {Bench::vgpr(2)}, {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2)});
    for (int l = 0; l < kLanes; ++l) {
      const uint32_t x = b.v[0].v[l], y = b.v[1].v[l];
      const uint32_t sum = exact_dot(bf16_value(x & 0xffff), bf16_value(y & 0xffff),
                                     bf16_value(x >> 16), bf16_value(y >> 16), c.v[l] << 16);
      cut += (sum & 0xffff) > 0x8000;
      const uint32_t want = (c.v[l] & 0xffff0000) | sum >> 16;
      ASSERT_TRUE(result_is("v_dot2_bf16_bf16", b.v[2].v[l], want));
    }
  }
  EXPECT_GT(cut, 1000);  // where rounding to nearest would differ
}

}  // namespace
}  // namespace w4::rdna::test
