// What the kernels of control.hip must give.
#include <algorithm>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

u32 nested(u32 x) {
  if (x % 2 == 0) return x % 3 == 0 ? x / 3 : (x & 8) ? x / 4 : ~x;
  if (!(x & 2)) return x + 11;
  return x * 3 ^ ((x & 4) ? 0x55u : 0u);
}

u32 dense(u32 x) {
  switch (x % 16) {
    case 0:
      return x * 7;
    case 1:
      return x + 3;
    case 2:
      return (x ^ 0xff) + 100;
    case 3:
      return x + 100;
    case 4:
      return x * 8;
    case 5:
      return x / 32;
    case 6:
      return x * x;
    case 7:
      return (~x - 9) * 2 + 1;
    case 8:
      return (x - 9) * 2 + 1;
    case 9:
      return x * 2 + 1;
    case 11:
      return x % 1000;
    case 12:
      return x / 7;
    default:
      return x ^ x >> 1;
  }
}

u32 sparse(u32 x) {
  const u32 k = x % 5000;
  if (k == 0 || k == 17) return 2;
  if (k == 100) return 3;
  if (k == 999) return 4;
  if (k >= 3 && k <= 5) return x;
  return k == 4999 ? 5 : 1;
}

u32 breaks(u32 x) {
  u32 s = 0;
  for (u32 i = 0; i < 64; ++i) {
    if (x >> (i % 32) & 1) {
      s += i * i;
      if (s > 5000) return s;
      u32 j = 0;
      while (j < i && (j ^ x) % 7 != 3) s ^= j++ * 8;
    }
  }
  return s;
}

u32 states(u32 x) {
  enum { start, halve, mix, done } state = start;
  u32 n = 0;
  while (state != done) {
    switch (state) {
      case start:
        if (++n > 40) {
          state = done;
        } else if (x % 4 == 0) {
          state = halve;
        } else if (x % 4 == 3) {
          state = mix;
        } else {
          x += 5;
        }
        break;
      case halve:
        x /= 2;
        state = x == 0 ? done : x % 2 ? mix : start;
        break;
      case mix:
        x = x * 13 + n;
        state = x % 11 == 0 ? done : n % 2 ? halve : start;
        break;
      case done:
        break;
    }
  }
  return x ^ n << 20;
}

// Answers that also depend on the element's number.
template <class F>
Setup by_index(const std::vector<u32>& in, F f) {
  std::vector<u32> want(kN);
  for (u32 i = 0; i < kN; ++i) want[i] = f(i);
  return Setup().in(in).out(want);
}

