// What the kernels of memory.hip must give.
#include <algorithm>
#include <array>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

using u32x4 = std::array<u32, 4>;

struct __attribute__((packed)) Odd {
  u8 tag;
  u32 value;
  u16 tail;
};
struct Record {
  u32 key;
  u16 x, y;
  u64 stamp;
};

template <class T, class F>
std::vector<T> table(size_t n, F f) {
  std::vector<T> v;
  for (u32 i = 0; i < n; ++i) v.push_back(f(i));
  return v;
}
// One input of words and an answer for each element.
template <class T = u32, class F>
Setup by_index(const std::vector<u32>& in, F f) {
  return Setup().in(in).out(table<T>(kN, f));
}

Setup struct_argument() {
  // Passed piece by piece: the parts lie in the kernel arguments as the struct lays them out.
  struct {
    u32 a = 70000;
    u16 b = 60000;
    u8 c[3] = {250, 3, 99};
    double d = 1234.25;
  } head;
  const auto entries = ints<u32>(6, 16);
  const u64 e = 0x123456789abcull;
  std::vector<u64> want = table<u64>(kN, [&](u32 i) {
    const u64 s = head.a + head.b * 2u + head.c[0] * 3u + head.c[1] * 5u + head.c[i % 3] * 7u;
    return s + e + 4937 + entries[i % 16];
  });
  return Setup().value(head).in(entries).value(e).out(want);
}

