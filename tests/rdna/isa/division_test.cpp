// The steps of a division, fp32 and fp64: v_div_scale and v_div_fmas as the documents write them
// (and where we depart, rdna/isa/README.md), and the compiler's whole sequence, which must give the
// rounded quotient.
#include <bit>
#include <cmath>

#include "tests/rdna/isa/float_references.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

struct Type {
  Kind kind;
  int near_overflow, tiny, scale, digits;
};
const Type kTypes[] = {{Kind::f32, 96, 23, 64, 23}, {Kind::f64, 768, 53, 128, 52}};

u64 get(const Bench& b, int reg, int l, Kind k) {
  return b.v[reg].v[l] | (k == Kind::f64 ? u64{b.v[reg + 1].v[l]} << 32 : 0);
}
void put(Bench& b, int reg, int l, u64 x) {
  b.v[reg].v[l] = static_cast<u32>(x);
  b.v[reg + 1].v[l] = static_cast<u32>(x >> 32);
}

u64 random_float(Kind k, std::mt19937_64& rng) {
  const int digits = k == Kind::f32 ? 23 : 52, n = bits_of_kind(k);
  const u64 sign_and_fraction = u64{1} << (n - 1) | ((u64{1} << digits) - 1);
  const u64 top = (u64{1} << (n - 1 - digits)) - 1;
  switch (rng() % 8) {
    case 0:
      return rng() & sign_and_fraction & ~(top << digits);  // a denormal
    case 1:
      return (rng() & sign_and_fraction) | (rng() % 60) << digits;
    case 2:
      return (rng() & sign_and_fraction) | (top - 1 - rng() % 60) << digits;
    case 3:
      return top << digits | (rng() & u64{1} << (n - 1)) | (rng() % 2 << (digits - 1));
    case 4:
      return rng() & u64{1} << (n - 1);
    default:
      return (rng() & sign_and_fraction) | rng() % top << digits;
  }
}

struct Scaled {
  u64 bits;
  bool vcc;
};
Scaled scale(const Type& t, u64 s0, u64 s1, u64 s2) {
  const Kind k = t.kind;
  const double x = value_of(k, s0), den = value_of(k, s1), num = value_of(k, s2);
  const auto exponent = [&](u64 bits) {
    return static_cast<int>(bits >> t.digits & (k == Kind::f32 ? 0xff : 0x7ff));
  };
  const auto denormal = [](Kind kind, double v) {
    return is_denormal(kind, bits_of_value(kind, v));
  };
  const auto times = [&](int n) { return bits_of_value(k, scaled(k, x, n)); };
  if (num == 0 || den == 0) return {bits_of_value(k, NAN), false};
  if (exponent(s2) - exponent(s1) >= t.near_overflow) return {s0 == s1 ? times(t.scale) : s0, true};
  if (is_denormal(k, s1)) return {times(t.scale), false};
  const bool inverse = denormal(k, exact(k, mpfr_div, 1.0, den));
  const bool quotient = denormal(k, exact(k, mpfr_div, num, den));
  // The documents scale up here, which takes the denominator to infinity.
  if (inverse && quotient) return {s0 == s1 ? times(-t.scale) : s0, true};
  if (inverse) return {times(-t.scale), false};
  if (quotient) return {s0 == s2 ? times(t.scale) : s0, true};
  return {exponent(s2) <= t.tiny ? times(t.scale) : s0, false};
}

