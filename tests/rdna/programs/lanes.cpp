// What the kernels of lanes.hip must give, wave by wave.
#include <algorithm>
#include <bit>
#include <numeric>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

// Element i from its wave's 32 inputs `x` and its lane `l`.
template <class F>
Setup by_wave(u64 seed, F f) {
  const auto in = ints<u32>(seed);
  std::vector<u32> want(kN);
  for (u32 i = 0; i < kN; ++i) want[i] = f(&in[i / 32 * 32], i % 32);
  return Setup().in(in).out(want);
}
// r = r * 3 + part, over the parts of one lane.
u32 folded(std::initializer_list<u32> parts) {
  u32 r = 0;
  for (u32 p : parts) r = r * 3 + p;
  return r;
}
template <class F>
u32 votes(const u32* x, F f) {
  u32 m = 0;
  for (u32 l = 0; l < 32; ++l) m |= u32{f(x[l])} << l;
  return m;
}
// Lane k of the row of 16 that l lies in.
u32 in_row(u32 l, u32 k) { return (l & 16) + (k & 15); }
u32 quad(u32 l, u32 selectors) { return (l & ~3u) + (selectors >> (2 * (l & 3)) & 3); }
u32 nibble(u64 selectors, u32 l) { return static_cast<u32>(selectors >> (4 * (l & 15)) & 15); }

