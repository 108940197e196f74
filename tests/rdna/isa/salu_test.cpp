// Scalar instructions against scalar code from the ISA documents; definedness is exact to the bit
// and checked by flipping the undefined bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

struct Out {
  u64 d;
  int scc;  // -1: unchanged
};
struct Case {
  const char* mnemonic;
  bool wide_a, wide_b, wide_d;
  int sources;
  std::function<Out(u64, u64, bool)> f;
};
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
};

void set64(Bench& b, int reg, u64 x, u64 d) {
  b.w.s[reg] = static_cast<u32>(x);
  b.w.s[reg + 1] = static_cast<u32>(x >> 32);
  b.w.sdef[reg] = static_cast<u32>(d);
  b.w.sdef[reg + 1] = static_cast<u32>(d >> 32);
}
u64 get64(const u32* s, int reg) { return s[reg] | u64{s[reg + 1]} << 32; }

TEST(Salu, ValuesAndBitExactDefinedness) {
  std::mt19937_64 rng(21);
  const auto xs = interesting(64, 22);
  for (const Case& c : kCases) {
    for (int round = 0; round < 3000; ++round) {
      const auto pick = [&](bool wide) -> u64 {
        const u64 lo = rng() % 3 ? xs[rng() % 64] : rng() % 70 | (rng() % 40) << 16;
        return wide ? lo | u64{xs[rng() % 64]} << 32 : low(lo);
      };
      const u64 a = pick(c.wide_a), v = pick(c.wide_b);
      const u64 ad = round % 3 ? rng() | rng() : ~0ull, vd = round % 2 ? rng() | rng() : ~0ull;
      const bool scc = rng() & 1, scc_def = round % 5 != 0;
      Bench b, o;
      set64(b, 4, a, c.wide_a ? ad : ad | ~0xffffffffull);
      set64(b, 6, v, c.wide_b ? vd : vd | ~0xffffffffull);
      b.w.scc = scc;
      b.w.scc_def = scc_def;
      o.w.scc_def = scc_def;
      const u64 a2 = a ^ (rng() & ~ad & (c.wide_a ? ~0ull : 0xffffffff));
      const u64 v2 = v ^ (rng() & ~vd & (c.wide_b ? ~0ull : 0xffffffff));
      set64(o, 4, a2, get64(b.w.sdef, 4));
      set64(o, 6, v2, get64(b.w.sdef, 6));
      o.w.scc = scc_def ? scc : rng() & 1;
      Op op;
      op.ndst = 1;
      op.dst[0] = Bench::sgpr(10, c.wide_d ? 2 : 1);
      op.nsrc = static_cast<uint8_t>(c.sources);
      op.src[0] = Bench::sgpr(4, c.wide_a ? 2 : 1);
      op.src[1] = Bench::sgpr(6, c.wide_b ? 2 : 1);
      b.run(c.mnemonic, op);
      o.run(c.mnemonic, op);
      const Out want = c.f(a, v, scc);
      const bool compare = std::string_view(c.mnemonic).find("cmp") != std::string_view::npos;
      if (!compare) {
        const u64 got = c.wide_d ? get64(b.w.s, 10) : b.w.s[10];
        ASSERT_EQ(got, want.d) << c.mnemonic << std::hex << " " << a << " " << v;
      }
      ASSERT_EQ(b.w.scc, want.scc < 0 ? scc : want.scc != 0)
          << c.mnemonic << std::hex << a << " " << v;
      // What is called defined must not see the flipped bits.
      ASSERT_EQ((get64(b.w.s, 10) ^ get64(o.w.s, 10)) & get64(b.w.sdef, 10), 0u)
          << c.mnemonic << std::hex << " " << a << "/" << ad << " " << v << "/" << vd;
      if (want.scc >= 0 && b.w.scc_def) {
        ASSERT_EQ(b.w.scc, o.w.scc) << c.mnemonic;
      }
    }
  }
}

