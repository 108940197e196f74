// fp64 vector arithmetic.
#include <algorithm>
#include <cmath>

#include "rdna/isa/float_math.h"
#include "rdna/isa/float_out.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

template <Track T, int N, auto F>
void run_f64(Wave& w, const Op& op) {
  if (w.round16_64) [[unlikely]]
    return unsupported(w, op, "fp64 rounding mode other than nearest even");
  Doubles f[N], r;
  u32 d = ~0u;
  for (int i = 0; i < N; ++i) {
    read_f64(w, op.src[i], f[i]);
    if constexpr (T == Track::on) d &= def64(w, op.src[i]);
  }
  apply_lanes<N, F>(f, r);
  put_f64<T>(w, op, r, d);
}

// G where MODE.IEEE is set.
template <Track T, int N, auto F, auto G>
void run_f64_ieee(Wave& w, const Op& op) {
  w.ieee ? run_f64<T, N, G>(w, op) : run_f64<T, N, F>(w, op);
}

template <Track T>
void run_ldexp64(Wave& w, const Op& op) {
  Doubles a;
  Lanes t;
  read_f64(w, op.src[0], a);
  const u32* e = read_v(w, op.src[1], t);
  u32 d = ~0u;
  if constexpr (T == Track::on) d = def64(w, op.src[0]) & read_def(w, op.src[1]).all();
  for (int l = 0; l < kLanes; ++l) {
    a.v[l] = std::ldexp(a.v[l], std::clamp(static_cast<int>(e[l]), -4400, 4400));
  }
  put_f64<T>(w, op, a, d);
}

int exponent(double x) { return static_cast<int>(std::bit_cast<u64>(x) >> 52 & 0x7ff); }
bool denormal(double x) { return x != 0 && exponent(x) == 0; }

// As v_div_scale_f32, with the limits of fp64.
template <Track T>
void run_div_scale64(Wave& w, const Op& op) {
  Doubles f[3], r;
  Lanes c;
  u32 d = ~0u;
  for (int i = 0; i < 3; ++i) {
    read_f64(w, op.src[i], f[i]);
    if constexpr (T == Track::on) d &= def64(w, op.src[i]);
  }
  for (int l = 0; l < kLanes; ++l) {
    const double x = f[0].v[l], b = f[1].v[l], a = f[2].v[l];
    const bool is_den = std::bit_cast<u64>(x) == std::bit_cast<u64>(b);
    const bool is_num = std::bit_cast<u64>(x) == std::bit_cast<u64>(a);
    double y = x;
    bool scaled = false;
    if (a == 0 || b == 0) {
      y = __builtin_nan("");
    } else if (exponent(a) - exponent(b) >= 768) {
      scaled = true;
      if (is_den) y = std::ldexp(x, 128);
    } else if (denormal(b)) {
      y = std::ldexp(x, 128);
    } else if (denormal(1 / b) && denormal(a / b)) {
      // Not 2^128 as the document says: that would take the denominator to infinity.
      scaled = true;
      if (is_den) y = std::ldexp(x, -128);
    } else if (denormal(1 / b)) {
      y = std::ldexp(x, -128);
    } else if (denormal(a / b)) {
      scaled = true;
      if (is_num) y = std::ldexp(x, 128);
    } else if (exponent(a) <= 53) {
      y = std::ldexp(x, 128);
    }
    r.v[l] = y;
    c.v[l] = scaled ? ~0u : 0u;
  }
  const u32 e = w.exec(), mask = sign_bits(c);
  put_f64<T>(w, op, r, d);
  write_s(w, op.dst[1].reg, mask & e, T == Track::on ? d | ~e : ~0u);
}
// fma(a, b, c) * 2^128 or 2^-128, by the direction of the scaling, rounded once: the sum is formed
// in 113 bits, so that only a tie 60 bits below the result could round twice.
double scaled_back(double a, double b, double c) {
  const __float128 sum = static_cast<__float128>(a) * b + c;
  return static_cast<double>(sum * (exponent(c) > 1023 ? 0x1p128 : 0x1p-128));
}
template <Track T>
void run_div_fmas64(Wave& w, const Op& op) {
  Doubles f[3], r;
  u32 d = ~0u;
  for (int i = 0; i < 3; ++i) {
    read_f64(w, op.src[i], f[i]);
    if constexpr (T == Track::on) d &= def64(w, op.src[i]);
  }
  if constexpr (T == Track::on) d &= w.sdef[kVcc];
  for (int l = 0; l < kLanes; ++l) {
    const double a = f[0].v[l], b = f[1].v[l], c = f[2].v[l];
    r.v[l] = one_nan((w.vcc() >> l & 1) ? scaled_back(a, b, c) : std::fma(a, b, c));
  }
  put_f64<T>(w, op, r, d);
}
double fixup(double q, double den, double num) {
  const bool minus = std::signbit(den) != std::signbit(num);
  if (num != num) return num + num;
  if (den != den) return den + den;
  if ((num == 0 && den == 0) || (std::isinf(num) && std::isinf(den))) return __builtin_nan("");
  if (den == 0 || std::isinf(num)) return minus ? -HUGE_VAL : HUGE_VAL;
  if (std::isinf(den) || num == 0) return minus ? -0.0 : 0.0;
  if (exponent(num) - exponent(den) < -1075) return minus ? -0.0 : 0.0;
  if (q != q) return minus ? -HUGE_VAL : HUGE_VAL;  // overflow on the way
  return std::copysign(q, minus ? -1.0 : 1.0);
}