constexpr Program kPrograms[] = {
    {"shuffle_by_index",
     [] {
       const auto in = ints<i32>(1);
       const auto index = ints<u32>(2);
       std::vector<i32> want(kN);
       for (u32 i = 0; i < kN; ++i) want[i] = in[i / 32 * 32 + index[i] % 32];
       return Setup().in(in).in(index).out(want);
     }},
    {"shuffle_push",
     [] {
       return by_wave(3, [](const u32* x, u32 l) {
         for (u32 from = 0; from < 32; ++from) {
           if ((from * 11 + 5) % 32 == l) return x[from];
         }
         return 0u;
       });
     }},
    {"shuffle_up_down_xor",
     [] {
       return by_wave(4, [](const u32* x, u32 l) {
         return (x[l < 3 ? l : l - 3] * 3 + x[l > 24 ? l : l + 7] * 5) ^ x[l ^ 21];
       });
     }},
    {"swizzles",
     [] {
       return by_wave(5, [](const u32* x, u32 l) {
         return folded({x[l ^ 1], x[l ^ 16], x[31 - l], x[l & 24], x[(l & 28) | 3], x[l ^ 3],
                        x[(l & 28) + (l >> 1 & 1)]});
       });
     }},
    {"dpp_quads_and_mirrors",
     [] {
       return by_wave(6, [](const u32* x, u32 l) {
         return folded({x[quad(l, 0x1b)], x[quad(l, 0x50)], x[in_row(l, 15 - l)],
                        x[(l & 24) + (7 - (l & 7))]});
       });
     }},
    {"dpp_rows",
     [] {
       return by_wave(7, [](const u32* x, u32 l) {
         const u32 k = l & 15;
         return folded({k < 15 ? x[l + 1] : 0, k >= 3 ? x[l - 3] : 0, x[in_row(l, k - 5)],
                        x[in_row(l, 3)], x[l ^ 6], k >= 2 ? x[l - 2] : 77});
       });
     }},
    {"dpp_masks",
     [] {
       return by_wave(8, [](const u32* x, u32 l) {
         const u32 row = l / 16, bank = l / 4 % 4, mirror = in_row(l, 15 - l);
         const u32 a = row == 0 ? x[mirror] : ~4u;
         const u32 b = bank == 1 || bank == 2 ? x[mirror] : ~5u;
         const u32 c = row == 1 && (bank == 0 || bank == 3) && l % 16 > 0 ? x[l - 1] : ~6u;
         return folded({a, b, c});
       });
     }},
    {"dpp_eights",
     [] {
       return by_wave(9, [](const u32* x, u32 l) {
         const u32 order[] = {7, 2, 6, 1, 5, 6, 2, 0};
         return folded({x[(l & 24) + order[l & 7]], x[l]});
       });
     }},
    {"permute_rows",
     [] {
       return by_wave(10, [](const u32* x, u32 l) {
         return folded({x[in_row(l, nibble(0x89abcdef01234567, l))],
                        x[in_row(l ^ 16, nibble(0x76543210fedcba98, l))],
                        x[in_row(l, nibble(0xcccccccc33333333, l))]});
       });
     }},
    {"read_lanes",
     [] {
       return by_wave(11, [](const u32* x, u32) { return x[0] + x[13] * 3 + x[x[0] % 32] * 5; });
     }},
    {"first_of_the_active",
     [] {
       return by_wave(12, [](const u32* x, u32 l) {
         if (x[l] % 3 != 1) return x[l];
         return *std::find_if(x, x + 32, [](u32 y) { return y % 3 == 1; }) * 2 + 1;
       });
     }},
    {"ballots",
     [] {
       return by_wave(13, [](const u32* x, u32 l) {
         const u32 odd = votes(x, [](u32 y) { return y % 2 == 1; });
         u32 r = odd ^ votes(x, [](u32 y) { return y > 0x10000; }) << 1;
         if (x[l] % 3 == 0) r += votes(x, [](u32 y) { return y % 3 == 0 && (y & 2) != 0; }) * 7;
         r += odd == ~0u ? 1 : odd ? 2 : 3;
         return r + static_cast<u32>(std::popcount(odd)) * 1000;
       });
     }},
    {"compaction",
     [] {
       const auto in = ints<u32>(14);
       std::vector<u32> want;
       for (u32 w = 0; w < kN; w += 32) {
         for (bool keep : {true, false}) {
           for (u32 i = w; i < w + 32; ++i) {
             if ((in[i] % 3 != 0) == keep) want.push_back(in[i]);
           }
         }
       }
       return Setup().in(in).out(want);
     }},
    {"wave_scan",
     [] {
       return by_wave(15, [](const u32* x, u32 l) { return std::accumulate(x, x + l + 1, 0u); });
     }},
    {"wave_reduction_f32",
     [] {
       const auto in = between<float>(16, -100, 100);
       std::vector<float> want;
       for (size_t w = 0; w < kN; w += 32) {
         // The same tree: lane 0 adds what lies 16, 8, 4, 2 and 1 lanes on.
         std::vector<float> x(in.begin() + static_cast<long>(w),
                              in.begin() + static_cast<long>(w + 32));
         for (size_t m = 16; m; m /= 2) {
           for (size_t l = 0; l < m; ++l) x[l] += x[l + m];
         }
         want.push_back(x[0]);
       }
       return Setup().in(in).out(want);
     }},
    {"wave_maximum_64",
     [] {
       const auto in = ints<u64>(17);
       std::vector<u64> want;
       for (size_t i = 0; i < kN; ++i) {
         const auto p = in.begin() + static_cast<long>(i / 32 * 32);
         want.push_back(*std::max_element(p, p + 32));
       }
       return Setup().in(in).out(want);
     }},
    {"distinct_values",
     [] {
       return by_wave(18, [](const u32* x, u32 l) {
         std::vector<u32> seen;
         for (u32 k = 0; k < 32; ++k) {
           if (std::find(seen.begin(), seen.end(), x[k] % 7) == seen.end())
             seen.push_back(x[k] % 7);
         }
         const u32 mine = x[l] % 7;
         const auto turn = std::find(seen.begin(), seen.end(), mine) - seen.begin() + 1;
         return votes(x, [&](u32 y) { return y % 7 == mine; }) + static_cast<u32>(turn);
       });
     }},
    {"shuffle_among_some",
     [] { return by_wave(19, [](const u32* x, u32 l) { return l < 16 ? x[15 - l] * 4 : x[l]; }); }},
};

}  // namespace

std::span<const Program> lanes_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