TEST(Salu, KnownBitsWin) {
  Bench b;
  b.w.s[4] = 0;
  b.w.sdef[4] = 0xff;
  b.w.s[5] = 0xf0f00000;
  b.run("s_and_b32", {Bench::sgpr(6)}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_EQ(b.w.sdef[6], 0xffu | ~0xf0f00000u);
  EXPECT_FALSE(b.w.scc_def);
  b.run("s_or_b32", {Bench::sgpr(6)}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_EQ(b.w.sdef[6], 0xffu | 0xf0f00000u);
  EXPECT_TRUE(b.w.scc_def);  // a known one: not zero whatever the rest is
  b.run("s_add_i32", {Bench::sgpr(6)}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_EQ(b.w.sdef[6], 0xffu);
}

TEST(Salu, SaveExec) {
  struct Form {
    const char* m;
    u32 (*f)(u32, u32);
  };
  const Form forms[] = {
      {"s_and_saveexec_b32", [](u32 s, u32 e) { return s & e; }},
      {"s_or_saveexec_b32", [](u32 s, u32 e) { return s | e; }},
      {"s_xor_saveexec_b32", [](u32 s, u32 e) { return s ^ e; }},
      {"s_and_not0_saveexec_b32", [](u32 s, u32 e) { return ~s & e; }},
      {"s_and_not1_saveexec_b32", [](u32 s, u32 e) { return s & ~e; }},
      {"s_or_not1_saveexec_b32", [](u32 s, u32 e) { return s | ~e; }},
  };
  for (const Form& f : forms) {
    Bench b;
    b.w.s[4] = 0x0ff0;
    b.w.s[kExec] = 0x00ff;
    b.run(f.m, {Bench::sgpr(4)}, {Bench::sgpr(4)});
    EXPECT_EQ(b.w.s[4], 0x00ffu) << f.m;
    EXPECT_EQ(b.w.exec(), f.f(0x0ff0, 0x00ff)) << f.m;
    EXPECT_TRUE(b.w.scc);
    EXPECT_TRUE(reports().undefined.empty());
  }
  // An undefined bit of the mask where EXEC is set is a finding; where EXEC is clear it is not.
  Bench b;
  b.w.s[kExec] = 0xff;
  b.w.sdef[4] = ~0x100u;
  b.run("s_and_saveexec_b32", {Bench::sgpr(6)}, {Bench::sgpr(4)});
  EXPECT_TRUE(reports().undefined.empty());
  b.w.s[kExec] = 0xfff;
  b.w.sdef[4] = ~0x100u;
  b.run("s_and_saveexec_b32", {Bench::sgpr(6)}, {Bench::sgpr(4)});
  ASSERT_EQ(reports().undefined.size(), 1u);
  EXPECT_EQ(reports().undefined[0], FindingKind::undefined_exec);
  b.w.sdef[4] = 0;
  b.run("s_mov_b32", {Bench::sgpr(kExec)}, {Bench::sgpr(4)});
  EXPECT_EQ(reports().undefined.size(), 1u);
}

TEST(Salu, Constants16) {
  Bench b;
  Operand k = b.constant(0xfffffffe);
  b.run("s_movk_i32", {Bench::sgpr(4)}, {k});
  EXPECT_EQ(b.w.s[4], 0xfffffffeu);
  b.w.s[5] = 10;
  b.run("s_addk_i32", {Bench::sgpr(5)}, {k});
  EXPECT_EQ(b.w.s[5], 8u);
  // The decoder's shape: the constant is no source but an immediate.
  Op immediate;
  immediate.ndst = 1;
  immediate.dst[0] = Bench::sgpr(5);
  immediate.imm[0] = -3;
  b.run("s_addk_i32", immediate);
  EXPECT_EQ(b.w.s[5], 5u);
  b.run("s_movk_i32", immediate);
  EXPECT_EQ(b.w.s[5], 0xfffffffdu);
  Op compare;
  compare.nsrc = 1;
  compare.src[0] = Bench::sgpr(5);
  compare.imm[0] = -3;
  b.run("s_cmpk_eq_i32", compare);
  EXPECT_TRUE(b.w.scc);
  b.run("s_cmpk_eq_u32", compare);
  EXPECT_FALSE(b.w.scc);
  b.w.s[5] = 0xfffe;
  b.run("s_cmpk_eq_u32", {}, {Bench::sgpr(5), b.constant(0xfffe)});
  EXPECT_TRUE(b.w.scc);
  b.run("s_cmpk_eq_i32", {}, {Bench::sgpr(5), b.constant(0xfffe)});
  EXPECT_FALSE(b.w.scc);
}

// Values whose functions are exact, denormals flushed, and the source modifiers.
TEST(SaluFloat, FunctionsOfGfx12) {
  Bench b;
  const auto bits = [](float x) { return std::bit_cast<u32>(x); };
  struct Case {
    const char* name;
    u32 in, out;
  };
  const Case cases[] = {
      {"v_s_rcp_f32", bits(4.f), bits(0.25f)}, {"v_s_sqrt_f32", bits(2.25f), bits(1.5f)},
      {"v_s_rsq_f32", bits(0.25f), bits(2.f)}, {"v_s_exp_f32", bits(-3.f), bits(0.125f)},
      {"v_s_log_f32", bits(8.f), bits(3.f)},   {"v_s_rcp_f32", 0x80000001u, bits(-HUGE_VALF)},
      {"v_s_exp_f32", bits(-140.f), 0},        {"v_s_rcp_f16", 0x4400, 0x3400},
      {"v_s_sqrt_f16", 0x4080, 0x3e00},        {"v_s_rsq_f16", 0x3400, 0x4000},
      {"v_s_exp_f16", 0xc200, 0x3000},         {"v_s_log_f16", 0x4800, 0x4200},
  };
  for (const Case& c : cases) {
    b.w.s[4] = c.in;
    b.run(c.name, {Bench::sgpr(6)}, {Bench::sgpr(4)});
    EXPECT_EQ(b.w.s[6], c.out) << c.name << std::hex << " " << c.in;
  }
  b.w.s[4] = bits(2.f);
  Operand negated = Bench::sgpr(4);
  negated.mods = kNeg;
  b.run("v_s_rcp_f32", {Bench::sgpr(6)}, {negated});
  EXPECT_EQ(b.w.s[6], bits(-0.5f));
  b.w.sdef[4] = ~1u;
  b.run("v_s_rcp_f32", {Bench::sgpr(6)}, {Bench::sgpr(4)});
  EXPECT_EQ(b.w.sdef[6], 0u);
}

TEST(SaluFloat, Arithmetic) {
  Bench b;
  const auto bits = [](float x) { return std::bit_cast<u32>(x); };
  b.w.s[4] = bits(1.5f);
  b.w.s[5] = bits(-0.25f);
  b.run("s_add_f32", {Bench::sgpr(6)}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_EQ(b.w.s[6], bits(1.25f));
  b.run("s_mul_f32", {Bench::sgpr(6)}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_EQ(b.w.s[6], bits(-0.375f));
  b.run("s_fmac_f32", {Bench::sgpr(6)}, {Bench::sgpr(4), Bench::sgpr(4)});
  EXPECT_EQ(b.w.s[6], bits(1.875f));
  b.run("s_cvt_u32_f32", {Bench::sgpr(7)}, {Bench::sgpr(5)});
  EXPECT_EQ(b.w.s[7], 0u);
  b.w.s[8] = 16777217;
  b.run("s_cvt_f32_u32", {Bench::sgpr(7)}, {Bench::sgpr(8)});
  EXPECT_EQ(b.w.s[7], bits(16777216.f));
  b.run("s_cmp_nlt_f32", {}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_TRUE(b.w.scc);
  b.w.sdef[4] = ~1u;
  b.run("s_add_f32", {Bench::sgpr(6)}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_EQ(b.w.sdef[6], 0u);
  b.run("s_cmp_lt_f32", {}, {Bench::sgpr(4), Bench::sgpr(5)});
  EXPECT_FALSE(b.w.scc_def);
}

}  // namespace
}  // namespace w4::rdna::test
