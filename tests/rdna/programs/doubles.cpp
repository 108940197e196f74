// What the kernels of doubles.hip must give.
#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

template <class F>
Setup unary(F f, u64 seed) {
  return elementwise(f, doubles(seed));
}
template <class F>
Setup binary(F f, u64 seed) {
  return elementwise(f, doubles(seed), doubles(seed + 1));
}
std::vector<double> convertible(u64 seed, double low, double high) {
  std::vector<double> v = doubles(seed);
  const double edges[] = {low, high, 0.0, -0.0, 0.5, 0.9999999999999999, 4294967295.5, 2.5};
  for (size_t i = 0; i < v.size(); ++i) {
    if (!(v[i] >= low && v[i] <= high)) v[i] = edges[i % std::size(edges)];
    if (!(v[i] >= low && v[i] <= high)) v[i] = low;
  }
  return v;
}
double minimum(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
Setup converts(u64 seed, double low, double high) {
  return elementwise([](double a) { return static_cast<T>(a); }, convertible(seed, low, high));
}

constexpr Program kPrograms[] = {
    {"add_multiply_f64",
     [] { return binary([](double a, double b) { return (a + b) * (a - b) + a * b; }, 1); }},
    {"divide_f64", [] { return binary([](double a, double b) { return a / b; }, 3); }},
    {"root_f64", [] { return unary([](double a) { return std::sqrt(a); }, 5); }},
    {"fused_f64",
     [] {
       return elementwise([](double a, double b, double c) { return std::fma(a, -b, c); },
                          doubles(6), doubles(7), doubles(8));
     }},
    {"roundings_f64",
     [] {
       return unary(
           [](double a) {
             return std::floor(a) + std::ceil(a) * 3.0 + std::trunc(a) * 5.0 +
                    std::nearbyint(a) * 7.0;
           },
           9);
     }},
    {"min_max_f64",
     [] {
       return binary([](double a, double b) { return minimum(a, b) - minimum(-a, -b) * 0.5; }, 10);
     }},
    {"compare_f64",
     [] {
       return binary(
           [](double a, double b) {
             const bool nan = std::isnan(a) || std::isnan(b);
             if (nan) return u32{8 + 16 + 32};
             return a < b ? u32{1 + 2 + 8 + 16} : a > b ? u32{8} : u32{2 + 4 + 16};
           },
           12);
     }},
    {"classify_f64",
     [] {
       return unary(
           [](double a) {
             const u64 b = std::bit_cast<u64>(a), e = b >> 52 & 2047, m = b << 12;
             return u32{e == 2047 && m ? 1u : 0u} + (e == 2047 && !m ? 2u : 0u) +
                    (e > 0 && e < 2047 ? 4u : 0u) + (b >> 63 ? 8u : 0u);
           },
           14);
     }},
    {"narrow_f64", [] { return unary([](double a) { return static_cast<float>(a); }, 15); }},
    {"widen_f32",
     [] { return elementwise([](float a) { return static_cast<double>(a) * 3.0; }, floats(16)); }},
    {"f64_to_i32", [] { return converts<i32>(17, -0x1p31, 0x1p31 - 1); }},
    {"f64_to_u32", [] { return converts<u32>(18, -0.0, 0x1p32 - 1); }},
    {"f64_to_i64", [] { return converts<i64>(19, -0x1p63, 0x1.fffffffffffffp62); }},
    {"f64_to_u64", [] { return converts<u64>(20, -0.0, 0x1.fffffffffffffp63); }},
    {"f64_from_i32",
     [] {
       return elementwise(
           [](i32 a) {
             return static_cast<double>(a) + static_cast<double>(static_cast<u32>(a)) * 0.5;
           },
           ints<i32>(21));
     }},
    {"f64_from_i64",
     [] { return elementwise([](i64 a) { return static_cast<double>(a); }, ints<i64>(22)); }},
    {"f64_from_u64",
     [] { return elementwise([](u64 a) { return static_cast<double>(a); }, ints<u64>(23)); }},
    {"scale_f64",
     [] {
       return elementwise([](double a, i32 b) { return std::ldexp(a, b); }, doubles(24),
                          below<i32>(25, 2100));
     }},
    {"split_f64",
     [] {
       return elementwise(
           [](double a) {
             int e = 0;
             const double m = std::frexp(a, &e);
             return m + e * 4.0;
           },
           convertible(26, -1e308, 1e308));
     }},
    {"integrate",
     [] {
       return elementwise(
           [](double x) {
             double v = 0;
             for (int i = 0; i < 50; ++i) {
               v -= x * 0.01;
               x += v * 0.01;
             }
             return x + v / 3.0;
           },
           between<double>(27, -10, 10));
     }},
};

}  // namespace

std::span<const Program> doubles_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
