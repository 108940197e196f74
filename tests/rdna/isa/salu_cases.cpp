#include "tests/rdna/isa/salu_cases.h"

#include <algorithm>

namespace w4::rdna::test::salu {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

u64 low(u64 x) { return x & 0xffffffff; }
int nz(u64 x) { return x != 0; }
Out logic(u64 x, bool wide) {
  const u64 d = wide ? x : low(x);
  return {d, nz(d)};
}
i64 s32(u64 x) { return static_cast<i32>(static_cast<u32>(x)); }
Out overflow(i64 exact) {
  return {low(static_cast<u64>(exact)), exact != s32(static_cast<u64>(exact))};
}

const Case kCases[] = {
    {"s_mov_b32", false, false, false, 1, [](u64 a, u64, bool) { return Out{a, -1}; }},
    {"s_mov_b64", true, false, true, 1, [](u64 a, u64, bool) { return Out{a, -1}; }},
    {"s_not_b32", false, false, false, 1, [](u64 a, u64, bool) { return logic(~a, false); }},
    {"s_and_b32", false, false, false, 2, [](u64 a, u64 b, bool) { return logic(a & b, false); }},
    {"s_and_b64", true, true, true, 2, [](u64 a, u64 b, bool) { return logic(a & b, true); }},
    {"s_or_b32", false, false, false, 2, [](u64 a, u64 b, bool) { return logic(a | b, false); }},
    {"s_or_b64", true, true, true, 2, [](u64 a, u64 b, bool) { return logic(a | b, true); }},
    {"s_xor_b32", false, false, false, 2, [](u64 a, u64 b, bool) { return logic(a ^ b, false); }},
    {"s_nand_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(~(a & b), false); }},
    {"s_nor_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(~(a | b), false); }},
    {"s_xnor_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(~(a ^ b), false); }},
    {"s_and_not1_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(a & ~b, false); }},
    {"s_or_not1_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(a | ~b, false); }},
    {"s_add_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low(a + b), nz((a + b) >> 32)}; }},
    {"s_sub_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low(a - b), a < b}; }},
    {"s_add_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return overflow(s32(a) + s32(b)); }},
    {"s_sub_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return overflow(s32(a) - s32(b)); }},
    {"s_addc_u32", false, false, false, 2,
     [](u64 a, u64 b, bool c) { return Out{low(a + b + c), nz((a + b + c) >> 32)}; }},
    {"s_subb_u32", false, false, false, 2,
     [](u64 a, u64 b, bool c) { return Out{low(a - b - c), a < b + c}; }},
    {"s_add_nc_u64", true, true, true, 2, [](u64 a, u64 b, bool) { return Out{a + b, -1}; }},
    {"s_mul_u64", true, true, true, 2, [](u64 a, u64 b, bool) { return Out{a * b, -1}; }},
    {"s_mul_i32", false, false, false, 2, [](u64 a, u64 b, bool) { return Out{low(a * b), -1}; }},
    {"s_mul_hi_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{a * b >> 32, -1}; }},
    {"s_mul_hi_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low(static_cast<u64>(s32(a) * s32(b) >> 32)), -1}; }},
    {"s_lshl_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(a << (b % 32), false); }},
    {"s_lshl_b64", true, false, true, 2,
     [](u64 a, u64 b, bool) { return logic(a << (b % 64), true); }},
    {"s_lshr_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(a >> (b % 32), false); }},
    {"s_lshr_b64", true, false, true, 2,
     [](u64 a, u64 b, bool) { return logic(a >> (b % 64), true); }},
    {"s_ashr_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return logic(static_cast<u64>(s32(a) >> (b % 32)), false); }},
    {"s_ashr_i64", true, false, true, 2,
     [](u64 a, u64 b, bool) {
       return logic(static_cast<u64>(static_cast<i64>(a) >> (b % 64)), true);
     }},
    {"s_bfe_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) {
       const u64 n = std::min<u64>(b >> 16 & 127, 32);
       return logic((a >> (b % 32)) & ((1ull << n) - 1), false);
     }},
    {"s_bfe_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) {
       const u64 n = std::min<u64>(b >> 16 & 127, 32);
       const u64 x = static_cast<u64>(s32(a) >> (b % 32)) & ((1ull << n) - 1);
       return logic(n && (x >> (n - 1) & 1) ? x | ~((1ull << n) - 1) : x, false);
     }},
    {"s_lshl2_add_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low((a << 2) + b), nz(((a << 2) + b) >> 32)}; }},
    {"s_min_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{s32(a) < s32(b) ? a : b, s32(a) < s32(b)}; }},
    {"s_max_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{a > b ? a : b, a >= b}; }},
    {"s_cselect_b32", false, false, false, 2,
     [](u64 a, u64 b, bool c) { return Out{c ? a : b, -1}; }},
    {"s_cselect_b64", true, true, true, 2, [](u64 a, u64 b, bool c) { return Out{c ? a : b, -1}; }},
    {"s_abs_i32", false, false, false, 1,
     [](u64 a, u64, bool) {
       return logic(static_cast<u64>(s32(a) < 0 ? -s32(a) : s32(a)), false);
     }},
    {"s_sext_i32_i16", false, false, false, 1,
     [](u64 a, u64, bool) { return Out{low(static_cast<u64>(i64{static_cast<int16_t>(a)})), -1}; }},
    {"s_sext_i32_i8", false, false, false, 1,
     [](u64 a, u64, bool) { return Out{low(static_cast<u64>(i64{static_cast<int8_t>(a)})), -1}; }},
    {"s_bcnt1_i32_b32", false, false, false, 1,
     [](u64 a, u64, bool) { return logic(static_cast<u64>(__builtin_popcountll(a)), false); }},
    {"s_ctz_i32_b32", false, false, false, 1,
     [](u64 a, u64, bool) {
       return Out{a ? static_cast<u64>(__builtin_ctzll(a)) : 0xffffffff, -1};
     }},
    {"s_clz_i32_u32", false, false, false, 1,
     [](u64 a, u64, bool) {
       return Out{a ? static_cast<u64>(__builtin_clzll(a) - 32) : 0xffffffff, -1};
     }},
    {"s_pack_ll_b32_b16", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{(a & 0xffff) + (b & 0xffff) * 65536, -1}; }},
    {"s_pack_lh_b32_b16", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{(a & 0xffff) + (b >> 16) * 65536, -1}; }},
    {"s_pack_hh_b32_b16", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{(a >> 16) + (b >> 16) * 65536, -1}; }},
    {"s_cmp_lt_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, s32(a) < s32(b)}; }},
    {"s_cmp_ge_u32", false, false, false, 2, [](u64 a, u64 b, bool) { return Out{0, a >= b}; }},
    {"s_cmp_lg_u64", true, true, false, 2, [](u64 a, u64 b, bool) { return Out{0, a != b}; }},
    {"s_cmp_eq_u64", true, true, false, 2, [](u64 a, u64 b, bool) { return Out{0, a == b}; }},
    {"s_bitcmp1_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, static_cast<int>(a >> (b % 32) & 1)}; }},
    {"s_bitcmp0_b64", true, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, !(a >> (b % 64) & 1)}; }},
    {"s_xor_b64", true, true, true, 2,
     [](u64 a, u64 b, bool) { return logic(a ^ b, true); }},
    {"s_nand_b64", true, true, true, 2,
     [](u64 a, u64 b, bool) { return logic(~(a & b), true); }},
    {"s_nor_b64", true, true, true, 2,
     [](u64 a, u64 b, bool) { return logic(~(a | b), true); }},
    {"s_xnor_b64", true, true, true, 2,
     [](u64 a, u64 b, bool) { return logic(~(a ^ b), true); }},
    {"s_and_not1_b64", true, true, true, 2,
     [](u64 a, u64 b, bool) { return logic(a & ~b, true); }},
    {"s_or_not1_b64", true, true, true, 2,
     [](u64 a, u64 b, bool) { return logic(a | ~b, true); }},
    {"s_not_b64", true, false, true, 1,
     [](u64 a, u64, bool) { return logic(~a, true); }},
    {"s_add_co_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low(a + b), nz((a + b) >> 32)}; }},
    {"s_sub_co_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low(a - b), a < b}; }},
    {"s_add_co_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return overflow(s32(a) + s32(b)); }},
    {"s_sub_co_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return overflow(s32(a) - s32(b)); }},
    {"s_add_co_ci_u32", false, false, false, 2,
     [](u64 a, u64 b, bool c) { return Out{low(a + b + c), nz((a + b + c) >> 32)}; }},
    {"s_sub_co_ci_u32", false, false, false, 2,
     [](u64 a, u64 b, bool c) { return Out{low(a - b - c), a < b + c}; }},
    {"s_sub_nc_u64", true, true, true, 2,
     [](u64 a, u64 b, bool) { return Out{a - b, -1}; }},
    {"s_bfe_u64", true, false, true, 2,
     [](u64 a, u64 b, bool) { const u64 n = b >> 16 & 127, o = b % 64; const u64 m = n >= 64 ? ~0ull : (1ull << n) - 1; return logic((a >> o) & m, true); }},
    {"s_bfe_i64", true, false, true, 2,
     [](u64 a, u64 b, bool) { const u64 n = b >> 16 & 127, o = b % 64; const u64 m = n >= 64 ? ~0ull : (1ull << n) - 1; const u64 x = static_cast<u64>(static_cast<i64>(a) >> o) & m; return logic(n > 0 && n < 64 && (x >> (n - 1) & 1) ? x | ~m : x, true); }},
    {"s_bfm_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low(((1ull << (a % 32)) - 1) << (b % 32)), -1}; }},
    {"s_bfm_b64", false, false, true, 2,
     [](u64 a, u64 b, bool) { return Out{((1ull << (a % 64)) - 1) << (b % 64), -1}; }},
    {"s_lshl1_add_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low((a << 1) + b), nz(((a << 1) + b) >> 32)}; }},
    {"s_lshl3_add_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low((a << 3) + b), nz(((a << 3) + b) >> 32)}; }},
    {"s_lshl4_add_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{low((a << 4) + b), nz(((a << 4) + b) >> 32)}; }},
    {"s_min_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{a < b ? a : b, a < b}; }},
    {"s_max_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{s32(a) > s32(b) ? a : b, s32(a) >= s32(b)}; }},
    {"s_absdiff_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { const u64 d = low(a - b); return logic(s32(d) < 0 ? 0 - d : d, false); }},
    {"s_cmp_eq_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, s32(a) == s32(b)}; }},
    {"s_cmp_eq_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, a == b}; }},
    {"s_cmp_lg_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, s32(a) != s32(b)}; }},
    {"s_cmp_lg_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, a != b}; }},
    {"s_cmp_gt_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, s32(a) > s32(b)}; }},
    {"s_cmp_gt_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, a > b}; }},
    {"s_cmp_ge_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, s32(a) >= s32(b)}; }},
    {"s_cmp_lt_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, a < b}; }},
    {"s_cmp_le_i32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, s32(a) <= s32(b)}; }},
    {"s_cmp_le_u32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, a <= b}; }},
    {"s_bitcmp0_b32", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, !(a >> (b % 32) & 1)}; }},
    {"s_bitcmp1_b64", true, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{0, static_cast<int>(a >> (b % 64) & 1)}; }},
    {"s_ctz_i32_b64", true, false, false, 1,
     [](u64 a, u64, bool) { return Out{a ? static_cast<u64>(__builtin_ctzll(a)) : 0xffffffff, -1}; }},
    {"s_clz_i32_u64", true, false, false, 1,
     [](u64 a, u64, bool) { return Out{a ? static_cast<u64>(__builtin_clzll(a)) : 0xffffffff, -1}; }},
    {"s_cls_i32", false, false, false, 1,
     [](u64 a, u64, bool) { for (int i = 1; i < 32; ++i) { if ((a >> (31 - i) & 1) != a >> 31) return Out{static_cast<u64>(i), -1}; } return Out{0xffffffff, -1}; }},
    {"s_cls_i32_i64", true, false, false, 1,
     [](u64 a, u64, bool) { for (int i = 1; i < 64; ++i) { if ((a >> (63 - i) & 1) != a >> 63) return Out{static_cast<u64>(i), -1}; } return Out{0xffffffff, -1}; }},
    {"s_bcnt1_i32_b64", true, false, false, 1,
     [](u64 a, u64, bool) { u64 n = 0; for (int i = 0; i < 64; ++i) n += a >> i & 1; return logic(n, false); }},
    {"s_bcnt0_i32_b32", false, false, false, 1,
     [](u64 a, u64, bool) { u64 n = 0; for (int i = 0; i < 32; ++i) n += !(a >> i & 1); return logic(n, false); }},
    {"s_bcnt0_i32_b64", true, false, false, 1,
     [](u64 a, u64, bool) { u64 n = 0; for (int i = 0; i < 64; ++i) n += !(a >> i & 1); return logic(n, false); }},
    {"s_brev_b32", false, false, false, 1,
     [](u64 a, u64, bool) { u64 r = 0; for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i); return Out{r, -1}; }},
    {"s_brev_b64", true, false, true, 1,
     [](u64 a, u64, bool) { u64 r = 0; for (int i = 0; i < 64; ++i) r |= (a >> i & 1) << (63 - i); return Out{r, -1}; }},
    {"s_pack_hl_b32_b16", false, false, false, 2,
     [](u64 a, u64 b, bool) { return Out{(a >> 16) + (b & 0xffff) * 65536, -1}; }},
};

}  // namespace

std::span<const Case> cases() { return kCases; }

}  // namespace w4::rdna::test::salu
