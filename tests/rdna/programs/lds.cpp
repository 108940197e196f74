// What the kernels of lds.hip must give.
#include <algorithm>
#include <array>
#include <numeric>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

template <class T, class F>
std::vector<T> table(size_t n, F f) {
  std::vector<T> v;
  for (u32 i = 0; i < n; ++i) v.push_back(f(i));
  return v;
}
// Element i from its workgroup's 128 inputs `row` and its place `t` there.
template <class T = u32, class In, class F>
Setup by_row(const std::vector<In>& in, F f) {
  return Setup().in(in).out(table<T>(kN, [&](u32 i) { return f(&in[i / 128 * 128], i % 128); }));
}

u32 staged(u32 x) {
  for (u32 wave = 0; wave < 4; ++wave) x = x * (wave + 2) + wave;
  return x;
}

constexpr Program kPrograms[] = {
    {"transpose_tile",
     [] {
       constexpr u32 n = 45;
       const auto in = ints<u32>(1, n * n);
       return Setup()
           .launch({3, 3}, {16, 16})
           .in(in)
           .out(table<u32>(n * n, [&](u32 i) { return in[i % n * n + i / n]; }))
           .value(n);
     }},
    {"stencil_with_halo",
     [] {
       const auto in = below<i32>(2, 100000);
       return Setup().in(in).out(table<i32>(kN, [&](u32 i) {
         return (i ? in[i - 1] : 0) - 2 * in[i] + (i + 1 < kN ? in[i + 1] : 0);
       }));
     }},
    {"multiply_tiles",
     [] {
       constexpr u32 n = 48;
       const auto a = between<float>(3, -2, 2, n * n), b = between<float>(4, -2, 2, n * n);
       return Setup()
           .launch({3, 3}, {16, 16})
           .in(a)
           .in(b)
           .out(table<float>(n * n,
                             [&](u32 i) {
                               float s = 0;
                               for (u32 k = 0; k < n; ++k)
                                 s = std::fma(a[i / n * n + k], b[k * n + i % n], s);
                               return s;
                             }))
           .value(n);
     }},
    {"reverse_in_dynamic",
     [] {
       const auto in = ints<u32>(5);
       return Setup()
           .launch({4}, {128}, (100 + 128) * 4)
           .in(in)
           .out(table<u32>(kN, [&](u32 i) { return in[i / 128 * 128 + 127 - i % 128]; }))
           .value(u32{100});
     }},
    {"inclusive_scan",
     [] {
       return by_row(ints<u32>(6),
                     [](const u32* row, u32 t) { return std::accumulate(row, row + t + 1, 0u); });
     }},
    {"tree_reduction",
     [] {
       const auto in = ints<u64>(7);
       return Setup().in(in).out(table<u64>(4, [&](u32 b) {
         std::vector<u64> v;
         for (u32 t = 0; t < 128; ++t) v.push_back(in[b * 128 + t] * 3);
         for (size_t d = 64; d; d /= 2) {
           for (size_t t = 0; t < d; ++t) v[t] += v[t + d] ^ d;
         }
         return v[0];
       }));
     }},
    {"bitonic_sort",
     [] {
       auto in = ints<u32>(8);
       auto want = in;
       for (auto p = want.begin(); p != want.end(); p += 128) std::sort(p, p + 128);
       return Setup().in(in).out(want);
     }},
    {"bytes_in_lds",
     [] {
       return by_row(ints<u32>(9), [](const u32* row, u32 t) {
         const auto byte = [&](u32 i) { return static_cast<u8>(row[i % 128] >> (i / 128 * 8)); };
         const auto half = [&](u32 i) { return static_cast<u16>(row[i / 2] >> (i % 2 * 16)); };
         const u32 o = 127 - t;
         return static_cast<u32>(byte(o * 4) + i64{static_cast<i8>(byte(o * 4 + 3))} * 256 +
                                 i64{static_cast<i16>(half(o))} * 3 + half(o + 128) * 5);
       });
     }},
    {"vectors_in_lds",
     [] {
       const auto in = ints<u32>(10, 4 * kN);
       return Setup().in(in).out(table<u32>(4 * kN, [&](u32 i) {
         const u32* row = &in[i / 512 * 512];
         const u32 t = i / 4 % 128, k = i % 4;
         u32 x = row[(t ^ 5) * 4 + (k ^ 1)];
         if (k == 0) x += 127 - t;
         if (k == 1) x ^= row[(t + 9) % 128 * 4];
         return x;
       }));
     }},
    {"pairs_in_lds",
     [] {
       const auto in = ints<u32>(11, 256);
       const auto in2 = ints<u64>(12, 256);
       return Setup().launch({4}, {64}).in(in).in(in2).out(table<u64>(256, [&](u32 i) {
         const u32 o = i / 64 * 64 + 63 - i % 64, x = in[o];
         const u64 y = in2[o];
         return (y ^ (y + 1)) + y * 2 + x + x * 3 * 2u + (x ^ 0x55);
       }));
     }},
    {"structs_in_lds",
     [] {
       return by_row(ints<u32>(13), [](const u32* row, u32 t) {
         const u32 a = row[(t * 7 + 1) % 128], b = row[((t + 64) % 128 * 7 + 1) % 128];
         return (a & 0xffff) + a * 5 + static_cast<u8>((b >> 16) + 1) * 1000u;
       });
     }},
    {"histogram_in_lds",
     [] {
       const auto in = ints<u32>(14);
       std::vector<u32> want(128);
       for (u32 i = 0; i < kN; ++i) ++want[i / 128 * 32 + in[i] % 32];
       return Setup().in(in).out(want);
     }},
    {"wave_pipeline",
     [] {
       const auto in = ints<u32>(15);
       return Setup().in(in).out(table<u32>(kN, [&](u32 i) {
         const u32 item = i % 128 / 32, l = i % 32;
         return staged(in[i / 32 * 32 + 31 - l]) + item + 3;
       }));
     }},
};

}  // namespace

std::span<const Program> lds_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
