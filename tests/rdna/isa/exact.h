// Correctly rounded results of the three float formats from MPFR, denormals and overflow included:
// the reference of every float instruction.
#pragma once

#include <mpfr.h>

#include <cstdint>

namespace w4::rdna::test {

enum class Kind : uint8_t { none, b16, b32, b64, f16, f32, f64 };

constexpr bool is_float(Kind k) { return k >= Kind::f16; }
constexpr int bits_of_kind(Kind k) {
  switch (k) {
    case Kind::none:
      return 0;
    case Kind::b16:
    case Kind::f16:
      return 16;
    case Kind::b32:
    case Kind::f32:
      return 32;
    default:
      return 64;
  }
}

// Value of a float's bits, and back: x must be a value of the format, any NaN is one quiet NaN.
double value_of(Kind k, uint64_t bits);
uint64_t bits_of_value(Kind k, double x);
bool is_nan(Kind k, uint64_t bits);
bool is_signalling(Kind k, uint64_t bits);
bool is_denormal(Kind k, uint64_t bits);

// The exact result of one operation, rounded once to nearest even in the format k. Sources are
// values of any of the formats.
using Mpfr1 = int (*)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
using Mpfr2 = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using Mpfr3 = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
double exact(Kind k, Mpfr1 f, double a);
double exact(Kind k, Mpfr2 f, double a, double b);
double exact(Kind k, Mpfr3 f, double a, double b, double c);
double rounded(Kind k, double a);
// a * 2^n.
double scaled(Kind k, double a, long n);

}  // namespace w4::rdna::test
