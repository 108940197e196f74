// Float arithmetic of the VALU and SALU as the ISA documents write it, over exact values.
#include "tests/rdna/isa/float_references.h"

#include <cmath>

namespace w4::rdna::test {
namespace {

using Fn = double (*)(Kind k, const In& a, const In& b, const In& c);
constexpr double kNan = __builtin_nan("");

int reciprocal(mpfr_t r, mpfr_srcptr a, mpfr_rnd_t rnd) { return mpfr_ui_div(r, 1, a, rnd); }
int sine(mpfr_t r, mpfr_srcptr a, mpfr_rnd_t rnd) { return mpfr_sinu(r, a, 1, rnd); }
int cosine(mpfr_t r, mpfr_srcptr a, mpfr_rnd_t rnd) { return mpfr_cosu(r, a, 1, rnd); }

double smaller(Kind, const In& a, const In& b, const In&) {
  if (a.x != a.x) return b.x;
  if (b.x != b.x) return a.x;
  if (a.x == 0 && b.x == 0) return std::signbit(a.x) ? a.x : b.x;
  return a.x < b.x ? a.x : b.x;
}
double larger(Kind, const In& a, const In& b, const In&) {
  if (a.x != a.x) return b.x;
  if (b.x != b.x) return a.x;
  if (a.x == 0 && b.x == 0) return std::signbit(a.x) ? b.x : a.x;
  return a.x > b.x ? a.x : b.x;
}
// MODE.IEEE: a signalling NaN wins, as a quiet one.
template <Fn F>
double ieee(Kind k, const In& a, const In& b, const In& c) {
  if (is_signalling(k, a.bits) || is_signalling(k, b.bits)) return kNan;
  return F(k, a, b, c);
}
template <Fn F>
double nan_wins(Kind k, const In& a, const In& b, const In& c) {
  return a.x != a.x || b.x != b.x ? kNan : F(k, a, b, c);
}
// G(F(a, b), c).
template <Fn F, Fn G>
double then(Kind k, const In& a, const In& b, const In& c) {
  const double x = F(k, a, b, c);
  return G(k, {bits_of_value(k, x), x}, c, c);
}
template <Fn Min, Fn Max>
double median(Kind k, const In& a, const In& b, const In& c) {
  if (a.x != a.x || b.x != b.x || c.x != c.x) return then<Min, Min>(k, a, b, c);
  const double top = then<Max, Max>(k, a, b, c);
  if (top == a.x) return Max(k, b, c, c);
  return top == b.x ? Max(k, a, c, c) : Max(k, a, b, c);
}

double below_one(Kind k) {
  return k == Kind::f16 ? 0x1.ffcp-1 : k == Kind::f32 ? 0x1.fffffep-1 : 0x1.fffffffffffffp-1;
}
double to_even(double x) {
  if (!std::isfinite(x)) return x;
  const double down = std::floor(x), rest = x - down;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0);
  return std::copysign(up ? down + 1 : down, x);
}
double mantissa(Kind, const In& a, const In&, const In&) {
  if (!std::isfinite(a.x) || a.x == 0) return a.x;
  double m = std::fabs(a.x);
  while (m >= 1) m /= 2;
  while (m < 0.5) m *= 2;
  return std::copysign(m, a.x);
}

constexpr auto kAdd = [](Kind k, const In& a, const In& b, const In&) {
  return exact(k, mpfr_add, a.x, b.x);
};

struct Row {
  const char* stem;
  int sources;
  Fn f;
  unsigned traits = 0;
  Fn ieee = nullptr;
};
#define EXACT1(F) [](Kind k, const In& a, const In&, const In&) { return exact(k, F, a.x); }
#define EXACT2(F, A, B) \
  [](Kind k, const In& a, const In& b, const In&) { return exact(k, F, A, B); }
#define EXACT3(A, B, C) \
  [](Kind k, const In& a, const In& b, const In& c) { return exact(k, mpfr_fma, A, B, C); }
#define VALUE(E) [](Kind, const In& a, const In& b, const In& c) -> double { return E; }

const Row kRows[] = {
    {"add", 2, kAdd},
    {"sub", 2, EXACT2(mpfr_sub, a.x, b.x)},
    {"subrev", 2, EXACT2(mpfr_sub, b.x, a.x)},
    {"mul", 2, EXACT2(mpfr_mul, a.x, b.x)},
    {"mul_dx9_zero", 2,
     [](Kind k, const In& a, const In& b, const In&) {
       return a.x == 0 || b.x == 0 ? 0.0 : exact(k, mpfr_mul, a.x, b.x);
     }},
    {"fma_dx9_zero", 3,
     [](Kind k, const In& a, const In& b, const In& c) {
       return a.x == 0 || b.x == 0 ? c.x : exact(k, mpfr_fma, a.x, b.x, c.x);
     }},
    {"fma", 3, EXACT3(a.x, b.x, c.x)},
    {"fmac", 3, EXACT3(a.x, b.x, c.x), kKeepsDst},
    // The decoder gives a * b + K and a * K + b in the order a, b, c.
    {"fmaak", 3, EXACT3(a.x, b.x, c.x), kNoMods | kNoOpSel},
    {"fmamk", 3, EXACT3(a.x, b.x, c.x), kNoMods | kNoOpSel},
    {"min", 2, smaller, 0, ieee<smaller>},
    {"max", 2, larger, 0, ieee<larger>},
    {"min_num", 2, smaller},
    {"max_num", 2, larger},
    {"minimum", 2, nan_wins<smaller>},
    {"maximum", 2, nan_wins<larger>},
    {"min3", 3, then<smaller, smaller>, 0, then<ieee<smaller>, ieee<smaller>>},
    {"max3", 3, then<larger, larger>, 0, then<ieee<larger>, ieee<larger>>},
    {"min3_num", 3, then<smaller, smaller>},
    {"max3_num", 3, then<larger, larger>},
    {"minmax", 3, then<smaller, larger>, 0, then<ieee<smaller>, ieee<larger>>},
    {"maxmin", 3, then<larger, smaller>, 0, then<ieee<larger>, ieee<smaller>>},
    {"minmax_num", 3, then<smaller, larger>},
    {"maxmin_num", 3, then<larger, smaller>},
    {"med3", 3, median<smaller, larger>, 0, median<ieee<smaller>, ieee<larger>>},
    {"med3_num", 3, median<smaller, larger>},
    {"floor", 1, VALUE(std::floor(a.x))},
    {"ceil", 1, VALUE(std::ceil(a.x))},
    {"trunc", 1, VALUE(std::trunc(a.x))},
    {"rndne", 1, VALUE(to_even(a.x))},
    {"fract", 1,
     [](Kind k, const In& a, const In&, const In&) {
       const double x = exact(k, mpfr_sub, a.x, std::floor(a.x));
       return x > below_one(k) ? below_one(k) : x;
     }},
    {"frexp_mant", 1, mantissa},
    {"rcp", 1, EXACT1(reciprocal), kFlushes},
    {"rcp_iflag", 1, EXACT1(reciprocal), kFlushes},
    {"sqrt", 1, EXACT1(mpfr_sqrt), kFlushes},
    // MPFR takes the root of -0 for +0; the documents give -inf.
    {"rsq", 1,
     [](Kind k, const In& a, const In&, const In&) {
       return a.x == 0 ? std::copysign(HUGE_VAL, a.x) : exact(k, mpfr_rec_sqrt, a.x);
     },
     kFlushes},
    {"exp", 1, EXACT1(mpfr_exp2), kFlushes},
    {"log", 1, EXACT1(mpfr_log2), kFlushes},
    // The argument is in turns. A zero that is not the source's own is +0 (documents' examples).
    {"sin", 1,
     [](Kind k, const In& a, const In&, const In&) {
       const double s = exact(k, sine, a.x);
       return s == 0 && a.x != 0 ? 0.0 : s;
     }},
    {"cos", 1,
     [](Kind k, const In& a, const In&, const In&) {
       const double s = exact(k, cosine, a.x);
       return s == 0 ? 0.0 : s;
     }},
};

// exponent(x) of the documents: the biased field.
int field(Kind k, double x) {
  const int digits = k == Kind::f16 ? 10 : k == Kind::f32 ? 23 : 52;
  return static_cast<int>(bits_of_value(k, std::fabs(x)) >> digits);
}
// Quotient, denominator, numerator. A NaN quotient of finite sources is the overflow that caused
// it (rdna/isa/README.md).
double fix_up(Kind k, const In& q, const In& den, const In& num) {
  const double sign = std::signbit(den.x) != std::signbit(num.x) ? -1.0 : 1.0;
  const int least = k == Kind::f64 ? -1075 : -150;
  if (num.x != num.x || den.x != den.x) return kNan;
  if (den.x == 0 && num.x == 0) return kNan;
  if (std::isinf(den.x) && std::isinf(num.x)) return kNan;
  if (den.x == 0 || std::isinf(num.x)) return sign * HUGE_VAL;
  if (std::isinf(den.x) || num.x == 0) return sign * 0.0;
  // fp16 exponents lie nearer than that: its rule never holds.
  if (field(k, num.x) - field(k, den.x) < least) return sign * 0.0;
  return q.x != q.x ? sign * HUGE_VAL : sign * std::fabs(q.x);
}

constexpr Kind kFloats[] = {Kind::f16, Kind::f32, Kind::f64};

Reference reference(const std::string& name, const Row& row, Kind k) {
  const Fn f = row.f, g = row.ieee;
  Reference r{
      name, k, {}, [=](const In& a, const In& b, const In& c) -> Out { return f(k, a, b, c); }};
  for (int i = 0; i < row.sources; ++i) r.src[static_cast<size_t>(i)] = k;
  r.traits = row.traits;
  if (k != Kind::f32) r.traits &= ~unsigned{kFlushes};
  // Two roundings; the documents grant the instruction 2^29 units.
  if (name == "v_rsq_f64") r.traits |= kOneUlp;
  if (g) r.f_ieee = [=](const In& a, const In& b, const In& c) -> Out { return g(k, a, b, c); };
  return r;
}

void add_ldexp(std::vector<Reference>& out, Kind k) {
  const Kind exponent = k == Kind::f16 ? Kind::b16 : Kind::b32;
  out.push_back({"v_ldexp_" + suffix(k),
                 k,
                 {k, exponent, Kind::none},
                 [=](const In& a, const In& b, const In&) -> Out {
                   const long n =
                       k == Kind::f16 ? static_cast<int16_t>(b.bits) : static_cast<int32_t>(b.bits);
                   return scaled(k, a.x, n);
                 }});
}
void add_frexp_exp(std::vector<Reference>& out, Kind k) {
  out.push_back({k == Kind::f16 ? "v_frexp_exp_i16_f16" : "v_frexp_exp_i32_" + suffix(k),
                 k == Kind::f16 ? Kind::b16 : Kind::b32,
                 {k, Kind::none, Kind::none},
                 [](const In& a, const In&, const In&) -> Out {
                   if (!std::isfinite(a.x) || a.x == 0) return 0;
                   int n = 1;
                   double m = std::fabs(a.x);
                   for (; m >= 2; m /= 2) ++n;
                   for (; m < 1; m *= 2) --n;
                   return n;
                 }});
}

}  // namespace

std::string suffix(Kind k) { return k == Kind::f16 ? "f16" : k == Kind::f32 ? "f32" : "f64"; }

std::vector<Reference> arithmetic(std::string_view prefix) {
  std::vector<Reference> out;
  for (const Row& row : kRows) {
    for (const Kind k : kFloats) {
      const std::string name = std::string(prefix) + row.stem + "_" + suffix(k);
      if (has_row(name)) out.push_back(reference(name, row, k));
    }
  }
  return out;
}

std::vector<Reference> float_references() {
  std::vector<Reference> out = arithmetic("v_");
  for (const Kind k : kFloats) {
    add_ldexp(out, k);
    add_frexp_exp(out, k);
    out.push_back(reference("v_div_fixup_" + suffix(k), {"div_fixup", 3, fix_up}, k));
  }
  return out;
}

}  // namespace w4::rdna::test