constexpr Program kPrograms[] = {
    {"bytes_and_halves",
     [] {
       const auto a = ints<u8>(1);
       const auto b = ints<i8>(2);
       const auto c = ints<u16>(3);
       const auto d = ints<i16>(4);
       return Setup()
           .in(a)
           .in(b)
           .in(c)
           .in(d)
           .out(table<u8>(kN, [&](u32 i) { return static_cast<u8>(a[i] * 3 + b[i]); }))
           .out(table<u16>(kN, [&](u32 i) { return static_cast<u16>(c[i] + d[511 - i] - a[i]); }));
     }},
    {"bytes_of_words",
     [] {
       const auto in = ints<u32>(5);
       return Setup().in(in).out(table<u8>(
           4 * kN, [&](u32 i) { return static_cast<u8>(in[i / 4] >> (24 - i % 4 * 8)); }));
     }},
    {"vectors_16_bytes",
     [] {
       const auto in = ints<u32>(7, 4 * kN);
       return Setup().in(in).out(table<u32>(4 * kN, [&](u32 i) {
         const u32* v = &in[(511 - i / 4) * 4];
         return v[3 - i % 4] + v[i % 4] * 3;
       }));
     }},
    {"vectors_12_and_8_bytes",
     [] {
       const auto in = ints<u32>(8, 3 * kN);
       return Setup().in(in).out(table<u32>(2 * kN, [&](u32 i) {
         const u32* v = &in[i / 2 * 3];
         return i % 2 ? v[2] ^ v[0] : v[0] + v[1];
       }));
     }},
    {"struct_argument", struct_argument},
    {"narrow_arguments",
     [] {
       return Setup()
           .value(u8{200})
           .value(u16{50000})
           .value(i8{-100})
           .value(u64{0x1234567890})
           .value(i16{-30000})
           .value(u8{1})  // bool
           .out(table<u32>(kN, [](u32 i) {
             return u32{200 + 50000 - 100 - 30000} * 3 + static_cast<u32>(0x1234567890ull >> 7) +
                    i % 128;
           }));
     }},
    {"packed_structs",
     [] {
       const auto x = ints<u32>(9), y = ints<u32>(10);
       const auto in = table<Odd>(kN, [&](u32 i) {
         return Odd{static_cast<u8>(x[i]), y[i], static_cast<u16>(x[i] >> 8)};
       });
       // Two lanes share a 2-byte element, which the check `writers` cannot tell from a double
       // write.
       return Setup().in(in).inout(std::vector<Odd>(kN), table<Odd>(kN, [&](u32 i) {
                                     const u32 value = in[i].value * 3 + in[i].tag;
                                     return Odd{static_cast<u8>(in[i].tag + 1), value,
                                                static_cast<u16>(in[i].tail ^ value)};
                                   }));
     }},
    {"records",
     [] {
       const auto k = ints<u32>(11);
       const auto s = ints<u64>(12);
       const auto in = table<Record>(kN, [&](u32 i) {
         return Record{k[i], static_cast<u16>(s[i]), static_cast<u16>(s[i] >> 20), s[i] * 3};
       });
       return Setup().in(in).out(table<Record>(kN, [&](u32 i) {
         const Record& r = in[(i * 5 + 3) % kN];
         return Record{r.key, r.y, static_cast<u16>(r.x + 1), r.stamp + u64{r.key} * r.x};
       }));
     }},
    {"constant_tables",
     [] {
       const auto in = ints<u32>(13);
       return by_index<double>(in, [&](u32 i) {
         const u32 primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53},
                   x = in[i];
         const u32 bytes[] = {200, 1, 77, 33, 5, 250, 9, 128}, odd[] = {11111, 222, 3333, 44444, 5};
         const double weights[] = {0.5, -1.25, 3.0, 1e-3};
         return primes[x & 15] + bytes[x >> 4 & 7] * weights[x >> 7 & 3] + odd[x % 5] +
                primes[i / 128 + 3];
       });
     }},
    {"globals", [] { return Setup().out(table<u32>(kN, [](u32 i) { return 3000 + i % 128; })); }},
    {"private_array",
     [] {
       const auto in = ints<u32>(14);
       return by_index(in, [&](u32 g) {
         std::array<u32, 24> t;
         for (u32 i = 0; i < 24; ++i) t[i] = in[(g + i) % kN];
         for (u32 i = 0; i < 24; ++i) {
           const u32 j = t[i] % 24, old = t[j];
           t[j] = t[i] + j;
           t[i] = old;
         }
         u32 s = 0;
         for (u32 i = 0; i < 24; ++i) s = s * 7 + t[(i * 5 + g % 128) % 24];
         return s;
       });
     }},
    {"private_bytes",
     [] {
       const auto in = ints<u32>(15);
       return by_index(in, [&](u32 g) {
         u8 t[32];
         u16 h[16];
         for (u32 i = 0; i < 32; ++i) t[i] = static_cast<u8>(in[(g + i) % kN] >> (i % 8));
         for (u32 i = 0; i < 16; ++i) h[i] = static_cast<u16>(t[2 * i] * t[31 - i]);
         u32 s = 0;
         for (u32 i = 0; i < 40; ++i) {
           const u32 k = (s + i) % 32;
           s = s * 3 + t[k] + h[(k + s) % 16];
           t[s / 8 % 32] = static_cast<u8>(s);
           h[s / 512 % 16] = static_cast<u16>(s ^ i);
         }
         return s;
       });
     }},
    {"generic_pointers",
     [] {
       const auto in = ints<u32>(16);
       return by_index(in, [&](u32 i) {
         const u32 t = i % 128, k = in[i] % 3;
         if (k == 0) return ((in[i] >> 8 & 1 ? t + 77 : t * 3) + 1) * 5;
         return (k == 1 ? in[i - t + 127 - t] * 2 : in[t]) + 1;
       });
     }},
    {"gather_and_scatter",
     [] {
       const auto in = ints<u32>(17), index = below<u32>(18, kN);
       std::vector<u32> want(kN);
       for (u32 i = 0; i < kN; ++i) {
         const u32 to = (i * 37 + 11) % kN;
         want[to] = in[index[i]] + in[index[to]];
       }
       return Setup().in(in).in(index).out(want);
     }},
    {"negative_offsets",
     [] {
       const auto in = ints<u32>(19);
       return by_index(in, [&](u32 i) {
         return in[511 - i] + in[i] * 3 + (i > 10 ? in[i - 11] : 0) + in[212];
       });
     }},
    {"far_offsets",
     [] {
       const auto in = ints<u32>(20, 9000 + kN);
       return by_index(in, [&](u32 i) { return in[i] + in[i + 9000] + in[i + 1000]; });
     }},
    {"volatile_accesses",
     [] {
       const auto in = ints<u32>(21);
       return Setup()
           .in(in)
           .inout(std::vector<u32>(kN), table<u32>(kN, [&](u32 i) { return in[i] * 2 + 1; }))
           .out(table<u32>(kN, [&](u32 i) { return (in[i] * 2 + 1) * 3; }));
     }},
    {"copies",
     [] {
       const auto in = ints<u8>(22, 37 * kN);
       return Setup().in(in).inout(std::vector<u8>(37 * kN), table<u8>(37 * kN, [&](u32 i) {
                                     return in[i / 37 * 37 + 36 - i % 37];
                                   }));
     }},
    {"scalar_loads",
     [] {
       const auto in = ints<u32>(23);
       return by_index(in, [&](u32 i) {
         const u32* p = &in[i / 128 * 32];
         u32 s = p[0];
         for (u32 k = 1; k < 32; ++k) {
           if (k != 3) s = s * (k < 3 ? 3 : k < 8 ? 5 : k < 16 ? 7 : 11) + p[k];
         }
         return s + i % 128;
       });
     }},
    {"scalar_narrow_loads",
     [] {
       const auto bytes = ints<u8>(24, 16);
       const auto words = ints<i16>(25, 16);
       return Setup().in(bytes).in(words).out(table<u32>(kN, [&](u32 i) {
         const u32 b = i / 128;
         const i64 s = bytes[b] + i64{static_cast<i8>(bytes[b + 4])} * 3 + i64{words[b]} * 5 +
                       static_cast<u16>(words[b + 5]) * 7;
         return static_cast<u32>(s) + i % 128;
       }));
     }},
};

}  // namespace

std::span<const Program> memory_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