constexpr Program kPrograms[] = {
    {"nested_branches", [] { return elementwise(nested, ints<u32>(1)); }},
    {"dense_switch", [] { return elementwise(dense, ints<u32>(2)); }},
    {"sparse_switch", [] { return elementwise(sparse, below<u32>(3, 20000)); }},
    {"uniform_switch",
     [] {
       const auto in = ints<u32>(4);
       return by_index(in, [&](u32 i) {
         const u32 which = i % 128 / 32 + i / 128, x = in[i];
         const u32 cases[] = {x + 1, x * 3, x ^ x >> 7, x << 9 | x >> 23, x - which, ~x};
         return cases[which % 6];
       });
     }},
    {"break_and_continue", [] { return elementwise(breaks, ints<u32>(5)); }},
    {"do_while",
     [] {
       return elementwise(
           [](u32 x) {
             x |= 1;
             for (u32 n = 1;; ++n) {
               x = x * 1664525 + 1013904223;
               if (x >> 24 <= 20 || n == 60) return x + n;
             }
           },
           ints<u32>(6));
     }},
    {"early_return",
     [] {
       const auto in = ints<u32>(7);
       std::vector<u32> want(450);
       for (u32 i = 0; i < 450; ++i) {
         u32 r = in[i];
         for (u32 k = 0; k < in[i] % 13; ++k) r = r * 5 + k;
         if (in[i] % 5 == 0) r = 5;
         want[i] = i / 32 == 6 ? 77 : r;
       }
       return Setup().in(in).out(want).value(u32{450});
     }},
    {"grid_stride",
     [] {
       const auto in = ints<u32>(8, 1801);
       std::vector<u32> want(1801);
       for (u32 i = 0; i < 1801; ++i) want[i] = in[i] * 3 + i;
       return Setup().launch({3}, {96}).in(in).out(want).value(u32{1801});
     }},
    {"two_dimensions",
     [] {
       constexpr u32 kWidth = 37, kHeight = 21;
       const auto in = ints<u32>(9, kWidth * kHeight);
       std::vector<u32> want(kWidth * kHeight);
       for (u32 y = 0; y < kHeight; ++y) {
         for (u32 x = 0; x < kWidth; ++x) want[x * kHeight + y] = in[y * kWidth + x] + x * 1000 + y;
       }
       return Setup().launch({3, 3}, {16, 8}).in(in).out(want).value(kWidth).value(kHeight);
     }},
    {"three_dimensions",
     [] {
       std::vector<u32> want;
       for (u32 z = 0; z < 10; ++z) {
         for (u32 y = 0; y < 6; ++y) {
           for (u32 x = 0; x < 12; ++x) want.push_back(x + y * 256 + z * 65536);
         }
       }
       return Setup().launch({3, 2, 2}, {4, 3, 5}).out(want);
     }},
    {"short_circuit",
     [] {
       const auto in = ints<u32>(10);
       return by_index(in, [&](u32 i) {
         const u32 x = in[i], y = in[(i + 1) % kN];
         const bool far = x > y ? x % (y | 1) > 3 : false;
         const bool twice = x < 100 && y > 0 ? x / y == 2 : false;
         u32 r = far || twice ? x - y : 0;
         if (x % 2 == 0 && (y % 2 == 1 || x > 0x80000000u)) r += 0x1000;
         const u32 code = x == y ? 1 : x > y ? 3 - (x >> 1 & 1) : 5 - (y >> 2 & 1);
         return r ^ code;
       });
     }},
    {"state_machine", [] { return elementwise(states, ints<u32>(11)); }},
    {"triangular_loops",
     [] {
       return elementwise(
           [](u32 x) {
             const u32 n = x % 12;
             u32 s = 0;
             for (u32 i = 0; i < n; ++i)
               for (u32 j = i; j < n; ++j)
                 for (u32 k = j; k < n; k += 2) s += i * j + k;
             return s;
           },
           ints<u32>(12));
     }},
    {"binary_search",
     [] {
       auto sorted = below<u32>(13, 4000);
       std::sort(sorted.begin(), sorted.end());
       const auto keys = below<u32>(14, 4100);
       std::vector<u32> want;
       for (u32 k : keys) {
         const auto at = std::lower_bound(sorted.begin(), sorted.end(), k);
         want.push_back(static_cast<u32>(at - sorted.begin()));
       }
       return Setup().in(sorted).in(keys).out(want);
     }},
    {"checked", [] { return elementwise([](u32 x) { return x / 3 + 1; }, ints<u32>(15)); }},
    {"loop_of_64_bits",
     [] {
       return elementwise(
           [](u64 x) {
             u32 n = 0;
             u64 i = x % 5000000000u;
             for (const u64 end = i + 0x300000000u; i < end; i += 0x12345678u)
               n += static_cast<u32>(i >> 30) + 1;
             return n;
           },
           ints<u64>(16));
     }},
    {"uniform_loops",
     [] {
       const auto in = ints<u32>(17);
       return by_index(in, [&](u32 i) {
         const u32 b = i / 128;
         u32 s = i % 128;
         for (u32 t = 0; t < in[b] % 9 + 2; ++t) {
           const u32 k = in[t + b * 8];
           if (k % 2 == 0) s ^= k;
           for (u32 j = 0; k % 2 == 1 && j < (k >> 1 & 7); ++j) s = s * 7 + j;
         }
         return s;
       });
     }},
};

}  // namespace

std::span<const Program> control_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
