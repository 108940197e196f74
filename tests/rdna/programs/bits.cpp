// What the kernels of bits.hip must give.
#include <algorithm>
#include <bit>

#include "tests/rdna/programs/inputs.h"

namespace w4::rdna::programs {
namespace {

template <class T>
T reversed(T x) {
  T r = 0;
  for (size_t i = 0; i < 8 * sizeof(T); ++i) r = static_cast<T>(r << 1 | (x >> i & 1));
  return r;
}
template <class T>
T swapped(T x) {
  u8 b[sizeof(T)];
  std::memcpy(b, &x, sizeof x);
  std::reverse(b, b + sizeof x);
  std::memcpy(&x, b, sizeof x);
  return x;
}
u64 joined(u32 high, u32 low) { return u64{high} << 32 | low; }
// v_perm_b32: bytes 0-3 of `low`, 4-7 of `high`, 8-11 signs of the halves, 12 zero, above it ones.
u32 permuted(u32 high, u32 low, u32 selectors) {
  const u64 x = joined(high, low);
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 s = selectors >> (8 * i) & 0xff;
    u32 b = 0xff;
    if (s < 8) {
      b = x >> (8 * s) & 0xff;
    } else if (s < 12) {
      b = (x >> (16 * (s - 8) + 15) & 1) ? 0xff : 0;
    } else if (s == 12) {
      b = 0;
    }
    r |= b << (8 * i);
  }
  return r;
}
i64 bit_field(i64 x, u32 offset, u32 width) { return (x >> offset) & ((i64{1} << width) - 1); }

template <class T, class F>
Setup unary(F f, u64 seed) {
  return elementwise(f, ints<T>(seed));
}
template <class F>
Setup ternary(F f, u64 seed) {
  return elementwise(f, ints<u32>(seed), ints<u32>(seed + 1), ints<u32>(seed + 2));
}
u32 sign_bits_left(i32 a) {
  const u32 x = static_cast<u32>(a < 0 ? ~a : a);
  return static_cast<u32>(std::countl_zero(x)) - 1;
}

#define N(X) static_cast<u32>(X)

constexpr Program kPrograms[] = {
    {"population",
     [] {
       return unary<u32>([](u32 a) { return N(std::popcount(a) * 3 + std::popcount(a) % 2); }, 1);
     }},
    {"population64", [] { return unary<u64>([](u64 a) { return N(std::popcount(a)); }, 2); }},
    {"leading_zeros",
     [] { return unary<u32>([](u32 a) { return N(a ? std::countl_zero(a) : 99); }, 3); }},
    {"leading_zeros64",
     [] { return unary<u64>([](u64 a) { return N(a ? std::countl_zero(a) : 99); }, 4); }},
    {"trailing_zeros",
     [] { return unary<u32>([](u32 a) { return N(a ? std::countr_zero(a) : 99); }, 5); }},
    {"trailing_zeros64",
     [] { return unary<u64>([](u64 a) { return N(a ? std::countr_zero(a) : 99); }, 6); }},
    {"first_set",
     [] {
       return unary<u64>(
           [](u64 a) {
             const u32 low = static_cast<u32>(a);
             return N((low ? std::countr_zero(low) + 1 : 0) * 100 +
                      (a ? std::countr_zero(a) + 1 : 0));
           },
           7);
     }},
    {"sign_bits_left", [] { return unary<i32>(sign_bits_left, 8); }},
    {"leading_zeros16",
     [] {
       return unary<u16>(
           [](u16 a) { return N(a ? std::countl_zero(a) * 32 + std::countr_zero(a) : 7); }, 9);
     }},
    {"reverse_bits", [] { return unary<u32>(reversed<u32>, 10); }},
    {"reverse_bits64",
     [] {
       return unary<u64>(
           [](u64 a) {
             return reversed(a) + reversed(static_cast<u16>(a)) + reversed(static_cast<u8>(a));
           },
           11);
     }},
    {"swap_bytes",
     [] {
       return unary<u64>(
           [](u64 a) {
             return swapped(a) ^ swapped(static_cast<u32>(a)) ^ swapped(static_cast<u16>(a));
           },
           12);
     }},
    {"rotate",
     [] {
       return elementwise(
           [](u32 a, u32 b) {
             return std::rotl(a, static_cast<int>(b & 31)) ^
                    std::rotr(a, static_cast<int>(b >> 5 & 31)) << 1;
           },
           ints<u32>(13), ints<u32>(14));
     }},
    {"rotate64",
     [] {
       return elementwise(
           [](u64 a, u64 b) { return std::rotl(a, static_cast<int>(b & 63)) + std::rotr(a, 13); },
           ints<u64>(15), ints<u64>(16));
     }},
    {"rotate16",
     [] {
       return elementwise(
           [](u16 a, u16 b) {
             return static_cast<u16>(std::rotl(a, static_cast<int>(b & 15)) + std::rotr(a, 3));
           },
           ints<u16>(17), ints<u16>(18));
     }},
    {"funnel_shift",
     [] { return ternary([](u32 a, u32 b, u32 c) { return N(joined(a, b) >> (c & 31)); }, 19); }},
    {"funnel_bytes",
     [] {
       return ternary([](u32 a, u32 b, u32 c) { return N(joined(a, b) >> (8 * (c & 3))); }, 22);
     }},
    {"permute_bytes",
     [] {
       return ternary([](u32 a, u32 b, u32 c) { return permuted(a, b, c & 0x0f0f0f0f); }, 25);
     }},
    {"permute_bytes_fixed",
     [] {
       return elementwise(
           [](u32 a, u32 b) {
             return permuted(a, b, 0x0c050d02) ^
                    (permuted(a, b, 0x090a0b08) + permuted(b, a, 0x07000601));
           },
           ints<u32>(28), ints<u32>(29));
     }},
    {"extract_field",
     [] {
       return ternary(
           [](u32 a, u32 b, u32 c) {
             const u32 at = b & 31, n = c & 31;
             const i64 u = bit_field(a, at, n);
             i64 s = bit_field(static_cast<i32>(a), at, n);
             if (n && (s >> (n - 1) & 1)) s -= i64{1} << n;
             return N(u) ^ N(s) * 5;
           },
           30);
     }},
    {"sum_of_differences",
     [] {
       return ternary(
           [](u32 a, u32 b, u32 c) {
             u32 r = c;
             for (int i = 0; i < 32; i += 8) {
               r += N(std::abs(static_cast<int>(a >> i & 0xff) - static_cast<int>(b >> i & 0xff)));
             }
             r += c;
             for (int i = 0; i < 32; i += 16) {
               r += N(
                   std::abs(static_cast<int>(a >> i & 0xffff) - static_cast<int>(b >> i & 0xffff)));
             }
             return r;
           },
           33);
     }},
    {"insert_bits",
     [] {
       return ternary(
           [](u32 a, u32 b, u32 c) {
             return (c ^ (a & (b ^ c))) + ((a & c) ^ (b & c)) + (a - (a & b));
           },
           36);
     }},
    {"three_operand_logic",
     [] {
       return ternary(
           [](u32 a, u32 b, u32 c) {
             return (a ^ b ^ c) + ~(~a & ~b & ~c) + ~(~(a & b) & ~c) + ~(~(a * 32) & ~c) +
                    (a * 8 + b * 8) + (a * 4 + c);
           },
           39);
     }},
    {"unpack_nibbles",
     [] {
       return unary<u32>(
           [](u32 a) {
             const u32 primes[] = {3, 5, 7, 11, 13, 17, 19, 23};
             u32 s = 0;
             for (int i = 0; i < 8; ++i, a /= 16) s += a % 16 * primes[i];
             return s;
           },
           42);
     }},
    {"spread_bits",
     [] {
       return unary<u32>(
           [](u32 a) {
             u64 r = 0;
             for (int i = 0; i < 32; ++i) r |= u64{a >> i & 1} << (2 * i);
             return r;
           },
           43);
     }},
    {"checksum",
     [] {
       return unary<u64>(
           [](u64 a) {
             // By long division of the reflected polynomial, a bit at a time over the whole word.
             u32 crc = ~0u;
             for (int i = 0; i < 64; ++i) {
               const bool feedback = ((crc ^ static_cast<u32>(a >> i)) & 1) != 0;
               crc >>= 1;
               if (feedback) crc ^= 0xedb88320u;
             }
             return ~crc;
           },
           44);
     }},
    {"mixed_hash",
     [] {
       return unary<u32>(
           [](u32 a) {
             u64 z = u64{a} + 0x9e3779b97f4a7c15u;
             for (int i = 0; i < 5; ++i) {
               z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
               z = (z ^ z >> 27) * 0x94d049bb133111ebu;
               z = z ^ z >> 31;
             }
             return z;
           },
           45);
     }},
    {"gray_code_steps",
     [] {
       return unary<u32>(
           [](u32 a) {
             const u32 x = a & 0xffff, g = x ^ x >> 1;
             u32 n = 0;
             for (u32 i = 0; i < 16; ++i) {
               if (g >> i & 1) n = n * 3 + i;
             }
             return n;
           },
           46);
     }},
};

}  // namespace

std::span<const Program> bits_programs() { return kPrograms; }

}  // namespace w4::rdna::programs
