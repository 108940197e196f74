// Scalar ALU instructions; definedness is exact to the bit and checked by flipping the undefined
// bits.
#include <bit>

#include "rdna/catalogue.h"
#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/salu_cases.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
u64 low(u64 x) { return x & 0xffffffff; }

void set64(Bench& b, int reg, u64 x, u64 d) {
  b.w.s[reg] = static_cast<u32>(x);
  b.w.s[reg + 1] = static_cast<u32>(x >> 32);
  b.w.sdef[reg] = static_cast<u32>(d);
  b.w.sdef[reg + 1] = static_cast<u32>(d >> 32);
}
u64 get64(const u32* s, int reg) { return s[reg] | u64{s[reg + 1]} << 32; }

// Values, SCC, and which bits are defined: those must not see flipped undefined bits.
void check_scalar(std::string_view class_name) {
  std::mt19937_64 rng(21);
  const auto xs = interesting(64, 22);
  for (const salu::Case& c : salu::cases()) {
    if (isa_class(c.mnemonic) != class_name) continue;
    for (int round = 0; round < 2000; ++round) {
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
      const salu::Out want = c.f(a, v, scc);
      const bool compare = std::string_view(c.mnemonic).find("cmp") != std::string_view::npos;
      compared(c.mnemonic);
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

TEST(SOP1, EqualsItsReference) { check_scalar("SOP1"); }
TEST(SOP2, EqualsItsReference) { check_scalar("SOP2"); }
TEST(SOPC, EqualsItsReference) { check_scalar("SOPC"); }

TEST(SOP2, KnownBitsWin) {
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

// Destination takes the old EXEC (the wrexec forms: the new one), EXEC the result, SCC = EXEC != 0.
TEST(SOP1, SaveExec) {
  struct Form {
    const char* name;
    u32 (*f)(u32 s, u32 e);
  };
  const Form forms[] = {
      {"and", [](u32 s, u32 e) { return s & e; }},
      {"or", [](u32 s, u32 e) { return s | e; }},
      {"xor", [](u32 s, u32 e) { return s ^ e; }},
      {"nand", [](u32 s, u32 e) { return ~(s & e); }},
      {"nor", [](u32 s, u32 e) { return ~(s | e); }},
      {"xnor", [](u32 s, u32 e) { return ~(s ^ e); }},
      {"and_not0", [](u32 s, u32 e) { return ~s & e; }},
      {"and_not1", [](u32 s, u32 e) { return s & ~e; }},
      {"or_not0", [](u32 s, u32 e) { return ~s | e; }},
      {"or_not1", [](u32 s, u32 e) { return s | ~e; }},
  };
  std::mt19937_64 rng(25);
  for (const Form& f : forms) {
    for (const char* kind : {"saveexec", "wrexec"}) {
      const std::string name = std::string("s_") + f.name + "_" + kind + "_b32";
      if (!has_row(name)) continue;
      const bool saves = kind[0] == 's';
      for (int round = 0; round < 50; ++round) {
        const u32 s = round ? static_cast<u32>(rng()) : 0,
                  e = round != 1 ? static_cast<u32>(rng()) : 0;
        for (const int dst : {4, 8}) {
          Bench b;
          b.w.s[4] = s;
          b.w.s[kExec] = e;
          b.run(name, {Bench::sgpr(dst)}, {Bench::sgpr(4)});
          const u32 want = f.f(s, e);
          EXPECT_TRUE(result_is(name, b.w.s[dst], saves ? e : want));
          EXPECT_TRUE(result_is(name, b.w.exec(), want));
          EXPECT_EQ(b.w.scc, want != 0) << name;
          EXPECT_TRUE(reports().undefined.empty());
        }
      }
    }
  }
}

TEST(SOP1, UndefinedExec) {
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

TEST(SOP1, ConditionalMovesAndBits) {
  for (const bool scc : {false, true}) {
    Bench b;
    b.w.scc = scc;
    set64(b, 4, 0x1122334455667788, ~0ull);
    set64(b, 6, 0x99aabbccddeeff00, ~0ull);
    b.run("s_cmov_b32", {Bench::sgpr(6)}, {Bench::sgpr(4)});
    EXPECT_TRUE(result_is("s_cmov_b32", b.w.s[6], scc ? 0x55667788u : 0xddeeff00u));
    EXPECT_TRUE(result_is("s_cmov_b32", b.w.s[7], 0x99aabbccu));
    b.run("s_cmov_b64", {Bench::sgpr(6, 2)}, {Bench::sgpr(4, 2)});
    EXPECT_TRUE(result_is("s_cmov_b64", get64(b.w.s, 6),
                          scc ? 0x1122334455667788ull : 0x99aabbccddeeff00ull));
    EXPECT_EQ(b.w.scc, scc);
  }
  for (u32 n = 0; n < 70; ++n) {
    for (const bool one : {false, true}) {
      for (const bool wide : {false, true}) {
        Bench b;
        const u64 old = 0x123456789abcdef0;
        set64(b, 6, old, ~0ull);
        b.w.s[4] = n;
        const std::string name =
            std::string("s_bitset") + (one ? "1" : "0") + (wide ? "_b64" : "_b32");
        b.run(name, {Bench::sgpr(6, wide ? 2 : 1)}, {Bench::sgpr(4)});
        const u64 bit = 1ull << (n % (wide ? 64 : 32));
        EXPECT_TRUE(result_is(name, get64(b.w.s, 6), one ? old | bit : old & ~bit));
      }
    }
  }
}

// The 16-bit constant of SOPK, as the decoder gives it and as an operand.
TEST(SOPK, EqualsItsReference) {
  std::mt19937_64 rng(26);
  const auto xs = interesting(64, 27);
  for (int round = 0; round < 1000; ++round) {
    const auto k = static_cast<int16_t>(round % 2 ? rng() : (rng() % 5) * 0x3fff);
    const u32 a = round % 3 ? xs[rng() % 64] : static_cast<u32>(k) & (round % 4 ? ~0u : 0xffffu);
    const u32 wide = static_cast<u32>(i32{k});
    Bench b;
    Op op;
    op.ndst = 1;
    op.dst[0] = Bench::sgpr(5);
    op.imm[0] = k;
    b.run("s_movk_i32", op);
    EXPECT_TRUE(result_is("s_movk_i32", b.w.s[5], wide));
    b.w.s[5] = a;
    b.w.scc = round % 5 < 2;
    const u32 moved = b.w.scc ? wide : a;
    b.run("s_cmovk_i32", op);
    EXPECT_TRUE(result_is("s_cmovk_i32", b.w.s[5], moved));
    b.w.s[5] = a;
    b.run("s_mulk_i32", op);
    EXPECT_TRUE(result_is("s_mulk_i32", b.w.s[5], static_cast<u32>(u64{a} * wide)));
    const int64_t sum = int64_t{static_cast<i32>(a)} + k;
    for (const char* name : {"s_addk_i32", "s_addk_co_i32"}) {
      b.w.s[5] = a;
      b.run(name, op);
      EXPECT_TRUE(result_is(name, b.w.s[5], static_cast<u32>(sum)));
      EXPECT_EQ(b.w.scc, sum != static_cast<i32>(sum)) << name;
    }
    Op compare;
    compare.nsrc = 1;
    compare.src[0] = Bench::sgpr(5);
    compare.imm[0] = k;
    b.w.s[5] = a;
    const auto holds = [](std::string_view c, auto x, auto y) {
      return c == "eq"   ? x == y
             : c == "lg" ? x != y
             : c == "gt" ? x > y
             : c == "ge" ? x >= y
             : c == "lt" ? x < y
                         : x <= y;
    };
    for (const std::string c : {"eq", "lg", "gt", "ge", "lt", "le"}) {
      b.run("s_cmpk_" + c + "_i32", compare);
      EXPECT_TRUE(
          result_is("s_cmpk_" + c + "_i32", b.w.scc, holds(c, static_cast<i32>(a), i32{k})));
      b.run("s_cmpk_" + c + "_u32", compare);
      EXPECT_TRUE(
          result_is("s_cmpk_" + c + "_u32", b.w.scc, holds(c, a, u32{static_cast<uint16_t>(k)})));
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
