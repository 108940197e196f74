// What the kernels of integer.hip must give.
#include <algorithm>
#include <numeric>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

using u128 = unsigned __int128;
using i128 = __int128;

template <class T, class W>
T saturate(W x) {
  return static_cast<T>(
      std::clamp<W>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
// The sum and the difference in a wider type W, each saturated to T.
template <class T, class W>
Setup saturating() {
  return elementwise(
      [](T a, T b) { return static_cast<T>(saturate<T>(W{a} + W{b}) ^ saturate<T>(W{a} - W{b})); },
      ints<T>(1), ints<T>(2));
}
// Quotient and remainder combined by `f`; W wide enough for every quotient.
template <class T, class F>
Setup divide(F f) {
  return elementwise(f, ints<T>(3), nonzero<T>(4));
}
template <class T>
T wrap(auto x) {
  return static_cast<T>(x);
}

constexpr Program kPrograms[] = {
    {"divide_u32", [] { return divide<u32>([](u32 a, u32 b) { return a / b * 3 + a % b; }); }},
    {"divide_i32",
     [] {
       return divide<i32>(
           [](i32 a, i32 b) { return b == -1 ? ~a : wrap<i32>(i64{a / b} * 5) ^ (a % b); });
     }},
    {"divide_u64", [] { return divide<u64>([](u64 a, u64 b) { return (a / b) ^ (a % b) << 1; }); }},
    {"divide_i64",
     [] { return divide<i64>([](i64 a, i64 b) { return b == -1 ? ~a : (a / b) ^ (a % b); }); }},
    {"divide_u64_u32",
     [] {
       return elementwise([](u64 a, u32 b) { return a / b + a % b; }, ints<u64>(5),
                          nonzero<u32>(6));
     }},
    {"divide_u16",
     [] { return divide<u16>([](u16 a, u16 b) { return wrap<u16>(a / b + a % b * 7); }); }},
    {"divide_i16",
     [] { return divide<i16>([](i16 a, i16 b) { return wrap<i16>(a / b - a % b); }); }},
    {"divide_u8",
     [] { return divide<u8>([](u8 a, u8 b) { return wrap<u8>((a / b) ^ (a % b)); }); }},
    {"divide_i8", [] { return divide<i8>([](i8 a, i8 b) { return wrap<i8>(a / b + a % b); }); }},
    {"divide_by_constants",
     [] {
       return elementwise(
           [](u32 a) {
             const i32 s = static_cast<i32>(a);
             return a / 7 + a % 10 + a / 641 - a % 1000003 + static_cast<u32>(s / 13) +
                    static_cast<u32>(s % 17);
           },
           ints<u32>(7));
     }},
    {"divide_by_constants64",
     [] {
       return elementwise(
           [](u64 a) {
             return a / 7 + a % 1000000007 + static_cast<u64>(static_cast<i64>(a) / 100);
           },
           ints<u64>(8));
     }},
    {"multiply_u64",
     [] {
       return elementwise([](u64 a, u64 b) { return a * b + (a >> 32) * (b & 0xffffffff); },
                          ints<u64>(9), ints<u64>(10));
     }},
    {"multiply_high_u32",
     [] {
       return elementwise([](u32 a, u32 b) { return wrap<u32>(u64{a} * b >> 32); }, ints<u32>(11),
                          ints<u32>(12));
     }},
    {"multiply_high_i32",
     [] {
       return elementwise([](i32 a, i32 b) { return wrap<i32>(i64{a} * b >> 32); }, ints<i32>(13),
                          ints<i32>(14));
     }},
    {"multiply_high_u64",
     [] {
       return elementwise([](u64 a, u64 b) { return wrap<u64>(u128{a} * b >> 64); }, ints<u64>(15),
                          ints<u64>(16));
     }},
    {"multiply_high_i64",
     [] {
       return elementwise([](i64 a, i64 b) { return wrap<i64>(i128{a} * b >> 64); }, ints<i64>(17),
                          ints<i64>(18));
     }},
    {"multiply_add_wide",
     [] {
       return elementwise([](u32 a, u32 b, u64 c) { return u64{a} * b + c; }, ints<u32>(19),
                          ints<u32>(20), ints<u64>(21));
     }},
    {"multiply_add_wide_signed",
     [] {
       return elementwise([](i32 a, i32 b, u64 c) { return wrap<i64>(wrap<u64>(i64{a} * b) + c); },
                          ints<i32>(22), ints<i32>(23), ints<u64>(24));
     }},
    {"multiply_24",
     [] {
       return elementwise(
           [](u32 a, u32 b) {
             const i64 x = a & 0xffffff, y = b & 0xffffff;
             const i64 sx = x >= 0x800000 ? x - 0x1000000 : x,
                       sy = y >= 0x800000 ? y - 0x1000000 : y;
             return wrap<u32>(x * y + sx * sy);
           },
           ints<u32>(25), ints<u32>(26));
     }},
    {"sixteen_bits",
     [] {
       return elementwise(
           [](i16 a, i16 b, i16 c) { return wrap<i16>((i64{a} + b) * c - (a >> 3) + b * 4); },
           ints<i16>(27), ints<i16>(28), ints<i16>(29));
     }},
    {"sixteen_bits_min_max",
     [] {
       return elementwise(
           [](u16 a, u16 b) {
             return wrap<u16>(std::min(a, b) +
                              wrap<u16>(std::max(wrap<i16>(a), wrap<i16>(b))) * 3u);
           },
           ints<u16>(30), ints<u16>(31));
     }},
    {"eight_bits",
     [] {
       return elementwise([](i8 a, i8 b) { return wrap<i8>(a * b + (a >> 1) - b * 8); },
                          ints<i8>(32), ints<i8>(33));
     }},
    {"compare_64",
     [] {
       return elementwise(
           [](i64 a, i64 b) {
             const u64 x = static_cast<u64>(a), y = static_cast<u64>(b);
             return u32{a < b} + 2u * (a <= b) + 4u * (a == b) + 8u * (a != b) + 16u * (x < y) +
                    32u * (x >= y);
           },
           ints<i64>(34), ints<i64>(35));
     }},
    {"shifts_64",
     [] {
       return elementwise(
           [](u64 a, u64 b) {
             return (a << (b & 63)) ^ (a >> (b & 31)) ^ wrap<u64>(wrap<i64>(a) >> (b >> 3 & 63));
           },
           ints<u64>(36), ints<u64>(37));
     }},
    {"min_max_i32",
     [] {
       return elementwise(
           [](i32 a, i32 b) {
             const u32 x = static_cast<u32>(a), y = static_cast<u32>(b);
             return wrap<i32>(wrap<u32>(std::min(a, b)) ^ wrap<u32>(std::max(a, b)) << 1 ^
                              std::min(x, y) << 2);
           },
           ints<i32>(38), ints<i32>(39));
     }},
    {"median",
     [] {
       return elementwise(
           [](i32 a, i32 b, i32 c) {
             i32 v[] = {a, b, c};
             std::sort(v, v + 3);
             return v[1];
           },
           ints<i32>(40), ints<i32>(41), ints<i32>(42));
     }},
    {"min_max_i64",
     [] {
       return elementwise(
           [](i64 a, i64 b) {
             return wrap<i64>(wrap<u64>(std::min(a, b)) ^ wrap<u64>(std::max(a, b)) << 1);
           },
           ints<i64>(43), ints<i64>(44));
     }},
    {"saturating_i32", saturating<i32, i64>},
    {"saturating_u32", saturating<u32, i64>},
    {"saturating_i16", saturating<i16, i64>},
    {"saturating_u16", saturating<u16, i64>},
    {"saturating_u8", saturating<u8, i64>},
    {"saturating_i64", saturating<i64, i128>},
    {"absolute",
     [] {
       return elementwise(
           [](i64 a) {
             const i32 b = static_cast<i32>(a);
             return (a < 0 ? 0 - wrap<u64>(a) : wrap<u64>(a)) +
                    wrap<u64>(wrap<i64>(wrap<i32>(b < 0 ? 0u - wrap<u32>(b) : wrap<u32>(b))));
           },
           ints<i64>(45));
     }},
    {"overflow_flags",
     [] {
       return elementwise(
           [](i32 a, i32 b, i64 c) {
             const i64 wide = i64{a} * b;
             const i128 far = i128{c} + a;
             const u64 x = static_cast<u32>(a), y = static_cast<u32>(b);
             const auto out = [](i64 v) { return v != wrap<i32>(v); };
             u32 f = u32{out(i64{a} + b)} + 2u * out(i64{a} - b) + 4u * out(wide);
             f += 8u * (x + y > 0xffffffffu) + 16u * (x * y > 0xffffffffu);
             f += 32u * (far != wrap<i64>(far));
             return f ^ wrap<u32>(wide) << 8;
           },
           ints<i32>(46), ints<i32>(47), ints<i64>(48));
     }},
    {"carry_chain",
     [] {
       return elementwise(
           [](u64 a, u64 b) {
             const u128 t = u128{b} << 61 | a >> 3, s = (u128{a} << 64 | b) + t - (t << 5);
             return wrap<u64>(s >> 64) ^ wrap<u64>(s) * 3;
           },
           ints<u64>(49), ints<u64>(50));
     }},
    {"greatest_divisor",
     [] {
       return elementwise([](u32 a, u32 b) { return std::gcd(a, b); }, ints<u32>(51),
                          ints<u32>(52));
     }},
    {"modular_power",
     [] {
       return elementwise(
           [](u32 a, u32 e) {
             u128 r = 1, x = a;
             for (; e; e >>= 1, x = x * x % 1000000007)
               if (e & 1) r = r * x % 1000000007;
             return wrap<u32>(r);
           },
           ints<u32>(53), ints<u32>(54));
     }},
    {"decimal_digits",
     [] {
       return elementwise(
           [](u64 a) {
             const std::string s = std::to_string(a);
             u32 h = 0;
             for (char c : std::string(20 - s.size(), '0') + s)
               h = h * 11 + static_cast<u32>(c - '0');
             return h;
           },
           ints<u64>(55));
     }},
    {"root_by_bits",
     [] {
       return elementwise(
           [](u64 a) {
             u64 r = static_cast<u64>(std::sqrt(static_cast<long double>(a)));
             while (u128{r} * r > a) --r;
             while (u128{r + 1} * (r + 1) <= a) ++r;
             return wrap<u32>(r);
           },
           ints<u64>(56));
     }},
};

}  // namespace

std::span<const Program> integer_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
