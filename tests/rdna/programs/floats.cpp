// What the kernels of floats.hip must give.
#include <algorithm>
#include <bit>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

template <class F>
Setup unary(F f, u64 seed) {
  return elementwise(f, floats(seed));
}
template <class F>
Setup binary(F f, u64 seed) {
  return elementwise(f, floats(seed), floats(seed + 1));
}
template <class F>
Setup ternary(F f, u64 seed) {
  return elementwise(f, floats(seed), floats(seed + 1), floats(seed + 2));
}
// Values that the conversion has an answer for: inside the type's range, with its ends among them.
std::vector<float> convertible(u64 seed, float low, float high) {
  std::vector<float> v = floats(seed);
  const float edges[] = {low, high, 0.0f, -0.0f, 0.5f, 0.99999994f, 1.5f, 2.5f};
  for (size_t i = 0; i < v.size(); ++i) {
    if (!(v[i] >= low && v[i] <= high)) v[i] = edges[i % std::size(edges)];
  }
  return v;
}
float minimum(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
float maximum(float a, float b) { return -minimum(-a, -b); }

// exp2 and log2 of denormals and the like are the library's business; here inputs and results are
// normal, and the hardware's functions are within one unit.
constexpr const char* kOneUnit = "v_exp_f32 and v_log_f32 are within 1 ulp";
template <class F>
Setup approximate(F f, const std::vector<float>& in) {
  std::vector<float> want;
  for (float x : in) want.push_back(static_cast<float>(f(double{x})));
  return Setup().in(in).out(want, 1, kOneUnit);
}

std::vector<float> moderate(u64 seed) { return between<float>(seed, -40, 40); }

constexpr Program kPrograms[] = {
    {"divide_f32", [] { return binary([](float a, float b) { return a / b; }, 1); }},
    {"root_f32", [] { return unary([](float a) { return std::sqrt(a); }, 3); }},
    {"fused_f32",
     [] { return ternary([](float a, float b, float c) { return std::fma(a, b, c); }, 4); }},
    {"arithmetic_f32",
     [] { return ternary([](float a, float b, float c) { return (a + b) * c - a * -b; }, 7); }},
    {"negated_f32",
     [] {
       return ternary([](float a, float b,
                         float c) { return std::fma(-a, b, -c) + std::abs(b) * -std::abs(c); },
                      10);
     }},
    {"round_down", [] { return unary([](float a) { return std::floor(a); }, 13); }},
    {"round_up", [] { return unary([](float a) { return std::ceil(a); }, 14); }},
    {"round_to_zero", [] { return unary([](float a) { return std::trunc(a); }, 15); }},
    {"round_to_even", [] { return unary([](float a) { return std::nearbyint(a); }, 16); }},
    {"round_half_away", [] { return unary([](float a) { return std::round(a); }, 17); }},
    {"min_with_nan", [] { return binary(minimum, 18); }},
    {"max_with_nan", [] { return binary(maximum, 20); }},
    {"clamp_f32",
     [] {
       return ternary([](float a, float b, float c) { return minimum(maximum(a, b), c); }, 22);
     }},
    {"compare_f32",
     [] {
       return binary(
           [](float a, float b) {
             const bool nan = a != a || b != b;
             u32 r = 0;
             if (!nan) {
               r = a < b ? 1 + 2 + 32 + 512 : a > b ? 4 + 8 + 32 + 512 : 2 + 8 + 16;
             } else {
               r = 32 + 256;
             }
             if (!(r & 1)) r |= 64;
             if (!(r & 8)) r |= 128;
             return r;
           },
           25);
     }},
    {"classify_f32",
     [] {
       return unary(
           [](float a) {
             const u32 b = std::bit_cast<u32>(a), e = b >> 23 & 255, m = b & 0x7fffff;
             u32 r = e < 255 ? 4 : m ? 1 : 2;
             if (e > 0 && e < 255) r |= 8;
             if (b >> 31) r |= 16;
             if (e == 0 && m) r |= 32;
             return r;
           },
           27);
     }},
    {"copy_sign", [] { return binary([](float a, float b) { return std::copysign(a, b); }, 28); }},
    {"scale_by_power",
     [] {
       return elementwise([](float a, i32 b) { return std::ldexp(a, b); }, floats(30),
                          below<i32>(31, 300));
     }},
    {"split_exponent",
     [] {
       return elementwise(
           [](float a) {
             int e = 0;
             const float m = std::frexp(a, &e);
             return m + static_cast<float>(e) * 4.0f;
           },
           convertible(32, -3e38f, 3e38f));
     }},
    {"to_i32",
     [] {
       return elementwise([](float a) { return static_cast<i32>(a); },
                          convertible(33, -0x1p31f, 0x1.fffffep30f));
     }},
    {"to_u32",
     [] {
       return elementwise([](float a) { return static_cast<u32>(a); },
                          convertible(34, -0.0f, 0x1.fffffep31f));
     }},
    {"to_i64",
     [] {
       return elementwise([](float a) { return static_cast<i64>(a); },
                          convertible(35, -0x1p63f, 0x1.fffffep62f));
     }},
    {"to_u64",
     [] {
       return elementwise([](float a) { return static_cast<u64>(a); },
                          convertible(36, -0.0f, 0x1.fffffep63f));
     }},
    {"to_narrow",
     [] {
       return elementwise(
           [](float a) {
             return static_cast<i32>(i64{static_cast<i16>(a)} * 65536 +
                                     static_cast<i8>(a / 256) * 256 +
                                     static_cast<u8>(std::abs(a) / 129));
           },
           convertible(37, -32768, 32767));
     }},
    {"from_i32",
     [] {
       return elementwise(
           [](i32 a) {
             return static_cast<float>(a) + static_cast<float>(static_cast<u32>(a)) * 0.5f;
           },
           ints<i32>(38));
     }},
    {"from_i64",
     [] { return elementwise([](i64 a) { return static_cast<float>(a); }, ints<i64>(39)); }},
    {"from_u64",
     [] { return elementwise([](u64 a) { return static_cast<float>(a); }, ints<u64>(40)); }},
    {"from_bytes",
     [] {
       return elementwise(
           [](u32 a) {
             u32 s = 0;
             for (u32 i = 0; i < 4; ++i) s += (a >> (8 * i) & 255) << i;
             return static_cast<float>(s);
           },
           ints<u32>(41));
     }},
    {"reciprocal_f32", [] { return unary([](float a) { return 1.0f / a; }, 42); }},
    {"exponential",
     [] { return approximate([](double x) { return std::exp2(x); }, moderate(43)); }},
    {"logarithm",
     [] {
       return approximate([](double x) { return std::log2(x); }, between<float>(44, 0.001, 1e6));
     }},
    {"bits_of_f32",
     [] {
       return unary(
           [](float a) {
             const u32 b = std::bit_cast<u32>(a);
             return b ^ (b ^ 0x80000000u) >> 1;
           },
           45);
     }},
    {"convert_saturating",
     [] {
       return unary(
           [](float a) {
             const double x = a != a ? 0.0 : double{a};
             const i64 i = static_cast<i64>(std::clamp(x, -0x1p31, 0x1p31 - 1));
             const i64 u = static_cast<i64>(std::clamp(x, 0.0, 0x1p32 - 1));
             return static_cast<i64>(static_cast<u64>(i) << 32 ^ static_cast<u64>(u));
           },
           46);
     }},
    {"polynomial",
     [] {
       return elementwise(
           [](float x) {
             float y = 1.5f;
             for (float c : {-0.25f, 3.0f, 0.125f, -7.0f, 0.0625f, 2.0f, -1.0f})
               y = std::fma(y, x, c);
             return y;
           },
           moderate(47));
     }},
    {"compensated_sum",
     [] {
       const auto a = between<float>(48, -1000, 1000);
       std::vector<float> want(kN);
       for (size_t g = 0; g < kN; ++g) {
         float s = 0, lost = 0;
         for (size_t i = 0; i < 40; ++i) {
           const float y = a[(g + i * 7) % kN] - lost, t = s + y;
           lost = (t - s) - y;
           s = t;
         }
         want[g] = s + lost * 0.5f;
       }
       return Setup().in(a).out(want);
     }},
    {"newton_root",
     [] {
       return elementwise(
           [](float x) {
             float y = std::max(x, 1.0f);
             for (int i = 0; i < 60; ++i) {
               const float z = (y + x / y) * 0.5f;
               if (z >= y) break;
               y = z;
             }
             return y;
           },
           between<float>(49, 0, 10000));
     }},
    {"escape_time",
     [] {
       return elementwise(
           [](float cx, float cy) {
             float x = 0, y = 0;
             u32 n = 0;
             for (; n < 100 && x * x + y * y <= 4.0f; ++n) {
               const float t = x * x - y * y + cx;
               y = 2.0f * x * y + cy;
               x = t;
             }
             return n;
           },
           between<float>(50, -2, 0.6), between<float>(51, -1.2, 1.2));
     }},
    {"uniform_f32",
     [] {
       const auto a = between<float>(52, 0.1, 3);
       std::vector<u32> want(kN);
       for (size_t g = 0; g < kN; ++g) {
         float s = a[g / 128], t = a[g / 128 + 64];
         u32 flags = 0;
         for (u32 i = 0; i < 20; ++i) {
           s = s * t + 0.37f;
           t = std::floor(t * 8.0f) * 0.123f - s * 0.01f;
           if (s > t) flags = flags * 3 + i;
           if (s > 1e3f) s = std::trunc(s * 0.01f);
           flags ^= static_cast<u32>(static_cast<i32>(std::min(s, t)));
         }
         want[g] = flags ^ std::bit_cast<u32>(s) ^ std::bit_cast<u32>(t);
       }
       return Setup().in(a).out(want);
     }},
};

}  // namespace

std::span<const Program> floats_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