TEST(VOP3, DivScaleEqualsItsReference) {
  std::mt19937_64 rng(31);
  for (const Type& t : kTypes) {
    const std::string name = "v_div_scale_" + suffix(t.kind);
    const int words = t.kind == Kind::f64 ? 2 : 1;
    for (int round = 0; round < 800; ++round) {
      Bench b;
      for (int l = 0; l < kLanes; ++l) {
        put(b, 2, l, random_float(t.kind, rng));
        put(b, 4, l, random_float(t.kind, rng));
        put(b, 0, l, get(b, rng() % 2 ? 2 : 4, l, t.kind));
      }
      const u32 e = b.w.s[kExec] = round % 2 ? ~0u : static_cast<u32>(rng());
      const Lanes old = b.v[8];
      b.run(name, {Bench::vgpr(8, 0, words), Bench::sgpr(20)},
            {Bench::vgpr(0, 0, words), Bench::vgpr(2, 0, words), Bench::vgpr(4, 0, words)});
      for (int l = 0; l < kLanes; ++l) {
        const Scaled want =
            scale(t, get(b, 0, l, t.kind), get(b, 2, l, t.kind), get(b, 4, l, t.kind));
        const bool active = e >> l & 1;
        ASSERT_EQ(b.w.s[20] >> l & 1, u32{active && want.vcc}) << name;
        const u64 got = get(b, 8, l, t.kind);
        if (!active) ASSERT_EQ(b.v[8].v[l], old.v[l]);
        if (!active || (is_nan(t.kind, got) && is_nan(t.kind, want.bits))) continue;
        ASSERT_TRUE(result_is(name, got, want.bits))
            << std::hex << get(b, 0, l, t.kind) << " " << get(b, 2, l, t.kind) << " "
            << get(b, 4, l, t.kind);
      }
    }
  }
}

template <int kPower>
int scaled_fma(mpfr_t r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_rnd_t rnd) {
  mpfr_t x, z;
  mpfr_init2(x, 53);
  mpfr_init2(z, 53);
  mpfr_mul_2si(x, a, kPower, rnd);
  mpfr_mul_2si(z, c, kPower, rnd);
  const int t = mpfr_fma(r, x, b, z, rnd);
  mpfr_clear(x);
  mpfr_clear(z);
  return t;
}

// fma, and where VCC is set the power of two that undoes the scaling, rounded once. The documents
// print 2^32 and 2^64; the direction is the addend's, and 2^64 and 2^128 undo v_div_scale.
TEST(VOP3, DivFmasEqualsItsReference) {
  std::mt19937_64 rng(32);
  for (const Type& t : kTypes) {
    const std::string name = "v_div_fmas_" + suffix(t.kind);
    const int words = t.kind == Kind::f64 ? 2 : 1;
    for (int round = 0; round < 400; ++round) {
      Bench b;
      for (int l = 0; l < kLanes; ++l) {
        for (int r = 0; r < 6; r += 2) put(b, r, l, random_float(t.kind, rng));
      }
      const u32 vcc = b.w.s[kVcc] = static_cast<u32>(rng());
      b.run(name, {Bench::vgpr(8, 0, words)},
            {Bench::vgpr(0, 0, words), Bench::vgpr(2, 0, words), Bench::vgpr(4, 0, words)});
      for (int l = 0; l < kLanes; ++l) {
        double x[3];
        for (int i = 0; i < 3; ++i) x[i] = value_of(t.kind, get(b, 2 * i, l, t.kind));
        double want = exact(t.kind, mpfr_fma, x[0], x[1], x[2]);
        if (vcc >> l & 1) {
          const bool up = std::fabs(x[2]) >= 2;
          const bool wide = t.kind == Kind::f64;
          const Mpfr3 f = wide ? (up ? scaled_fma<128> : scaled_fma<-128>)
                               : (up ? scaled_fma<64> : scaled_fma<-64>);
          want = exact(t.kind, f, x[0], x[1], x[2]);
        }
        const u64 got = get(b, 8, l, t.kind);
        if (want != want && is_nan(t.kind, got)) continue;
        ASSERT_TRUE(result_is(name, got, bits_of_value(t.kind, want)))
            << x[0] << " " << x[1] << " " << x[2] << " vcc " << (vcc >> l & 1);
      }
    }
  }
}

bool same(u32 got, float want) {
  return want != want ? is_nan(Kind::f32, got) : got == std::bit_cast<u32>(want);
}

