// What the kernels of atomics.hip must give.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

// One element of memory `out` changed by every input in turn: any order gives this.
template <class T, class In, class F>
std::vector<T> changed(std::vector<T> out, const std::vector<In>& in, F f) {
  for (u32 i = 0; i < in.size(); ++i) f(out, in[i], i);
  return out;
}
template <class T>
T low() {
  return std::numeric_limits<T>::min();
}
template <class T>
T high() {
  return std::numeric_limits<T>::max();
}
// `n` times a, then `n` times b, and so on.
template <class T>
std::vector<T> runs(size_t n, std::initializer_list<T> values) {
  std::vector<T> v;
  for (T x : values) v.insert(v.end(), n, x);
  return v;
}

constexpr Program kPrograms[] = {
    {"global_sums",
     [] {
       const auto in = ints<u32>(1);
       const auto before = ints<u32>(2, 32);
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u32 x, u32) {
                                     out[x % 16] += x;
                                     out[16 + x % 16] -= x * 3;
                                   }));
     }},
    {"global_extremes",
     [] {
       const auto in = ints<i32>(3);
       const auto before = runs<i32>(8, {high<i32>(), low<i32>()});
       const auto before2 = runs<u32>(8, {high<u32>(), 0});
       const auto f = [](auto& out, i32 y, u32 i) {
         using T = std::remove_reference_t<decltype(out[0])>;
         const T x = static_cast<T>(y);
         out[i % 8] = std::min(out[i % 8], x);
         out[8 + i % 8] = std::max(out[8 + i % 8], x);
       };
       return Setup()
           .in(in)
           .inout(before, changed(before, in, f))
           .inout(before2, changed(before2, in, f));
     }},
    {"global_logic",
     [] {
       const auto in = ints<u32>(4);
       const auto before = runs<u32>(4, {~0u, 0u, 7u});
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u32 x, u32 i) {
                                     out[i % 4] &= x | 0xff00ff;
                                     out[4 + i % 4] |= x & 0x0ff00ff0;
                                     out[8 + i % 4] ^= x;
                                   }));
     }},
    {"global_64",
     [] {
       const auto in = ints<u64>(5);
       const auto before = runs<u64>(4, {1, 0, u64{1} << 62, 9});
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u64 x, u32 i) {
                                     const u32 k = i % 4;
                                     out[k] += x;
                                     out[4 + k] = std::max(out[4 + k], x);
                                     const i64 least = std::min(static_cast<i64>(out[8 + k]),
                                                                static_cast<i64>(x));
                                     out[8 + k] = static_cast<u64>(least);
                                     out[12 + k] ^= x;
                                   }));
     }},
    {"tickets",
     [] {
       std::vector<u32> taken(kN);
       for (u32 i = 0; i < kN; ++i) taken[i] = 1 + 2 * i;
       return Setup().inout(std::vector<u32>{0}, std::vector<u32>{kN}).out(taken);
     }},
    {"exchanges",
     [] {
       const auto in = ints<u32>(6);
       const u32 sum = std::accumulate(in.begin(), in.end(), 55u);
       return Setup()
           .in(in)
           .inout(std::vector<u32>{55}, std::vector<u32>{0})
           .inout(std::vector<u32>{0, 0}, std::vector<u32>{sum, kN});
     }},
    {"compare_and_swap",
     [] {
       const auto in = below<u32>(7, 100000000);
       const std::vector<u32> before(5);
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u32 x, u32) {
                                     const u64 s = u64{out[x % 5]} + x;
                                     out[x % 5] = static_cast<u32>(std::min<u64>(s, ~0u));
                                   }));
     }},
    {"compare_and_swap_64",
     [] {
       const auto in = ints<u64>(8);
       const std::vector<double> before{0.5, 1, 2};
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u64 x, u32 i) {
                                     out[i % 128 % 3] += static_cast<double>(x & 0xffffff);
                                   }));
     }},
    {"packed_halves",
     [] {
       const auto in = ints<u32>(9);
       const std::vector<std::array<f16, 2>> before(16);
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u32 x, u32 i) {
                                     auto& [lo, hi] = out[i % 16];
                                     lo = static_cast<f16>(double{lo} + x % 4);
                                     hi = static_cast<f16>(double{hi} + x / 4 % 8);
                                   }));
     }},
    {"float_sums",
     [] {
       const auto in = ints<u32>(10);
       const std::vector<float> before(8, 0.5f);
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u32 x, u32 i) {
                                     out[i % 8] += static_cast<float>(x % 1000);
                                   }));
     }},
    {"wrapping_counters",
     [] {
       const auto in = ints<u32>(11);
       const auto before = runs<u32>(4, {0, 100});
       return Setup().in(in).inout(before, changed(before, in, [](auto& out, u32 x, u32) {
                                     u32 &up = out[x % 4], &down = out[4 + x % 4];
                                     up = up >= 9 ? 0 : up + 1;
                                     down = down == 0 || down > 6 ? 6 : down - 1;
                                   }));
     }},
    {"lds_atomics",
     [] {
       const auto in = ints<u32>(12);
       std::vector<u32> want;
       for (u32 b = 0; b < kN; b += 128) {
         u32 s[] = {0, 0, 0, ~0u, ~0u, 0, 0};
         i32 most = low<i32>(), least = high<i32>();
         for (u32 i = b; i < b + 128; ++i) {
           const u32 x = in[i];
           s[0] += x;
           s[1] -= x;
           s[2] = std::max(s[2], x);
           s[3] = std::min(s[3], x);
           s[4] &= x | 0xf0f0f0f;
           s[5] |= x & 0xff;
           s[6] ^= x;
           most = std::max(most, static_cast<i32>(x));
           least = std::min(least, static_cast<i32>(x));
         }
         want.insert(want.end(), s, s + 7);
         want.push_back(static_cast<u32>(most));
         want.push_back(static_cast<u32>(least));
       }
       return Setup().in(in).out(want);
     }},
    {"lds_atomics_that_return",
     [] {
       const auto in = ints<u32>(13);
       std::vector<u32> want(kN);
       for (u32 i = 0; i < kN; ++i) {
         u32 squares = 0, total = 0;
         u64 wide = 0;
         for (u32 k = i / 128 * 128; k < i / 128 * 128 + 128; ++k) {
           squares += in[k] * in[k];
           wide += in[k];
           total += in[k] % 64;
         }
         want[i] = squares ^ static_cast<u32>(wide) ^ total;
       }
       return Setup().in(in).out(want);
     }},
    {"lds_compare_and_swap",
     [] {
       const auto in = ints<u32>(14);
       std::vector<u32> want(kN);
       for (u32 i = 0; i < kN; ++i) {
         u32 product = 1;
         u64 largest = 0;
         for (u32 k = i / 128 * 128; k < i / 128 * 128 + 128; ++k) {
           const u64 x = in[k] | 1;
           product *= static_cast<u32>(x);
           largest = std::max(largest, x * x);
         }
         want[i] = product ^ static_cast<u32>(largest >> 20);
       }
       return Setup().in(in).out(want);
     }},
    {"last_workgroup",
     [] {
       const auto in = ints<u32>(15);
       std::vector<u32> partial(4);
       for (u32 i = 0; i < kN; ++i) partial[i / 128] += in[i];
       u32 s = 0;
       for (u32 p : partial) s = s * 5 + p;
       return Setup()
           .in(in)
           .inout(std::vector<u32>(4), partial)
           .inout(std::vector<u32>{0}, std::vector<u32>{4})
           .out(std::vector<u32>{s});
     }},
};

}  // namespace

std::span<const Program> atomics_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
