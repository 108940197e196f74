// Sine and cosine of fp16, and the digits of 2/pi with which compilers reduce large fp64 arguments.
#include <array>
#include <cmath>

#include "rdna/isa/float_in.h"
#include "rdna/isa/float_math.h"
#include "rdna/isa/float_out.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

// The first 1216 binary digits of 2/pi after the point.
constexpr std::array<u64, 19> kTwoOverPi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

// 53 digits from digit `from` on; zeros after the last one kept.
constexpr u64 digits(u32 from) {
  u64 r = 0;
  for (u32 i = 0; i < 53; ++i) {
    const u32 at = from + i;
    const bool one = at < 1201 && (kTwoOverPi[at / 64] >> (63 - at % 64) & 1);
    r = r << 1 | u64{one};
  }
  return r;
}

// RDNA3 ISA, V_TRIG_PREOP_F64: segment S1[4:0] of 2/pi for an argument of S0's exponent; large
// arguments skip the digits that only give whole turns and are scaled by 2^128.
double segment(double x, u32 which) {
  const auto exponent = static_cast<u32>(std::bit_cast<u64>(x) >> 52 & 0x7ff);
  const u32 from = (which & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
  const int scale = -53 - static_cast<int>(from) + (exponent >= 1968 ? 128 : 0);
  return std::ldexp(static_cast<double>(digits(from)), scale);
}

template <Track T>
void run_trig_preop(Wave& w, const Op& op) {
  if (w.round16_64) [[unlikely]]
    return unsupported(w, op, "fp64 rounding mode other than nearest even");
  Doubles x, r;
  Lanes t;
  read_f64(w, op.src[0], x);
  const u32* which = read_v(w, op.src[1], t);
  for (int l = 0; l < kLanes; ++l) r.v[l] = segment(x.v[l], which[l]);
  u32 d = ~0u;
  if constexpr (T == Track::on) d = def64(w, op.src[0]) & read_def(w, op.src[1]).lo;
  put_f64<T>(w, op, r, d);
}

// The argument is in turns; the nearest fp16 to the exact value but for double rounding.
template <Track T, auto F>
void run_turns(Wave& w, const Op& op) {
  if (w.round16_64) [[unlikely]]
    return unsupported(w, op, "fp16 rounding mode other than nearest even");
  Floats x, r;
  read_f16(w, op.src[0], x);
  for (int l = 0; l < kLanes; ++l) r.v[l] = static_cast<float>(F(double{x.v[l]}));
  u32 d = ~0u;
  if constexpr (T == Track::on) d = half_def(w, op.src[0]);
  put_f16<T>(w, op, r, d);
}
constexpr auto kSin = [](double a) { return fmath::sin_turns(a); };
constexpr auto kCos = [](double a) { return fmath::cos_turns(a); };

template <auto F>
constexpr Row turns(std::string_view m) {
  return {m,
          {run_turns<Track::off, F>, run_turns<Track::on, F>},
          Flow::half,
          "valu_trig",
          Evidence::document};
}

constexpr Row kRows[] = {
    turns<kSin>("v_sin_f16"),
    turns<kCos>("v_cos_f16"),
    {"v_trig_preop_f64",
     {run_trig_preop<Track::off>, run_trig_preop<Track::on>},
     Flow::mix,
     "valu_trig",
     Evidence::document},
};

}  // namespace

std::span<const Row> valu_trig_rows() { return kRows; }

}  // namespace w4::rdna