template <int N, auto F>
constexpr Row f64(std::string_view m, Evidence e = Evidence::ieee) {
  return {m, {run_f64<Track::off, N, F>, run_f64<Track::on, N, F>}, Flow::mix, "valu_f64", e};
}
template <int N, auto F, auto G>
constexpr Row f64_ieee(std::string_view m) {
  return {m,
          {run_f64_ieee<Track::off, N, F, G>, run_f64_ieee<Track::on, N, F, G>},
          Flow::mix,
          "valu_f64"};
}
#define F1(E) [](double a) -> double { return E; }
#define F2(E) [](double a, double b) -> double { return E; }
#define F3(E) [](double a, double b, double c) -> double { return E; }
#define BOTH(H) {H<Track::off>, H<Track::on>}, Flow::mix, "valu_f64"

constexpr Row kRows[] = {
    f64<2, F2(a + b)>("v_add_f64"),
    f64<2, F2(a* b)>("v_mul_f64"),
    f64<3, F3(std::fma(a, b, c))>("v_fma_f64"),
    f64_ieee<2, F2(fmath::min_num(a, b)), F2(fmath::min_ieee(a, b))>("v_min_f64"),
    f64_ieee<2, F2(fmath::max_num(a, b)), F2(fmath::max_ieee(a, b))>("v_max_f64"),
    f64<2, F2(fmath::min_num(a, b))>("v_min_num_f64"),
    f64<2, F2(fmath::max_num(a, b))>("v_max_num_f64"),
    f64<2, F2(fmath::minimum(a, b))>("v_minimum_f64"),
    f64<2, F2(fmath::maximum(a, b))>("v_maximum_f64"),
    f64<1, F1(std::floor(a))>("v_floor_f64"),
    f64<1, F1(std::ceil(a))>("v_ceil_f64"),
    f64<1, F1(std::trunc(a))>("v_trunc_f64"),
    f64<1, F1(std::rint(a))>("v_rndne_f64"),
    f64<1, F1(fmath::fract(a))>("v_fract_f64"),
    f64<1, F1(fmath::frexp_mant(a))>("v_frexp_mant_f64"),
    // Hardware gives an approximation that the division and root sequences refine.
    f64<1, F1(1 / a)>("v_rcp_f64", Evidence::document),
    f64<1, F1(1 / std::sqrt(a))>("v_rsq_f64", Evidence::document),
    f64<1, F1(std::sqrt(a))>("v_sqrt_f64", Evidence::document),
    f64<3, F3(fixup(a, b, c))>("v_div_fixup_f64"),
    {"v_div_scale_f64", BOTH(run_div_scale64)},
    // VCC is no operand: only the handler knows that it takes part.
    {"v_div_fmas_f64",
     {run_div_fmas64<Track::off>, run_div_fmas64<Track::on>},
     Flow::special,
     "valu_f64"},
    {"v_ldexp_f64", BOTH(run_ldexp64)},
};

}  // namespace

std::span<const Row> valu_f64_rows() { return kRows; }

}  // namespace w4::rdna
