// What the kernels of calls.hip must give.
#include <algorithm>
#include <array>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

u32 leaf(u32 x, u32 y) { return x * 31 + (y ^ x >> 3); }
u32 middle(u32 x) {
  const u32 a = leaf(x, 1);
  return leaf(a, leaf(x + 1, a)) + x;
}
u32 top(u32 x) {
  u32 s = x;
  for (u32 i = 0; i < 3; ++i) s += middle(s + i) ^ leaf(i, x);
  return s;
}
u32 tree(u32 x, u32 depth) {
  if (depth == 0 || x < 2) return x + depth;
  return tree(x / 2, depth - 1) * 3 + tree(x / 3, depth - 1);
}
u32 folded(const u32* p, u32 n) {
  u32 s = 0;
  while (n--) s = s * 3 + *p++;
  return s;
}
u32 large(u32 x, u32 i) { return x * i + (x >> i); }

// Answers that depend on the element's number.
template <class F>
Setup by_index(const std::vector<u32>& in, F f) {
  std::vector<u32> want(kN);
  for (u32 i = 0; i < kN; ++i) want[i] = f(i);
  return Setup().in(in).out(want);
}

constexpr Program kPrograms[] = {
    {"call_chain", [] { return elementwise(top, ints<u32>(1)); }},
    {"call_with_structs",
     [] {
       return elementwise(
           [](u32 x, u64 y) {
             const u32 a = x + 1, c = (a ^ 5) + 1;
             const u64 b = y * 3, d = (b + 1) * 3;
             return (a + b / 2) * 7 + c + d / 2;
           },
           ints<u32>(2), ints<u64>(3));
     }},
    {"call_with_large_structs",
     [] {
       const auto in = ints<u32>(4);
       return by_index(in, [&](u32 i) {
         const u32 x = in[i], k = x % 12, t = i % 128;
         return large(x, k) - large(x, (k + 5) % 12) + large(x, t % 12) - large(x, (t + 5) % 12);
       });
     }},
    {"call_with_many_arguments",
     [] {
       return elementwise(
           [](u32 a, u64 b) {
             u64 s = 0;
             // The products of 32-bit arguments wrap at 32 bits; the last but one sum is 64 bits.
             for (u32 i = 0; i < 11; ++i) s += u64{(a + i) * (2 * i + 1)} + (b + i) * (2 * i + 2);
             return s;
           },
           ints<u32>(5), ints<u64>(6));
     }},
    {"call_with_pointers",
     [] {
       const auto in = ints<u32>(7);
       return by_index(in, [&](u32 i) {
         u32 v[8];
         for (u32 k = 0; k < 8; ++k) v[k] = in[i] * (k * 7 + 3) >> k;
         std::sort(v, v + 4);
         std::sort(v + 4, v + 8);
         return folded(v, 8) ^ folded(&in[i % 128], 5);
       });
     }},
    {"recursion",
     [] { return elementwise([](u32 x) { return tree(x % 1000, 5); }, ints<u32>(8)); }},
    {"call_under_divergence",
     [] {
       return elementwise(
           [](u32 x) {
             u32 r = 0;
             if (x % 3 == 0) {
               r = middle(x);
               if (x % 2 == 0) r += leaf(r, x);
             } else if (x % 4 == 0) {
               r = top(x);
             }
             for (u32 i = 0; i < x % 4; ++i) r = leaf(r, i);
             return r;
           },
           ints<u32>(9));
     }},
    {"call_f64",
     [] {
       return elementwise(
           [](double a, double b) {
             for (int i = 0; i < 6; ++i) {
               const double m = (a + b) * 0.5;
               b = std::sqrt(a * b);
               a = m;
             }
             return a;
           },
           between<double>(10, 0.1, 100), between<double>(11, 0.1, 100));
     }},
    {"call_by_pointer",
     [] {
       return elementwise(
           [](u32 x) {
             u32 r = x;
             for (u32 i = 0; i < 4; ++i) {
               const u32 k = i + 7, which = (x >> (2 * i)) % 3;
               r = which == 0 ? r + k : which == 1 ? r * k : r ^ k * 8;
             }
             return r;
           },
           ints<u32>(12));
     }},
    {"call_with_narrow_types",
     [] {
       return elementwise(
           [](u32 x) {
             const int a = static_cast<u8>(x), b = static_cast<i8>(x >> 3);
             const int c = static_cast<u16>(x >> 7), d = static_cast<i16>(x >> 11);
             return static_cast<u16>(a * b + c - d + ((x >> 30 & 1) ? 1000 : 0));
           },
           ints<u32>(13));
     }},
    {"live_across_calls",
     [] {
       const auto in = ints<u32>(14);
       return by_index(in, [&](u32 g) {
         const auto v = [&](u32 i) { return in[(g + i * 5) % kN]; };
         u32 s = 0;
         for (u32 i = 0; i < 24; ++i) s = leaf(s, v(i)) + v(23 - i);
         for (u32 i = 0; i < 24; ++i) s ^= v(i) << (i % 8);
         return s;
       });
     }},
    {"spills",
     [] {
       const auto in = ints<u32>(15);
       return by_index(in, [&](u32 g) {
         std::array<u32, 40> v;
         for (u32 i = 0; i < 40; ++i) v[i] = in[(g + i * 11) % kN] * (i + 1);
         u32 s = 0;
         for (u32 k = 0; k < 3; ++k) {
           for (u32& x : v) {
             s = s * 5 + x;
             x ^= s;
           }
         }
         for (u32 i = 0; i < 40; ++i) s += v[i] >> (i % 16);
         return s;
       });
     }},
};

}  // namespace

std::span<const Program> calls_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
