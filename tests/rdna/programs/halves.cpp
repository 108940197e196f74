// What the kernels of halves.hip must give. fp16 results are computed in double and rounded once:
// double holds every sum, product and fused sum of fp16 values exactly, and rounds quotients and
// roots far enough below.
#include <algorithm>
#include <array>
#include <bit>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

using f16x2 = std::array<f16, 2>;
using u16x2 = std::array<u16, 2>;
using i16x2 = std::array<i16, 2>;

f16 h(double x) { return static_cast<f16>(x); }
f16 add(f16 a, f16 b) { return h(double{a} + double{b}); }
f16 sub(f16 a, f16 b) { return h(double{a} - double{b}); }
f16 mul(f16 a, f16 b) { return h(double{a} * double{b}); }
f16 fused(f16 a, f16 b, f16 c) { return h(double{a} * double{b} + double{c}); }
f16 minimum(f16 a, f16 b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(double{a}) ? a : b;
  return a < b ? a : b;
}
f16 maximum(f16 a, f16 b) { return -minimum(-a, -b); }

std::vector<f16x2> half_pairs(u64 seed) {
  const auto v = halves(seed, 2 * kN);
  std::vector<f16x2> out(kN);
  for (size_t i = 0; i < kN; ++i) out[i] = {v[2 * i], v[2 * i + 1]};
  return out;
}
template <class T>
std::vector<std::array<T, 2>> pairs(u64 seed) {
  const auto v = ints<T>(seed, 2 * kN);
  std::vector<std::array<T, 2>> out(kN);
  for (size_t i = 0; i < kN; ++i) out[i] = {v[2 * i], v[2 * i + 1]};
  return out;
}
// fp16 in a range where the conversion to an integer has an answer.
std::vector<f16> moderate(u64 seed, double low, double high) {
  return between<f16>(seed, low, high);
}

float widen_bf16(u16 x) { return std::bit_cast<float>(u32{x} << 16); }
u16 narrow_bf16(float x) {
  u32 b = std::bit_cast<u32>(x);
  if (x != x) return 0x7fc0;
  b += 0x7fff + (b >> 16 & 1);
  return static_cast<u16>(b >> 16);
}
// bf16 has no type on the host: NaNs are avoided so that bits can be compared.
std::vector<u16> bf16s(u64 seed) {
  std::vector<u16> v;
  for (float x : between<float>(seed, -300, 300))
    v.push_back(static_cast<u16>(std::bit_cast<u32>(x) >> 16));
  const u16 edges[] = {0, 0x8000, 0x3f80, 0x0001, 0x807f, 0x0080, 0x7f7f, 0xff80};
  for (size_t i = 0; i < 64; ++i) v[i * 8] = edges[i % 8];
  return v;
}
std::vector<float> numbers(u64 seed) {
  std::vector<float> v = floats(seed);
  for (float& x : v) x = x != x ? 1.5f : x;
  return v;
}
u16 toward_zero(float x) {
  f16 r = h(double{x});
  u16 b = std::bit_cast<u16>(r);
  if (x == x && std::abs(double{r}) > std::abs(double{x})) --b;
  return b;
}

