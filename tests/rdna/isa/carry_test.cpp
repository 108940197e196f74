// Instructions with a lane mask beside their words: carries, 64-bit multiply-adds, v_cndmask; and
// definedness rules that must stay precise, or compiler-made code alarms.
#include <random>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i64 = int64_t;

struct Carry {
  const char* mnemonic;
  bool carry_in;
  // 33 bits and more of a, b, carry: bit 32 is the carry or borrow.
  u64 (*f)(u64 a, u64 b, u64 c);
};
const Carry kCarries[] = {
    {"v_add_co_u32", false, [](u64 a, u64 b, u64) { return a + b; }},
    {"v_sub_co_u32", false, [](u64 a, u64 b, u64) { return a - b; }},
    {"v_subrev_co_u32", false, [](u64 a, u64 b, u64) { return b - a; }},
    {"v_add_co_ci_u32", true, [](u64 a, u64 b, u64 c) { return a + b + c; }},
    {"v_sub_co_ci_u32", true, [](u64 a, u64 b, u64 c) { return a - b - c; }},
    {"v_subrev_co_ci_u32", true, [](u64 a, u64 b, u64 c) { return b - a - c; }},
};

void check_carry(const Carry& c) {
  std::mt19937_64 rng(6);
  const auto xs = interesting(64, 7);
  for (int round = 0; round < 300; ++round) {
    Bench b;
    for (int r = 0; r < 5; ++r) {
      for (u32& x : b.v[r].v) x = rng() % 2 ? xs[rng() % 64] : static_cast<u32>(rng());
    }
    const Lanes old = b.v[4];
    const u32 e = b.w.s[kExec] = round % 2 ? ~0u : static_cast<u32>(rng());
    const u32 in = b.w.s[10] = static_cast<u32>(rng());
    Op op;
    op.ndst = 2;
    op.dst[0] = Bench::vgpr(4);
    op.dst[1] = Bench::sgpr(round % 3 ? 12 : 10);  // over the carry that came in, too
    op.nsrc = c.carry_in ? 3 : 2;
    for (int i = 0; i < 2; ++i) op.src[i] = Bench::vgpr(i);
    if (c.carry_in) op.src[2] = Bench::sgpr(10);
    b.run(c.mnemonic, op);
    for (int l = 0; l < kLanes; ++l) {
      const u64 want = c.f(b.v[0].v[l], b.v[1].v[l], in >> l & 1);
      const bool active = e >> l & 1;
      ASSERT_TRUE(result_is(c.mnemonic, b.v[4].v[l], active ? static_cast<u32>(want) : old.v[l]));
      ASSERT_EQ(b.w.s[op.dst[1].reg] >> l & 1, active ? static_cast<u32>(want >> 32 & 1) : 0u);
    }
  }
}
TEST(VOP2, CarriesEqualTheirReference) {
  for (const Carry& c : kCarries) {
    if (c.carry_in) check_carry(c);
  }
}
TEST(VOP3, CarriesEqualTheirReference) {
  for (const Carry& c : kCarries) {
    if (!c.carry_in) check_carry(c);
  }
}

TEST(VOP3, CarryDefinedness) {
  Bench b;
  b.w.s[kExec] = 0xffff;
  b.hi[0] = 0;  // the high halves of a are undefined
  b.run("v_add_co_u32", {Bench::vgpr(4), Bench::sgpr(kVcc)}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_EQ(b.lo[4], ~0u);
  EXPECT_EQ(b.hi[4], 0xffff0000u);         // inactive lanes keep theirs
  EXPECT_EQ(b.w.sdef[kVcc], 0xffff0000u);  // zeros outside EXEC are known
  Bench u;
  u.lo[0] = 0;  // a carry comes up from the low halves
  u.run("v_add_co_u32", {Bench::vgpr(4), Bench::sgpr(kVcc)}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_EQ(u.lo[4] | u.hi[4] | u.w.sdef[kVcc], 0u);
  u.run("v_mad_u64_u32", {Bench::vgpr(6, 0, 2), Bench::sgpr(kNull)},
        {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2, 0, 2)});
  EXPECT_EQ(u.lo[6] | u.hi[6] | u.lo[7] | u.hi[7], 0u);
  // The low word of a 64-bit multiply-add does not see the high word of the addend.
  Bench m;
  m.lo[3] = m.hi[3] = 0;
  m.run("v_mad_u64_u32", {Bench::vgpr(6, 0, 2), Bench::sgpr(kNull)},
        {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2, 0, 2)});
  EXPECT_EQ(m.lo[6] & m.hi[6], ~0u);
  EXPECT_EQ(m.lo[7] | m.hi[7], 0u);
  Bench s;
  s.lo[3] = s.hi[3] = 0;
  s.run("v_lshlrev_b64", {Bench::vgpr(6, 0, 2)}, {s.constant(2), Bench::vgpr(2, 0, 2)});
  EXPECT_EQ(s.lo[6] & s.hi[6], ~0u);
  EXPECT_EQ(s.lo[7] | s.hi[7], 0u);
  s.run("v_lshlrev_b64", {Bench::vgpr(6, 0, 2)}, {s.constant(32), Bench::vgpr(2, 0, 2)});
  EXPECT_EQ(s.lo[7] & s.hi[7], ~0u);  // all of it comes from the low word
}

