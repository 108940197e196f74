// Bit counts, permutations, fields and the small algorithms made of them. Answers: bits.cpp.
#include "tests/rdna/programs/elementwise.h"

MAP1(population, u32, u32, __builtin_popcount(a) * 3 + __builtin_parity(a))
MAP1(population64, u32, u64, __builtin_popcountl(a))
MAP1(leading_zeros, u32, u32, a ? __builtin_clz(a) : 99)
MAP1(leading_zeros64, u32, u64, a ? __builtin_clzl(a) : 99)
MAP1(trailing_zeros, u32, u32, a ? __builtin_ctz(a) : 99)
MAP1(trailing_zeros64, u32, u64, a ? __builtin_ctzl(a) : 99)
MAP1(first_set, u32, u64, __builtin_ffs(static_cast<int>(a)) * 100 + __builtin_ffsl(static_cast<i64>(a)))
MAP1(sign_bits_left, u32, i32, __builtin_clrsb(a))
MAP1(leading_zeros16, u32, u16, a ? __builtin_clzs(a) * 32 + __builtin_ctz(a) : 7)
MAP1(reverse_bits, u32, u32, __builtin_bitreverse32(a))
MAP1(reverse_bits64, u64, u64, __builtin_bitreverse64(a) + __builtin_bitreverse16(static_cast<u16>(a)) + __builtin_bitreverse8(static_cast<u8>(a)))
MAP1(swap_bytes, u64, u64, __builtin_bswap64(a) ^ __builtin_bswap32(static_cast<u32>(a)) ^ __builtin_bswap16(static_cast<u16>(a)))
MAP2(rotate, u32, u32, u32, __builtin_rotateleft32(a, b) ^ __builtin_rotateright32(a, b >> 5) << 1)
MAP2(rotate64, u64, u64, u64, __builtin_rotateleft64(a, b) + __builtin_rotateright64(a, 13))
MAP2(rotate16, u16, u16, u16, __builtin_rotateleft16(a, b) + __builtin_rotateright16(a, 3))
MAP3(funnel_shift, u32, u32, u32, u32, __builtin_amdgcn_alignbit(a, b, c))
MAP3(funnel_bytes, u32, u32, u32, u32, __builtin_amdgcn_alignbyte(a, b, c))
MAP3(permute_bytes, u32, u32, u32, u32, __builtin_amdgcn_perm(a, b, c & 0x0f0f0f0f))
MAP2(permute_bytes_fixed, u32, u32, u32, __builtin_amdgcn_perm(a, b, 0x0c050d02) ^ __builtin_amdgcn_perm(a, b, 0x090a0b08) + __builtin_amdgcn_perm(b, a, 0x07000601))
MAP3(extract_field, u32, u32, u32, u32, __builtin_amdgcn_ubfe(a, b, c) ^ static_cast<u32>(__builtin_amdgcn_sbfe(static_cast<i32>(a), b, c)) * 5)
MAP3(sum_of_differences, u32, u32, u32, u32, __builtin_amdgcn_sad_u8(a, b, c) + __builtin_amdgcn_sad_u16(a, b, c))
MAP3(insert_bits, u32, u32, u32, u32, ((a & b) | (~a & c)) + ((a ^ b) & c) + (a & ~b))
MAP3(three_operand_logic, u32, u32, u32, u32, (a ^ b ^ c) + (a | b | c) + ((a & b) | c) + ((a << 5) | c) + ((a + b) << 3) + ((a << 2) + c))
MAP1(unpack_nibbles, u32, u32,
     (a & 15) * 3 + (a >> 4 & 15) * 5 + (a >> 8 & 15) * 7 + (a >> 12 & 15) * 11 + (a >> 16 & 15) * 13 + (a >> 20 & 15) * 17 +
         (a >> 24 & 15) * 19 + (a >> 28) * 23)
MAP1(spread_bits, u64, u32, [](u64 x) {
  x = (x | x << 16) & 0x0000ffff0000fffful;
  x = (x | x << 8) & 0x00ff00ff00ff00fful;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0ful;
  x = (x | x << 2) & 0x3333333333333333ul;
  return (x | x << 1) & 0x5555555555555555ul;
}(a))

extern "C" {

__global__ void checksum(const u64* a, u32* out) {
  u32 crc = ~0u;
  for (int i = 0; i < 8; ++i) {
    crc ^= static_cast<u8>(a[global_id()] >> (8 * i));
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  out[global_id()] = ~crc;
}

__global__ void mixed_hash(const u32* a, u64* out) {
  u64 z = a[global_id()] + 0x9e3779b97f4a7c15ul;
  for (int i = 0; i < 5; ++i) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ul;
    z = (z ^ z >> 27) * 0x94d049bb133111ebul;
    z ^= z >> 31;
  }
  out[global_id()] = z;
}

__global__ void gray_code_steps(const u32* a, u32* out) {
  u32 x = a[global_id()] & 0xffff, n = 0;
  for (u32 g = x ^ x >> 1; g; g &= g - 1) n = n * 3 + static_cast<u32>(__builtin_ctz(g));
  out[global_id()] = n;
}
}