template <class F>
Setup binary(F f, u64 seed) {
  return elementwise(f, halves(seed), halves(seed + 1));
}
template <class T, class W>
T saturate(W x) {
  return static_cast<T>(
      std::clamp<W>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
template <class T>
Setup packed_saturating(u64 seed) {
  using P = std::array<T, 2>;
  return elementwise(
      [](P a, P b) {
        P r;
        for (size_t i = 0; i < 2; ++i) {
          r[i] = static_cast<T>(saturate<T>(a[i] + b[1 - i]) ^ saturate<T>(a[i] - b[i]));
        }
        return r;
      },
      pairs<T>(seed), pairs<T>(seed + 1));
}

constexpr Program kPrograms[] = {
    {"arithmetic_f16",
     [] { return binary([](f16 a, f16 b) { return sub(mul(add(a, b), a), mul(b, b)); }, 1); }},
    {"divide_f16", [] { return binary([](f16 a, f16 b) { return h(double{a} / double{b}); }, 3); }},
    {"root_f16",
     [] { return elementwise([](f16 a) { return h(std::sqrt(double{a})); }, halves(5)); }},
    {"fused_f16",
     [] {
       return elementwise([](f16 a, f16 b, f16 c) { return fused(a, b, -c); }, halves(6), halves(7),
                          halves(8));
     }},
    {"min_max_f16",
     [] {
       return binary([](f16 a, f16 b) { return add(minimum(a, b), mul(maximum(a, b), h(0.5))); },
                     9);
     }},
    {"compare_f16",
     [] {
       return binary(
           [](f16 x, f16 y) {
             const double a = double{x}, b = double{y};
             if (std::isnan(a) || std::isnan(b)) return u32{8 + 16 + 32};
             return a < b ? u32{1 + 2 + 8 + 16} : a > b ? u32{8} : u32{2 + 4 + 16};
           },
           11);
     }},
    {"roundings_f16",
     [] {
       return elementwise(
           [](f16 x) {
             const double a = double{x};
             const f16 s = add(h(std::floor(a)), mul(h(std::ceil(a)), h(2)));
             return add(add(s, mul(h(std::trunc(a)), h(4))), mul(h(std::nearbyint(a)), h(8)));
           },
           halves(13));
     }},
    {"widen_f16", [] { return elementwise([](f16 a) { return float{a}; }, halves(14)); }},
    {"narrow_to_f16",
     [] { return elementwise([](float a) { return static_cast<f16>(a); }, floats(15)); }},
    {"narrow_f64_to_f16",
     [] {
       return elementwise([](double a) { return static_cast<f16>(a); },
                          between<double>(16, -70000, 70000));
     }},
    {"f16_to_integers",
     [] {
       return elementwise(
           [](f16 a) {
             const i64 i = static_cast<i64>(double{a}), s = static_cast<i64>(double{mul(a, a)});
             return static_cast<i32>(i * 65536 + i + s);
           },
           moderate(17, -250, 250));
     }},
    {"f16_from_integers",
     [] {
       return elementwise(
           [](i32 a) {
             const f16 s = add(h(a), h(static_cast<i16>(a)));
             return add(s, h(static_cast<u16>(a)));
           },
           ints<i32>(18));
     }},
    {"f16_to_i64",
     [] {
       return elementwise([](f16 a) { return static_cast<i64>(double{a}); },
                          moderate(19, -65000, 65000));
     }},
    {"mixed_fused",
     [] {
       return elementwise([](f16 a, f16 b, float c) { return std::fma(float{a}, float{b}, c); },
                          halves(20), halves(21), floats(22));
     }},
    // Rounded to fp32 first: the compiler may not fuse the two roundings.
    {"mixed_fused_to_f16",
     [] {
       return elementwise(
           [](f16 a, f16 b, float c) { return static_cast<f16>(std::fma(float{a}, -float{b}, c)); },
           halves(23), halves(24), between<float>(25, -100, 100));
     }},
    {"packed_arithmetic",
     [] {
       return elementwise(
           [](f16x2 a, f16x2 b) {
             return f16x2{sub(mul(add(a[0], b[0]), a[0]), b[1]),
                          sub(mul(add(a[1], b[1]), a[1]), b[0])};
           },
           half_pairs(26), half_pairs(27));
     }},
    {"packed_fused",
     [] {
       return elementwise(
           [](f16x2 a, f16x2 b, f16x2 c) {
             return f16x2{fused(a[0], b[1], -c[0]), fused(a[1], b[0], -c[1])};
           },
           half_pairs(28), half_pairs(29), half_pairs(30));
     }},
    {"packed_min_max",
     [] {
       return elementwise(
           [](f16x2 a, f16x2 b) {
             return f16x2{add(minimum(a[0], b[0]), maximum(a[0], b[1])),
                          add(minimum(a[1], b[1]), maximum(a[1], b[0]))};
           },
           half_pairs(31), half_pairs(32));
     }},
    {"packed_choose",
     [] {
       return elementwise(
           [](f16x2 a, f16x2 b) {
             return f16x2{a[0] > b[1] ? a[1] : b[0], a[1] <= b[0] ? a[0] : b[1]};
           },
           half_pairs(33), half_pairs(34));
     }},
    {"packed_round_to_zero",
     [] {
       return elementwise(
           [](float a, float b) { return u32{toward_zero(a)} | u32{toward_zero(b)} << 16; },
           between<float>(35, -60000, 60000), between<float>(36, -0.001, 0.001));
     }},
    {"packed_u16",
     [] {
       return elementwise(
           [](u16x2 a, u16x2 b, u16x2 c) {
             u16x2 r;
             for (size_t i = 0; i < 2; ++i) {
               r[i] = static_cast<u16>(u32{a[i]} * b[i] + c[i] - (u32{a[i]} << (b[i] & 15)) +
                                       (c[i] >> (a[i] & 15)));
             }
             return r;
           },
           pairs<u16>(37), pairs<u16>(38), pairs<u16>(39));
     }},
    {"packed_i16",
     [] {
       return elementwise(
           [](i16x2 a, i16x2 b, i16x2 c) {
             i16x2 r;
             for (size_t i = 0; i < 2; ++i) {
               r[i] = static_cast<i16>((a[i] >> (b[i] & 15)) + std::max(a[i], c[i]) -
                                       std::min(b[i], c[1 - i]));
             }
             return r;
           },
           pairs<i16>(40), pairs<i16>(41), pairs<i16>(42));
     }},
    {"packed_saturating", [] { return packed_saturating<i16>(43); }},
    {"packed_saturating_u16", [] { return packed_saturating<u16>(45); }},
    {"widen_bf16", [] { return elementwise(widen_bf16, bf16s(47)); }},
    {"narrow_to_bf16", [] { return elementwise(narrow_bf16, numbers(48)); }},
    // The whole expression is carried out in fp32 and rounded to bf16 at the end.
    {"arithmetic_bf16",
     [] {
       return elementwise(
           [](u16 a, u16 b) {
             const float x = widen_bf16(a);
             return narrow_bf16(x * widen_bf16(b) + x);
           },
           bf16s(49), bf16s(51));
     }},
    {"all_halves",
     [] {
       std::vector<f16> want(65536);
       for (u32 i = 0; i < 65536; ++i) {
         const f16 x = std::bit_cast<f16>(static_cast<u16>(i == 0x8000 ? 1 : i));
         want[i] = static_cast<f16>(float{x} * 1.25f);
       }
       return Setup().out(want);
     }},
    {"rows_of_eight",
     [] {
       const auto a = between<f16>(53, -4, 4, 8 * kN), b = between<f16>(54, -4, 4, 8 * kN);
       std::vector<float> want(kN);
       for (size_t i = 0; i < 8 * kN; ++i)
         want[i / 8] = std::fma(float{a[i]}, float{b[i]}, want[i / 8]);
       return Setup().in(a).in(b).out(want);
     }},
    {"nibbles_to_f16",
     [] {
       const auto q = ints<u32>(55);
       std::vector<f16x2> want(4 * kN);
       for (u32 i = 0; i < 4 * kN; ++i) {
         const u32 w = q[i / 4] >> (4 * (i % 4));
         want[i] = {h((static_cast<int>(w & 15) - 8) * 0.125),
                    h((static_cast<int>(w >> 16 & 15) - 8) * 3)};
       }
       return Setup().in(q).out(want);
     }},
};

}  // namespace

std::span<const Program> halves_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