TEST(VOP3, WideMultiplyAddEqualsItsReference) {
  std::mt19937_64 rng(8);
  const auto xs = interesting(64, 9);
  for (const char* name :
       {"v_mad_u64_u32", "v_mad_co_u64_u32", "v_mad_i64_i32", "v_mad_co_i64_i32"}) {
    const bool is_signed = std::string_view(name).find("i64") != std::string_view::npos;
    for (int round = 0; round < 300; ++round) {
      Bench b;
      for (int r = 0; r < 4; ++r) {
        for (u32& x : b.v[r].v) x = rng() % 2 ? xs[rng() % 64] : static_cast<u32>(rng());
      }
      b.run(name, {Bench::vgpr(6, 0, 2), Bench::sgpr(20)},
            {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2, 0, 2)});
      for (int l = 0; l < kLanes; ++l) {
        const u64 z = b.v[2].v[l] | u64{b.v[3].v[l]} << 32;
        const u32 x = b.v[0].v[l], y = b.v[1].v[l];
        const __int128 exact =
            is_signed ? static_cast<__int128>(static_cast<int32_t>(x)) * static_cast<int32_t>(y) +
                            static_cast<i64>(z)
                      : static_cast<__int128>(static_cast<unsigned __int128>(u64{x} * y) + z);
        const bool fits = is_signed ? exact == static_cast<i64>(exact) : !(exact >> 64);
        ASSERT_TRUE(result_is(name, b.v[6].v[l] | u64{b.v[7].v[l]} << 32, static_cast<u64>(exact)));
        ASSERT_EQ(b.w.s[20] >> l & 1, u32{!fits}) << name;
      }
    }
  }
}

TEST(VOP2, CndmaskTakesTheChosenSide) {
  Bench b;
  for (int l = 0; l < kLanes; ++l) {
    b.v[0].v[l] = 100u + static_cast<u32>(l);
    b.v[1].v[l] = 200u + static_cast<u32>(l);
  }
  b.w.s[kVcc] = 0xff00ff00;
  b.lo[0] = b.hi[0] = 0;  // src0 undefined everywhere
  b.run("v_cndmask_b32", {Bench::vgpr(4)},
        {Bench::vgpr(0), Bench::vgpr(1, kNeg), Bench::sgpr(kVcc)});
  for (u32 l = 0; l < kLanes; ++l)
    EXPECT_TRUE(
        result_is("v_cndmask_b32", b.v[4].v[l], l & 8 ? (200u + l) | 0x80000000u : 100u + l));
  EXPECT_EQ(b.lo[4], 0xff00ff00u);
  b.w.sdef[kVcc] = ~0x100u;
  b.run("v_cndmask_b32", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1), Bench::sgpr(kVcc)});
  EXPECT_EQ(b.hi[4], 0xff00fe00u);
}

