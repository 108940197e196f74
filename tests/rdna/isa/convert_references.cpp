// Conversions: float to integer cuts toward zero, saturates and takes NaN as 0; integer to float
// and float to float round once, to nearest even where nothing else is said.
#include <cmath>

#include "tests/rdna/isa/float_references.h"

namespace w4::rdna::test {
namespace {

using u64 = uint64_t;
using i64 = int64_t;

constexpr Kind kNo = Kind::none;

i64 saturate(double x, double low, double high) {
  if (x != x) return 0;
  return static_cast<i64>(x < low ? low : x > high ? high : x);
}
i64 to_i32(double x) { return saturate(std::trunc(x), -2147483648.0, 2147483647.0); }
i64 to_u32(double x) { return saturate(std::trunc(x), 0, 4294967295.0); }
i64 to_i16(double x) { return saturate(std::trunc(x), -32768, 32767); }
i64 to_u16(double x) { return saturate(std::trunc(x), 0, 65535); }

// The fp16 neighbour of x toward zero.
u64 f16_toward_zero(double x) {
  const double r = rounded(Kind::f16, x);
  const u64 bits = bits_of_value(Kind::f16, r);
  return std::isfinite(x) && std::fabs(r) > std::fabs(x) ? bits - 1 : bits;
}
// [-1, 1] or [0, 1] times the largest value, rounded once to nearest even; NaN is 0.
u64 normalised(double x, double low, double scale) {
  if (x != x) return 0;
  const double v = exact(Kind::f64, mpfr_mul, x < low ? low : x > 1 ? 1 : x, scale);
  const double down = std::floor(v), rest = v - down;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0);
  return static_cast<u64>(static_cast<i64>(up ? down + 1 : down)) & 0xffff;
}
u64 norm_i16(double x) { return normalised(x, -1, 32767); }
u64 norm_u16(double x) { return normalised(x, 0, 65535); }
i64 s16(u64 x) { return static_cast<int16_t>(x); }
i64 s32(u64 x) { return static_cast<int32_t>(x); }

struct Row {
  const char* mnemonic;
  Kind dst, src;
  Out (*f)(const In& a);
  unsigned traits = 0;
};
const Row kRows[] = {
    {"v_cvt_f32_i32", Kind::f32, Kind::b32,
     [](const In& a) -> Out { return rounded(Kind::f32, static_cast<double>(s32(a.bits))); }},
    {"v_cvt_f32_u32", Kind::f32, Kind::b32,
     [](const In& a) -> Out { return rounded(Kind::f32, static_cast<double>(a.bits)); }},
    {"v_cvt_f32_ubyte0", Kind::f32, Kind::b32,
     [](const In& a) -> Out { return static_cast<double>(a.bits & 255); }},
    {"v_cvt_f32_ubyte1", Kind::f32, Kind::b32,
     [](const In& a) -> Out { return static_cast<double>(a.bits >> 8 & 255); }},
    {"v_cvt_f32_ubyte2", Kind::f32, Kind::b32,
     [](const In& a) -> Out { return static_cast<double>(a.bits >> 16 & 255); }},
    {"v_cvt_f32_ubyte3", Kind::f32, Kind::b32,
     [](const In& a) -> Out { return static_cast<double>(a.bits >> 24); }},
    {"v_cvt_f32_f16", Kind::f32, Kind::f16, [](const In& a) -> Out { return a.x; }},
    {"v_cvt_f32_f64", Kind::f32, Kind::f64,
     [](const In& a) -> Out { return rounded(Kind::f32, a.x); }},
    {"v_cvt_f64_i32", Kind::f64, Kind::b32,
     [](const In& a) -> Out { return static_cast<double>(s32(a.bits)); }},
    {"v_cvt_f64_u32", Kind::f64, Kind::b32,
     [](const In& a) -> Out { return static_cast<double>(a.bits); }},
    {"v_cvt_f64_f32", Kind::f64, Kind::f32, [](const In& a) -> Out { return a.x; }},
    {"v_cvt_i32_f32", Kind::b32, Kind::f32, [](const In& a) -> Out { return to_i32(a.x); }},
    {"v_cvt_u32_f32", Kind::b32, Kind::f32, [](const In& a) -> Out { return to_u32(a.x); }},
    {"v_cvt_i32_f64", Kind::b32, Kind::f64, [](const In& a) -> Out { return to_i32(a.x); }},
    {"v_cvt_u32_f64", Kind::b32, Kind::f64, [](const In& a) -> Out { return to_u32(a.x); }},
    {"v_cvt_nearest_i32_f32", Kind::b32, Kind::f32,
     [](const In& a) -> Out { return to_i32(std::floor(exact(Kind::f32, mpfr_add, a.x, 0.5))); }},
    {"v_cvt_floor_i32_f32", Kind::b32, Kind::f32,
     [](const In& a) -> Out { return to_i32(std::floor(a.x)); }},
    {"v_cvt_f16_f32", Kind::f16, Kind::f32,
     [](const In& a) -> Out { return rounded(Kind::f16, a.x); }},
    {"v_cvt_f16_u16", Kind::f16, Kind::b16,
     [](const In& a) -> Out { return rounded(Kind::f16, static_cast<double>(a.bits)); }},
    {"v_cvt_f16_i16", Kind::f16, Kind::b16,
     [](const In& a) -> Out { return rounded(Kind::f16, static_cast<double>(s16(a.bits))); }},
    {"v_cvt_u16_f16", Kind::b16, Kind::f16, [](const In& a) -> Out { return to_u16(a.x); }},
    {"v_cvt_i16_f16", Kind::b16, Kind::f16, [](const In& a) -> Out { return to_i16(a.x); }},
};

// Two sources to two halves.
struct Pair {
  const char* mnemonic;
  Kind src;
  u64 (*f)(double x);
};
const Pair kPairs[] = {
    {"v_cvt_pk_rtz_f16_f32", Kind::f32, f16_toward_zero},
    {"v_cvt_pk_norm_i16_f32", Kind::f32, norm_i16},
    {"v_cvt_pk_norm_u16_f32", Kind::f32, norm_u16},
    {"v_cvt_pk_norm_i16_f16", Kind::f16, norm_i16},
    {"v_cvt_pk_norm_u16_f16", Kind::f16, norm_u16},
    {"v_cvt_pk_i16_f32", Kind::f32, [](double x) { return static_cast<u64>(to_i16(x)) & 0xffff; }},
    {"v_cvt_pk_u16_f32", Kind::f32, [](double x) { return static_cast<u64>(to_u16(x)); }},
};

}  // namespace

std::vector<Reference> convert_references() {
  std::vector<Reference> out;
  for (const Row& r : kRows) {
    const auto f = r.f;
    out.push_back({r.mnemonic, r.dst, {r.src, kNo, kNo}, [f](const In& a, const In&, const In&) {
                     return f(a);
                   }});
    out.back().traits = r.traits;
  }
  for (const Pair& p : kPairs) {
    const auto f = p.f;
    out.push_back(
        {p.mnemonic,
         Kind::b32,
         {p.src, p.src, kNo},
         [f](const In& a, const In& b, const In&) -> Out { return f(a.x) | f(b.x) << 16; }});
  }
  return out;
}

}  // namespace w4::rdna::test
