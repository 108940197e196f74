#include "tests/rdna/isa/exact.h"

#include <cmath>
#include <limits>

namespace w4::rdna::test {
namespace {

// Significant bits, bits of the exponent field.
struct Format {
  int digits, exponent;
  int bias() const { return (1 << (exponent - 1)) - 1; }
};
Format format(Kind k) {
  if (k == Kind::f16) return {11, 5};
  if (k == Kind::f32) return {24, 8};
  return {53, 11};
}

struct Real {
  mpfr_t x;
  explicit Real(int digits = 53) { mpfr_init2(x, digits); }
  ~Real() { mpfr_clear(x); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
};
Real& source(int i, double v) {
  static Real s[3];
  mpfr_set_d(s[i].x, v, MPFR_RNDN);
  return s[i];
}

// f leaves its result at the format's precision with MPFR's widest exponents; then the format's
// range, with the ternary value carrying what was cut.
template <class F>
double finish(Kind k, F f) {
  static Real r16(11), r32(24), r64(53);
  const Format m = format(k);
  mpfr_ptr r = (k == Kind::f16 ? r16 : k == Kind::f32 ? r32 : r64).x;
  int t = f(r);
  const mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
  mpfr_set_emin(2 - m.bias() - m.digits + 1);
  mpfr_set_emax(m.bias() + 1);
  t = mpfr_check_range(r, t, MPFR_RNDN);
  mpfr_subnormalize(r, t, MPFR_RNDN);
  mpfr_set_emin(low);
  mpfr_set_emax(high);
  return mpfr_get_d(r, MPFR_RNDN);
}

}  // namespace

double value_of(Kind k, uint64_t bits) {
  const Format m = format(k);
  const uint64_t fraction = bits & ((uint64_t{1} << (m.digits - 1)) - 1);
  const int top = (1 << m.exponent) - 1;
  const int e = static_cast<int>(bits >> (m.digits - 1)) & top;
  const bool minus = bits >> (m.digits - 1 + m.exponent) & 1;
  double x = 0;
  if (e == top) {
    x = fraction ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
  } else {
    const uint64_t whole = e ? fraction | uint64_t{1} << (m.digits - 1) : fraction;
    x = std::ldexp(static_cast<double>(whole), (e ? e : 1) - m.bias() - m.digits + 1);
  }
  return minus ? -x : x;
}

uint64_t bits_of_value(Kind k, double x) {
  const Format m = format(k);
  const uint64_t sign = uint64_t{std::signbit(x)} << (m.digits - 1 + m.exponent);
  const uint64_t top = ((uint64_t{1} << m.exponent) - 1) << (m.digits - 1);
  if (x != x) return top | uint64_t{1} << (m.digits - 2);
  if (std::isinf(x)) return sign | top;
  if (x == 0) return sign;
  int e = 0;
  const double f = std::frexp(std::fabs(x), &e);  // [0.5, 1)
  const int biased = e - 1 + m.bias();
  if (biased > 0) {
    const auto whole = static_cast<uint64_t>(std::ldexp(f, m.digits));
    return sign + ((static_cast<uint64_t>(biased) - 1) << (m.digits - 1)) + whole;
  }
  return sign + static_cast<uint64_t>(std::ldexp(f, m.digits + biased - 1));
}

bool is_nan(Kind k, uint64_t bits) {
  const double x = value_of(k, bits);
  return x != x;
}
bool is_signalling(Kind k, uint64_t bits) {
  return is_nan(k, bits) && !(bits >> (format(k).digits - 2) & 1);
}
bool is_denormal(Kind k, uint64_t bits) {
  const Format m = format(k);
  const uint64_t top = (uint64_t{1} << m.exponent) - 1;
  return !(bits >> (m.digits - 1) & top) && (bits & ((uint64_t{1} << (m.digits - 1)) - 1));
}

double exact(Kind k, Mpfr1 f, double a) {
  return finish(k, [&](mpfr_ptr r) { return f(r, source(0, a).x, MPFR_RNDN); });
}
double exact(Kind k, Mpfr2 f, double a, double b) {
  return finish(k, [&](mpfr_ptr r) { return f(r, source(0, a).x, source(1, b).x, MPFR_RNDN); });
}
double exact(Kind k, Mpfr3 f, double a, double b, double c) {
  return finish(k, [&](mpfr_ptr r) {
    return f(r, source(0, a).x, source(1, b).x, source(2, c).x, MPFR_RNDN);
  });
}
double rounded(Kind k, double a) { return exact(k, mpfr_set, a); }
double scaled(Kind k, double a, long n) {
  return finish(k, [&](mpfr_ptr r) { return mpfr_mul_2si(r, source(0, a).x, n, MPFR_RNDN); });
}

}  // namespace w4::rdna::test