TEST(VOP3, CndmaskOfHalves) {
  std::mt19937_64 rng(10);
  for (int round = 0; round < 200; ++round) {
    Bench b;
    for (int r = 0; r < 5; ++r) {
      for (u32& x : b.v[r].v) x = static_cast<u32>(rng());
    }
    const Lanes old = b.v[4];
    const u32 mask = b.w.s[20] = static_cast<u32>(rng());
    uint8_t m[2];
    for (uint8_t& x : m) x = rng() & (kNeg | kAbs | kOpSel0);
    const bool high = rng() & 1;
    b.run("v_cndmask_b16", {Bench::vgpr(4)},
          {Bench::vgpr(0, m[0] | (high ? kDstOpSel : 0)), Bench::vgpr(1, m[1]), Bench::sgpr(20)});
    for (int l = 0; l < kLanes; ++l) {
      const int i = mask >> l & 1;
      u32 h = b.v[i].v[l] >> (m[i] & kOpSel0 ? 16 : 0) & 0xffff;
      if (m[i] & kAbs) h &= 0x7fff;
      if (m[i] & kNeg) h ^= 0x8000;
      const u32 want = high ? (old.v[l] & 0xffff) | h << 16 : (old.v[l] & 0xffff0000) | h;
      ASSERT_TRUE(result_is("v_cndmask_b16", b.v[4].v[l], want));
    }
  }
}

// Rules that must stay precise, or compiler-made code alarms: (mnemonic, sources, defined halves of
// src[0]/src[1]) with the expected halves of the result; all lanes alike.
struct Precise {
  const char* mnemonic;
  int undefined_source;
  bool lo, hi;       // halves of that source that are defined
  int64_t other[2];  // the remaining sources as constants, in order; -1: none
  bool want_lo, want_hi;
};
TEST(VOP3, RulesStayPrecise) {
  const Precise rows[] = {
      {"v_and_b32", 0, true, false, {0xffff, -1}, true, true},
      {"v_and_b32", 0, false, true, {0xffff, -1}, false, true},
      {"v_or_b32", 0, true, false, {0xffff0000, -1}, true, true},
      {"v_add_nc_u32", 0, true, false, {7, -1}, true, false},
      {"v_mul_lo_u32", 0, true, false, {7, -1}, true, false},
      {"v_lshrrev_b32", 1, true, false, {16, -1}, false, true},
      {"v_lshrrev_b32", 1, false, true, {16, -1}, true, true},
      {"v_lshlrev_b32", 1, true, false, {16, -1}, true, true},
      {"v_lshlrev_b32", 1, false, true, {16, -1}, true, false},
      {"v_lshlrev_b32", 1, true, false, {4, -1}, true, false},
      {"v_bfe_u32", 0, true, false, {0, 16}, true, true},
      {"v_bfe_u32", 0, true, false, {16, 16}, false, true},
      {"v_perm_b32", 1, true, false, {0, 0x0c0c0100}, true, true},
      {"v_perm_b32", 1, true, false, {0, 0x05040100}, true, true},
      {"v_perm_b32", 1, true, false, {0, 0x07060302}, false, true},
      {"v_bfi_b32", 2, true, false, {0xffff0000, 5}, true, true},
      {"v_and_or_b32", 0, true, false, {0xffff, 0x10000}, true, true},
      {"v_lshl_or_b32", 0, true, false, {16, 0}, true, true},
      {"v_alignbit_b32", 0, true, false, {0, 16}, true, true},
      {"v_mul_u32_u24", 0, true, true, {3, -1}, true, true},
  };
  for (const Precise& p : rows) {
    Bench b;
    Op op;
    op.ndst = 1;
    op.dst[0] = Bench::vgpr(4);
    int next = 0;
    const int n = p.other[1] < 0 ? 2 : 3;
    for (int i = 0; i < n; ++i) {
      op.src[i] = i == p.undefined_source ? Bench::vgpr(0)
                                          : b.constant(static_cast<u32>(p.other[next]), next);
      if (i != p.undefined_source) ++next;
    }
    op.nsrc = static_cast<uint8_t>(n);
    b.lo[0] = p.lo ? ~0u : 0;
    b.hi[0] = p.hi ? ~0u : 0;
    b.run(p.mnemonic, op);
    EXPECT_EQ(b.lo[4], p.want_lo ? ~0u : 0) << p.mnemonic << " " << p.other[0];
    EXPECT_EQ(b.hi[4], p.want_hi ? ~0u : 0) << p.mnemonic << " " << p.other[0];
  }
}

}  // namespace
}  // namespace w4::rdna::test