// The compiler's own division sequence must give the rounded quotient.
TEST(VOP3, DivisionSequenceOfFp32) {
  std::mt19937_64 rng(16);
  Bench b;
  const int num = 0, den = 1, sd = 2, sn = 3, r = 4, e = 5, q = 6, t = 7;
  const u32 one = 0x3f800000u;
  for (int round = 0; round < 3000; ++round) {
    for (int l = 0; l < kLanes; ++l) {
      b.v[num].v[l] = static_cast<u32>(random_float(Kind::f32, rng));
      b.v[den].v[l] = static_cast<u32>(random_float(Kind::f32, rng));
    }
    const auto V = [](int x, uint8_t m = 0) { return Bench::vgpr(x, m); };
    b.run("v_div_scale_f32", {V(sd), Bench::sgpr(kNull)}, {V(den), V(den), V(num)});
    b.run("v_rcp_f32", {V(r)}, {V(sd)});
    b.run("v_fma_f32", {V(e)}, {V(sd, kNeg), V(r), b.constant(one)});
    b.run("v_fmac_f32", {V(r)}, {V(e), V(r)});
    b.run("v_div_scale_f32", {V(sn), Bench::sgpr(kVcc)}, {V(num), V(den), V(num)});
    b.run("v_mul_f32", {V(q)}, {V(sn), V(r)});
    b.run("v_fma_f32", {V(t)}, {V(sd, kNeg), V(q), V(sn)});
    b.run("v_fmac_f32", {V(q)}, {V(t), V(r)});
    b.run("v_fma_f32", {V(t)}, {V(sd, kNeg), V(q), V(sn)});
    b.run("v_div_fmas_f32", {V(q)}, {V(t), V(r), V(q)});
    b.run("v_div_fixup_f32", {V(q)}, {V(q), V(den), V(num)});
    for (int l = 0; l < kLanes; ++l) {
      const float x = std::bit_cast<float>(b.v[num].v[l]), y = std::bit_cast<float>(b.v[den].v[l]);
      ASSERT_TRUE(same(b.v[q].v[l], x / y))
          << x << " / " << y << " got " << std::bit_cast<float>(b.v[q].v[l]);
    }
  }
}

TEST(VOP3, DivisionSequenceOfFp64) {
  std::mt19937_64 rng(33);
  Bench b;
  const int num = 0, den = 2, sd = 4, sn = 6, r = 8, e = 10, q = 12, t = 14;
  const auto V = [](int x, uint8_t m = 0) { return Bench::vgpr(x, m, 2); };
  Operand one = b.constant(0);
  one.words = 2;
  one.imm_hi = 0x3ff00000;
  for (int round = 0; round < 2000; ++round) {
    for (int l = 0; l < kLanes; ++l) {
      put(b, num, l, random_float(Kind::f64, rng));
      put(b, den, l, random_float(Kind::f64, rng));
    }
    b.run("v_div_scale_f64", {V(sd), Bench::sgpr(kNull)}, {V(den), V(den), V(num)});
    b.run("v_rcp_f64", {V(r)}, {V(sd)});
    for (int i = 0; i < 2; ++i) {
      b.run("v_fma_f64", {V(e)}, {V(sd, kNeg), V(r), one});
      b.run("v_fma_f64", {V(r)}, {V(r), V(e), V(r)});
    }
    b.run("v_div_scale_f64", {V(sn), Bench::sgpr(kVcc)}, {V(num), V(den), V(num)});
    b.run("v_mul_f64", {V(q)}, {V(sn), V(r)});
    b.run("v_fma_f64", {V(t)}, {V(sd, kNeg), V(q), V(sn)});
    b.run("v_div_fmas_f64", {V(q)}, {V(t), V(r), V(q)});
    b.run("v_div_fixup_f64", {V(q)}, {V(q), V(den), V(num)});
    for (int l = 0; l < kLanes; ++l) {
      const double x = value_of(Kind::f64, get(b, num, l, Kind::f64));
      const double y = value_of(Kind::f64, get(b, den, l, Kind::f64)), want = x / y;
      const u64 got = get(b, q, l, Kind::f64);
      ASSERT_TRUE(want != want ? is_nan(Kind::f64, got) : got == std::bit_cast<u64>(want))
          << x << " / " << y << " got " << value_of(Kind::f64, got);
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
