// Independent number formats for the tests: values by ldexp, rounding by integer arithmetic on
// __float128 (113 bits: products and sums of these sources are exact in it).
#pragma once

#include <cmath>
#include <cstdint>

namespace w4::rdna::test {

using Quad = __float128;

inline double value16(uint32_t h) {
  const int e = h >> 10 & 31, f = h & 1023;
  const double m = e == 31 ? (f ? NAN : INFINITY) : std::ldexp(e ? 1024 + f : f, (e ? e : 1) - 25);
  return h & 0x8000 ? -m : m;
}

// x to a format of `p` significant bits whose smallest unit is 2^emin and whose largest finite
// value is `top`; nearest even. NaN and infinities pass.
inline double round_to(Quad x, int p, int emin, double top) {
  const double approx = static_cast<double>(x);
  if (!std::isfinite(approx) || x == 0) return approx;
  Quad m = x < 0 ? -x : x;
  int e = std::ilogb(static_cast<double>(m));
  Quad lead = 1;
  for (int i = 0; i < std::abs(e); ++i) lead = e > 0 ? lead * 2 : lead / 2;
  if (m < lead) --e;  // the conversion to double rounded up to a power of two
  const int unit = std::max(e - p + 1, emin);
  Quad scale = 1;
  for (int i = 0; i < std::abs(unit); ++i) scale = unit > 0 ? scale / 2 : scale * 2;
  const Quad q = m * scale;
  auto n = static_cast<uint64_t>(q);
  const Quad rest = q - static_cast<Quad>(n);
  if (rest > 0.5Q || (rest == 0.5Q && (n & 1))) ++n;
  double r = std::ldexp(static_cast<double>(n), unit);
  if (r > top) r = INFINITY;
  return x < 0 ? -r : r;
}
inline double round16(Quad x) { return round_to(x, 11, -24, 65504); }
inline double round32(Quad x) { return round_to(x, 24, -149, 3.4028234663852886e38); }

// Equal as values with the sign of zero, or both NaN.
inline bool same_value(double a, double b) {
  if (a != a || b != b) return a != a && b != b;
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace w4::rdna::test
