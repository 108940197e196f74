// Sine and cosine of fp16 and the segments of 2/pi against MPFR.
#include <mpfr.h>

#include <cmath>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

// sin or cos of 2 pi x, to double.
double turns(double x, bool cosine) {
  mpfr_t a, pi;
  mpfr_init2(a, 200);
  mpfr_init2(pi, 200);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_mul_d(a, pi, 2 * x, MPFR_RNDN);
  cosine ? mpfr_cos(a, a, MPFR_RNDN) : mpfr_sin(a, a, MPFR_RNDN);
  const double r = mpfr_get_d(a, MPFR_RNDN);
  mpfr_clear(a);
  mpfr_clear(pi);
  return r;
}

// Every fp16 number; hardware promises 1 ulp.
TEST(VOP1, HalfSineAndCosineOfTurns) {
  for (const bool cosine : {false, true}) {
    for (uint32_t start = 0; start < 0x10000; start += 32) {
      Bench b;
      for (uint32_t l = 0; l < 32; ++l) b.v[0].v[l] = start + l;
      b.run(cosine ? "v_cos_f16" : "v_sin_f16", {Bench::vgpr(1)}, {Bench::vgpr(0)});
      for (uint32_t l = 0; l < 32; ++l) {
        const double x = std::bit_cast<_Float16>(static_cast<uint16_t>(start + l));
        const double got = std::bit_cast<_Float16>(static_cast<uint16_t>(b.v[1].v[l]));
        if (!std::isfinite(x)) {
          EXPECT_TRUE(std::isnan(got)) << x;
          continue;
        }
        const double want = turns(x, cosine);
        compared(cosine ? "v_cos_f16" : "v_sin_f16");
        const double ulp = std::max(std::fabs(want) * 0x1p-10, 0x1p-24);
        EXPECT_LE(std::fabs(got - want), ulp) << (cosine ? "cos " : "sin ") << x;
      }
    }
  }
}

// floor(2/pi * 2^(from + 53)) mod 2^53, scaled: the digits `from` to `from` + 52.
double segment(uint32_t from, int extra) {
  mpfr_t a, part;
  mpfr_init2(a, 3000);
  mpfr_init2(part, 3000);
  mpfr_const_pi(a, MPFR_RNDN);
  mpfr_ui_div(a, 2, a, MPFR_RNDN);
  // The document keeps 1201 digits.
  mpfr_mul_2ui(a, a, 1201, MPFR_RNDN);
  mpfr_floor(a, a);
  mpfr_div_2ui(a, a, 1201, MPFR_RNDN);
  mpfr_mul_2ui(a, a, from, MPFR_RNDN);
  mpfr_frac(a, a, MPFR_RNDN);
  mpfr_mul_2ui(part, a, 53, MPFR_RNDN);
  mpfr_floor(part, part);
  const double r = std::ldexp(mpfr_get_d(part, MPFR_RNDN), extra - 53 - static_cast<int>(from));
  mpfr_clear(a);
  mpfr_clear(part);
  return r;
}

TEST(VOP3, SegmentsOfTwoOverPi) {
  for (const int exponent : {0, 1, 1023, 1077, 1078, 1100, 1500, 1967, 1968, 2046}) {
    for (uint32_t which = 0; which < 33; which += 2) {
      const uint64_t bits = uint64_t(exponent) << 52 | 0x123456789abcdull;
      Bench b;
      for (int l = 0; l < 32; ++l) {
        b.v[0].v[l] = static_cast<uint32_t>(bits);
        b.v[1].v[l] = static_cast<uint32_t>(bits >> 32);
        b.v[2].v[l] = which + static_cast<uint32_t>(l & 1);
      }
      b.run("v_trig_preop_f64", {Bench::vgpr(4, 0, 2)}, {Bench::vgpr(0, 0, 2), Bench::vgpr(2)});
      for (int l = 0; l < 2; ++l) {
        const uint32_t from = (which + static_cast<uint32_t>(l)) % 32 * 53 +
                              (exponent > 1077 ? static_cast<uint32_t>(exponent - 1077) : 0);
        const uint64_t got = b.v[4].v[l] | uint64_t{b.v[5].v[l]} << 32;
        EXPECT_TRUE(result_is("v_trig_preop_f64", std::bit_cast<double>(got),
                              segment(from, exponent >= 1968 ? 128 : 0)))
            << exponent << " segment " << which + static_cast<uint32_t>(l);
      }
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
