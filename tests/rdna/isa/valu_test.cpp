// Vector integer, carry, 64-bit and lane instructions against scalar code written from the ISA
// documents, and the rules of definedness.
#include <algorithm>
#include <bit>
#include <functional>

#include "rdna/isa/dpp.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
using Fn = std::function<u32(u32, u32, u32)>;

u32 bits(u32 x, int from, int n) {
  return n <= 0 ? 0 : static_cast<u32>((u64{x} >> from) & ((1ull << n) - 1));
}
i64 sx(u64 x, int n) { return static_cast<i64>(x << (64 - n)) >> (64 - n); }

struct Case {
  const char* mnemonic;
  int sources;
  Fn f;
  bool clamp = false;
};

u32 ref_perm(u32 a, u32 b, u32 s) {
  u32 r = 0;
  const u64 d = u64{a} << 32 | b;
  for (int i = 0; i < 4; ++i) {
    const u32 k = bits(s, 8 * i, 8);
    u32 x;
    switch (k) {
      case 8:
        x = (b >> 15 & 1) * 255;
        break;
      case 9:
        x = (b >> 31) * 255;
        break;
      case 10:
        x = (a >> 15 & 1) * 255;
        break;
      case 11:
        x = (a >> 31) * 255;
        break;
      case 12:
        x = 0;
        break;
      default:
        x = k > 12 ? 255 : static_cast<u32>(d >> (8 * k)) & 255;
    }
    r |= x << (8 * i);
  }
  return r;
}
u32 ref_ffbh(u32 x) {
  for (u32 i = 0; i < 32; ++i)
    if (x >> (31 - i) & 1) return i;
  return ~0u;
}
u32 ref_ffbl(u32 x) {
  for (u32 i = 0; i < 32; ++i)
    if (x >> i & 1) return i;
  return ~0u;
}
u32 ref_cls(u32 x) {
  for (u32 i = 1; i < 32; ++i)
    if ((x >> (31 - i) & 1) != x >> 31) return i;
  return ~0u;
}

// Where the sum leaves 32 bits, the end on its side.
u32 saturated(i64 x) {
  const u32 low = static_cast<u32>(x);
  return sx(low, 32) == x ? low : x < 0 ? 0x80000000u : 0x7fffffffu;
}

const Case kCases[] = {
    {"v_mov_b32", 1, [](u32 a, u32, u32) { return a; }},
    {"v_not_b32", 1, [](u32 a, u32, u32) { return 0xffffffff - a; }},
    {"v_and_b32", 2, [](u32 a, u32 b, u32) { return ~(~a | ~b); }},
    {"v_or_b32", 2, [](u32 a, u32 b, u32) { return ~(~a & ~b); }},
    {"v_xor_b32", 2, [](u32 a, u32 b, u32) { return (a | b) - (a & b); }},
    {"v_xnor_b32", 2, [](u32 a, u32 b, u32) { return ~((a | b) - (a & b)); }},
    {"v_add_nc_u32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} + b); }},
    {"v_sub_nc_u32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(i64{a} - b); }},
    {"v_subrev_nc_u32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(i64{b} - a); }},
    {"v_add_nc_u32", 2, [](u32 a, u32 b, u32) { return a > ~b ? ~0u : a + b; }, true},
    {"v_sub_nc_u32", 2, [](u32 a, u32 b, u32) { return a < b ? 0u : a - b; }, true},
    {"v_subrev_nc_u32", 2, [](u32 a, u32 b, u32) { return b < a ? 0u : b - a; }, true},
    {"v_add_nc_i32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} + b); }},
    {"v_sub_nc_i32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(i64{a} - b); }},
    {"v_add_nc_i32", 2, [](u32 a, u32 b, u32) { return saturated(sx(a, 32) + sx(b, 32)); }, true},
    {"v_sub_nc_i32", 2, [](u32 a, u32 b, u32) { return saturated(sx(a, 32) - sx(b, 32)); }, true},
    {"v_lshlrev_b32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(u64{b} << (a % 32)); }},
    {"v_lshrrev_b32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(u64{b} >> (a % 32)); }},
    {"v_ashrrev_i32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(sx(b, 32) >> (a % 32)); }},
    {"v_mul_lo_u32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} * b); }},
    {"v_mul_hi_u32", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} * b >> 32); }},
    {"v_mul_hi_i32", 2,
     [](u32 a, u32 b, u32) { return static_cast<u32>(sx(a, 32) * sx(b, 32) >> 32); }},
    {"v_mul_u32_u24", 2,
     [](u32 a, u32 b, u32) { return static_cast<u32>(u64{bits(a, 0, 24)} * bits(b, 0, 24)); }},
    {"v_mul_i32_i24", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(sx(a, 24) * sx(b, 24)); }},
    {"v_mul_hi_u32_u24", 2,
     [](u32 a, u32 b, u32) {
       return static_cast<u32>(u64{bits(a, 0, 24)} * bits(b, 0, 24) >> 32);
     }},
    {"v_mul_hi_i32_i24", 2,
     [](u32 a, u32 b, u32) { return static_cast<u32>(sx(a, 24) * sx(b, 24) >> 32); }},
    {"v_mad_u32_u24", 3,
     [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(u64{bits(a, 0, 24)} * bits(b, 0, 24) + c);
     }},
    {"v_mad_i32_i24", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>(sx(a, 24) * sx(b, 24) + c); }},
    {"v_mad_u32_u16", 3,
     [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(u64{bits(a, 0, 16)} * bits(b, 0, 16) + c);
     }},
    {"v_mad_i32_i16", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>(sx(a, 16) * sx(b, 16) + c); }},
    {"v_add3_u32", 3, [](u32 a, u32 b, u32 c) { return static_cast<u32>(u64{a} + b + c); }},
    {"v_lshl_add_u32", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << (b % 32)) + c); }},
    {"v_add_lshl_u32", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} + b) << (c % 32)); }},
    {"v_lshl_or_b32", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << (b % 32)) | c); }},
    {"v_and_or_b32", 3, [](u32 a, u32 b, u32 c) { return ~(~(a & b) & ~c); }},
    {"v_or3_b32", 3, [](u32 a, u32 b, u32 c) { return ~(~a & ~b & ~c); }},
    {"v_xor3_b32", 3, [](u32 a, u32 b, u32 c) { return c ^ (b ^ a); }},
    {"v_xad_u32", 3, [](u32 a, u32 b, u32 c) { return static_cast<u32>(u64{a ^ b} + c); }},
    {"v_bfe_u32", 3, [](u32 a, u32 b, u32 c) { return bits(a, b % 32, c % 32); }},
    {"v_bfe_i32", 3,
     [](u32 a, u32 b, u32 c) {
       const int n = c % 32;
       // The source is signed: a field that reaches beyond bit 31 is filled with the sign.
       return n ? static_cast<u32>(sx(static_cast<u64>(sx(a, 32)) >> (b % 32), n)) : 0u;
     }},
    {"v_bfi_b32", 3, [](u32 a, u32 b, u32 c) { return c ^ (a & (b ^ c)); }},
    {"v_bfm_b32", 2,
     [](u32 a, u32 b, u32) { return static_cast<u32>(((1ull << (a % 32)) - 1) << (b % 32)); }},
    {"v_alignbit_b32", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>(((u64{a} << 32) + b) >> (c % 32)); }},
    {"v_alignbyte_b32", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>(((u64{a} << 32) + b) >> (c % 4 * 8)); }},
    {"v_perm_b32", 3, ref_perm},
    {"v_min_u32", 2, [](u32 a, u32 b, u32) { return a < b ? a : b; }},
    {"v_max_u32", 2, [](u32 a, u32 b, u32) { return a < b ? b : a; }},
    {"v_min_i32", 2, [](u32 a, u32 b, u32) { return sx(a, 32) < sx(b, 32) ? a : b; }},
    {"v_max_i32", 2, [](u32 a, u32 b, u32) { return sx(a, 32) < sx(b, 32) ? b : a; }},
    {"v_med3_u32", 3,
     [](u32 a, u32 b, u32 c) {
       u32 x[3] = {a, b, c};
       std::sort(x, x + 3);
       return x[1];
     }},
    {"v_med3_i32", 3,
     [](u32 a, u32 b, u32 c) {
       i64 x[3] = {sx(a, 32), sx(b, 32), sx(c, 32)};
       std::sort(x, x + 3);
       return static_cast<u32>(x[1]);
     }},
    {"v_sad_u32", 3,
     [](u32 a, u32 b, u32 c) { return static_cast<u32>((a > b ? i64{a} - b : i64{b} - a) + c); }},
    {"v_sad_u16", 3,
     [](u32 a, u32 b, u32 c) {
       const i64 lo = i64{bits(a, 0, 16)} - bits(b, 0, 16), hi = i64{a >> 16} - (b >> 16);
       return static_cast<u32>((lo < 0 ? -lo : lo) + (hi < 0 ? -hi : hi) + c);
     }},
    {"v_sad_hi_u8", 3,
     [](u32 a, u32 b, u32 c) {
       i64 s = 0;
       for (int i = 0; i < 4; ++i) s += std::abs(i64{bits(a, 8 * i, 8)} - bits(b, 8 * i, 8));
       return static_cast<u32>(s * 65536 + c);
     }},
    {"v_msad_u8", 3,
     [](u32 a, u32 b, u32 c) {
       i64 s = c;
       for (int i = 0; i < 4; ++i) {
         const i64 y = bits(b, 8 * i, 8);
         if (y != 0) s += std::abs(i64{bits(a, 8 * i, 8)} - y);
       }
       return static_cast<u32>(s);
     }},
    {"v_bfrev_b32", 1,
     [](u32 a, u32, u32) {
       u32 r = 0;
       for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
       return r;
     }},
    {"v_clz_i32_u32", 1, [](u32 a, u32, u32) { return ref_ffbh(a); }},
    {"v_ctz_i32_b32", 1, [](u32 a, u32, u32) { return ref_ffbl(a); }},
    {"v_cls_i32", 1, [](u32 a, u32, u32) { return ref_cls(a); }},
    {"v_bcnt_u32_b32", 2,
     [](u32 a, u32 b, u32) {
       for (int i = 0; i < 32; ++i) b += a >> i & 1;
       return b;
     }},
    {"v_cvt_u32_u16", 1, [](u32 a, u32, u32) { return a % 65536; }},
    {"v_cvt_i32_i16", 1, [](u32 a, u32, u32) { return static_cast<u32>(sx(a, 16)); }},
};

TEST(ValuInt, ValuesUnderPartialExec) {
  const auto xs = interesting(96, 1);
  std::mt19937 rng(2);
  for (const Case& c : kCases) {
    Bench b;
    for (int round = 0; round < 300; ++round) {
      for (int r = 0; r < 3; ++r) {
        for (u32& x : b.v[r].v) x = xs[rng() % xs.size()];
      }
      b.w.s[kExec] = round % 3 ? static_cast<u32>(rng()) : ~0u;
      const Lanes old = b.v[4];
      Op op;
      op.ndst = 1;
      op.dst[0] = Bench::vgpr(4);
      op.nsrc = static_cast<uint8_t>(c.sources);
      op.clamp = c.clamp;
      u32 k = 0;
      for (int i = 0; i < c.sources; ++i) op.src[i] = Bench::vgpr(i);
      const bool uniform = c.sources == 3 && round % 2;  // the last source as a constant
      if (uniform) op.src[2] = b.constant(k = xs[rng() % xs.size()]);
      b.run(c.mnemonic, op);
      for (int l = 0; l < kLanes; ++l) {
        const u32 z = uniform ? k : b.v[2].v[l];
        const u32 want = b.w.exec() >> l & 1 ? c.f(b.v[0].v[l], b.v[1].v[l], z) : old.v[l];
        ASSERT_EQ(b.v[4].v[l], want) << c.mnemonic << std::hex << " " << b.v[0].v[l] << " "
                                     << b.v[1].v[l] << " " << z << " lane " << l;
      }
    }
  }
}

// Soundness of every rule above: flipping undefined bits of the sources must not change a half of
// the result that the handler calls defined.
TEST(ValuInt, DefinedHalvesDoNotDependOnUndefinedBits) {
  const auto xs = interesting(96, 3);
  std::mt19937 rng(4);
  for (const Case& c : kCases) {
    for (int round = 0; round < 200; ++round) {
      Bench b;
      Op op;
      op.ndst = 1;
      op.dst[0] = Bench::vgpr(4);
      op.nsrc = static_cast<uint8_t>(c.sources);
      op.clamp = c.clamp;
      for (int i = 0; i < c.sources; ++i) {
        op.src[i] = Bench::vgpr(i);
        for (u32& x : b.v[i].v) x = rng() % 2 ? xs[rng() % xs.size()] : rng() % 40;
        if (rng() % 2) b.lo[i] = static_cast<u32>(rng() | rng());
        if (rng() % 2) b.hi[i] = static_cast<u32>(rng() | rng());
      }
      Bench other = b;
      other.w.v = other.v;
      other.w.dlo = other.lo;
      other.w.dhi = other.hi;
      for (int i = 0; i < c.sources; ++i) {
        for (int l = 0; l < kLanes; ++l) {
          const u32 mask =
              ((b.lo[i] >> l & 1) ? 0 : 0xffffu) | ((b.hi[i] >> l & 1) ? 0 : 0xffff0000u);
          other.v[i].v[l] ^= static_cast<u32>(rng()) & mask;
        }
      }
      b.run(c.mnemonic, op);
      other.run(c.mnemonic, op);
      for (int l = 0; l < kLanes; ++l) {
        const u32 diff = b.v[4].v[l] ^ other.v[4].v[l];
        if (b.lo[4] >> l & 1)
          ASSERT_EQ(diff & 0xffffu, 0u) << c.mnemonic << " low half, lane " << l;
        if (b.hi[4] >> l & 1) ASSERT_EQ(diff >> 16, 0u) << c.mnemonic << " high half, lane " << l;
      }
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
TEST(ValuInt, RulesStayPrecise) {
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

// Clamped 16-bit sums, scalar and packed, at the ends of the ranges.
TEST(ValuInt, SixteenBitSumsSaturate) {
  struct Sum {
    const char* name;
    bool is_signed, minus;
  };
  const Sum sums[] = {{"v_add_nc_u16", false, false}, {"v_sub_nc_u16", false, true},
                      {"v_add_nc_i16", true, false},  {"v_sub_nc_i16", true, true},
                      {"v_pk_add_u16", false, false}, {"v_pk_sub_u16", false, true},
                      {"v_pk_add_i16", true, false},  {"v_pk_sub_i16", true, true}};
  std::mt19937 rng(15);
  for (const Sum& s : sums) {
    const bool packed = std::string_view(s.name).starts_with("v_pk");
    for (int round = 0; round < 100; ++round) {
      Bench b;
      for (int r = 0; r < 2; ++r) {
        for (u32& x : b.v[r].v) x = static_cast<u32>(rng());
      }
      const Lanes old = b.v[4];
      Op op;
      op.ndst = 1;
      op.dst[0] = Bench::vgpr(4);
      op.nsrc = 2;
      for (int i = 0; i < 2; ++i) op.src[i] = Bench::vgpr(i, packed ? kOpSel1 : 0);
      op.clamp = true;
      b.run(s.name, op);
      const auto sum = [&](u32 x, u32 y) {
        const i64 p = s.is_signed ? sx(x, 16) : i64{x}, q = s.is_signed ? sx(y, 16) : i64{y};
        const i64 low = s.is_signed ? -32768 : 0, high = s.is_signed ? 32767 : 65535;
        const i64 r = s.minus ? p - q : p + q;
        return static_cast<u32>(r < low ? low : r > high ? high : r) & 0xffffu;
      };
      for (int l = 0; l < kLanes; ++l) {
        const u32 x = b.v[0].v[l], y = b.v[1].v[l];
        const u32 hi = packed ? sum(x >> 16, y >> 16) : old.v[l] >> 16;
        ASSERT_EQ(b.v[4].v[l], sum(x & 0xffff, y & 0xffff) | hi << 16) << s.name;
      }
    }
  }
}

TEST(ValuInt, SixteenBitKeepsTheOtherHalf) {
  Bench b;
  std::mt19937 rng(5);
  for (int l = 0; l < kLanes; ++l) {
    for (int r = 0; r < 5; ++r) b.v[r].v[l] = static_cast<u32>(rng());
  }
  const Lanes old = b.v[4];
  b.lo[4] = 0;
  b.hi[4] = 0;
  b.run("v_add_nc_u16", {Bench::vgpr(4)}, {Bench::vgpr(0, kOpSel0), Bench::vgpr(1)});
  for (int l = 0; l < kLanes; ++l) {
    EXPECT_EQ(b.v[4].v[l],
              (old.v[l] & 0xffff0000u) | (((b.v[0].v[l] >> 16) + b.v[1].v[l]) & 0xffffu));
  }
  EXPECT_EQ(b.lo[4], ~0u);
  EXPECT_EQ(b.hi[4], 0u);
  b.v[4] = old;
  b.run("v_lshrrev_b16", {Bench::vgpr(4)}, {Bench::vgpr(0, kDstOpSel), Bench::vgpr(1)});
  for (int l = 0; l < kLanes; ++l) {
    EXPECT_EQ(b.v[4].v[l], (old.v[l] & 0xffffu) | ((b.v[1].v[l] & 0xffffu) >> (b.v[0].v[l] & 15))
                                                      << 16);
  }
}

TEST(ValuWide, CarryChain) {
  Bench b;
  std::mt19937_64 rng(6);
  const auto xs = interesting(64, 7);
  for (int round = 0; round < 200; ++round) {
    for (int r = 0; r < 4; ++r) {
      for (u32& x : b.v[r].v) x = rng() % 2 ? xs[rng() % 64] : static_cast<u32>(rng());
    }
    const u32 e = b.w.s[kExec] = round % 2 ? ~0u : static_cast<u32>(rng());
    b.w.s[kVcc] = 0xdeadbeef;
    b.run("v_add_co_u32", {Bench::vgpr(4), Bench::sgpr(kVcc)}, {Bench::vgpr(0), Bench::vgpr(2)});
    b.run("v_add_co_ci_u32", {Bench::vgpr(5), Bench::sgpr(kVcc)},
          {Bench::vgpr(1), Bench::vgpr(3), Bench::sgpr(kVcc)});
    b.run("v_sub_co_u32", {Bench::vgpr(6), Bench::sgpr(10)}, {Bench::vgpr(0), Bench::vgpr(2)});
    b.run("v_sub_co_ci_u32", {Bench::vgpr(7), Bench::sgpr(11)},
          {Bench::vgpr(1), Bench::vgpr(3), Bench::sgpr(10)});
    b.run("v_subrev_co_u32", {Bench::vgpr(8), Bench::sgpr(12)}, {Bench::vgpr(2), Bench::vgpr(0)});
    for (int l = 0; l < kLanes; ++l) {
      if (!(e >> l & 1)) {
        EXPECT_EQ(b.w.s[kVcc] >> l & 1, 0u);
        continue;
      }
      const u64 x = b.v[0].v[l] | u64{b.v[1].v[l]} << 32, y = b.v[2].v[l] | u64{b.v[3].v[l]} << 32;
      const u64 s = x + y, d = x - y;
      EXPECT_EQ(b.v[4].v[l] | u64{b.v[5].v[l]} << 32, s);
      EXPECT_EQ(b.w.s[kVcc] >> l & 1, u32{s < x});
      EXPECT_EQ(b.v[6].v[l] | u64{b.v[7].v[l]} << 32, d);
      EXPECT_EQ(b.w.s[11] >> l & 1, u32{x < y});
      EXPECT_EQ(b.v[8].v[l], b.v[6].v[l]);
      EXPECT_EQ(b.w.s[12] >> l & 1, b.w.s[10] >> l & 1);
    }
  }
}

TEST(ValuWide, CarryDefinedness) {
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

TEST(ValuWide, MultiplyAddAndShifts) {
  Bench b;
  std::mt19937_64 rng(8);
  for (int round = 0; round < 200; ++round) {
    for (int r = 0; r < 4; ++r) {
      for (u32& x : b.v[r].v) x = static_cast<u32>(rng());
    }
    b.run("v_mad_u64_u32", {Bench::vgpr(6, 0, 2), Bench::sgpr(20)},
          {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2, 0, 2)});
    b.run("v_mad_i64_i32", {Bench::vgpr(8, 0, 2), Bench::sgpr(kNull)},
          {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2, 0, 2)});
    b.run("v_lshlrev_b64", {Bench::vgpr(10, 0, 2)}, {Bench::vgpr(0), Bench::vgpr(2, 0, 2)});
    b.run("v_lshrrev_b64", {Bench::vgpr(12, 0, 2)}, {Bench::vgpr(0), Bench::vgpr(2, 0, 2)});
    b.run("v_ashrrev_i64", {Bench::vgpr(14, 0, 2)}, {Bench::vgpr(0), Bench::vgpr(2, 0, 2)});
    const auto out = [&](int r, int l) { return b.v[r].v[l] | u64{b.v[r + 1].v[l]} << 32; };
    for (int l = 0; l < kLanes; ++l) {
      const u64 z = out(2, l);
      const u32 x = b.v[0].v[l], y = b.v[1].v[l];
      const unsigned __int128 full = static_cast<unsigned __int128>(u64{x} * y) + z;
      EXPECT_EQ(out(6, l), static_cast<u64>(full));
      EXPECT_EQ(b.w.s[20] >> l & 1, static_cast<u32>(full >> 64));
      EXPECT_EQ(out(8, l), static_cast<u64>(sx(x, 32) * sx(y, 32)) + z);
      EXPECT_EQ(out(10, l), z << (x % 64));
      EXPECT_EQ(out(12, l), z >> (x % 64));
      EXPECT_EQ(out(14, l), static_cast<u64>(static_cast<i64>(z) >> (x % 64)));
    }
  }
}

TEST(ValuWide, CndmaskTakesTheChosenSide) {
  Bench b;
  for (int l = 0; l < kLanes; ++l) {
    b.v[0].v[l] = 100;
    b.v[1].v[l] = 200;
  }
  b.w.s[kVcc] = 0xff00ff00;
  b.lo[0] = b.hi[0] = 0;  // src0 undefined everywhere
  b.run("v_cndmask_b32", {Bench::vgpr(4)},
        {Bench::vgpr(0), Bench::vgpr(1, kNeg), Bench::sgpr(kVcc)});
  EXPECT_EQ(b.v[4].v[0], 100u);
  EXPECT_EQ(b.v[4].v[8], 200u | 0x80000000u);
  EXPECT_EQ(b.lo[4], 0xff00ff00u);
  b.w.sdef[kVcc] = ~0x100u;
  b.run("v_cndmask_b32", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1), Bench::sgpr(kVcc)});
  EXPECT_EQ(b.hi[4], 0xff00fe00u);
}

TEST(ValuLane, ReadAndWriteLanes) {
  Bench b;
  for (int l = 0; l < kLanes; ++l) b.v[0].v[l] = 1000 + l;
  b.w.s[kExec] = 0xfffffff0;
  b.lo[0] = ~0x10u;
  b.run("v_readfirstlane_b32", {Bench::sgpr(5)}, {Bench::vgpr(0)});
  EXPECT_EQ(b.w.s[5], 1004u);
  EXPECT_EQ(b.w.sdef[5], 0xffff0000u);
  b.w.s[6] = 33;  // lane numbers wrap
  b.run("v_readlane_b32", {Bench::sgpr(5)}, {Bench::vgpr(0), Bench::sgpr(6)});
  EXPECT_EQ(b.w.s[5], 1001u);
  EXPECT_EQ(b.w.sdef[5], ~0u);
  b.w.s[7] = 77;
  b.lo[4] = b.hi[4] = 0;
  b.run("v_writelane_b32", {Bench::vgpr(4)}, {Bench::sgpr(7), b.constant(3)});
  EXPECT_EQ(b.v[4].v[3], 77u);
  EXPECT_EQ(b.lo[4], 8u);
  b.w.s[kExec] = 0;
  b.run("v_readfirstlane_b32", {Bench::sgpr(5)}, {Bench::vgpr(0)});
  EXPECT_EQ(b.w.s[5], 1000u);
}

TEST(ValuLane, Permlanex16) {
  Bench b;
  for (int l = 0; l < kLanes; ++l) {
    b.v[0].v[l] = 1000 + l;
    b.v[4].v[l] = 7;
  }
  b.w.s[2] = 0x76543210;
  b.w.s[3] = 0xfedcba98;
  b.run("v_permlanex16_b32", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::sgpr(2), Bench::sgpr(3)});
  for (int l = 0; l < kLanes; ++l) EXPECT_EQ(b.v[4].v[l], 1000u + (l ^ 16));
  // Inactive source lanes: old value, zero with bound_ctrl, their value with fi.
  b.w.s[kExec] = 0x0000ffff;
  for (u32& x : b.v[4].v) x = 7;
  b.run("v_permlanex16_b32", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::sgpr(2), Bench::sgpr(3)});
  EXPECT_EQ(b.v[4].v[3], 7u);
  Operand zero = Bench::sgpr(2);
  zero.mods = kOpSel0;
  b.run("v_permlanex16_b32", {Bench::vgpr(4)}, {Bench::vgpr(0), zero, Bench::sgpr(3)});
  EXPECT_EQ(b.v[4].v[3], 0u);
  b.lo[0] = ~(1u << 19);
  b.run("v_permlanex16_b32", {Bench::vgpr(4)}, {Bench::vgpr(0, kOpSel0), zero, Bench::sgpr(3)});
  EXPECT_EQ(b.v[4].v[3], 1019u);
  EXPECT_EQ(b.lo[4], ~8u);
}

TEST(ValuLane, Mbcnt) {
  Bench b;
  b.w.s[4] = 0xf0f0f0f0;
  b.run("v_mbcnt_lo_u32_b32", {Bench::vgpr(4)}, {Bench::sgpr(4), b.constant(10)});
  EXPECT_EQ(b.v[4].v[0], 10u);
  EXPECT_EQ(b.v[4].v[6], 12u);
  EXPECT_EQ(b.v[4].v[31], 10u + 15u);
  b.run("v_mbcnt_hi_u32_b32", {Bench::vgpr(5)}, {Bench::sgpr(4), Bench::vgpr(4)});
  EXPECT_EQ(b.v[5].v[31], 25u);
  b.w.sdef[4] = 0xff;  // lanes 0-8 need bits 0-7 only
  b.run("v_mbcnt_lo_u32_b32", {Bench::vgpr(4)}, {Bench::sgpr(4), b.constant(0)});
  EXPECT_EQ(b.lo[4], 0x1ffu);
}

TEST(ValuLane, SwapAndRelativeMoves) {
  Bench b;
  for (int l = 0; l < kLanes; ++l) {
    b.v[1].v[l] = 10;
    b.v[2].v[l] = 20;
  }
  b.lo[1] = 0;
  b.w.s[kExec] = 1;
  b.run("v_swap_b32", {Bench::vgpr(1), Bench::vgpr(2)}, {});
  EXPECT_EQ(b.v[1].v[0], 20u);
  EXPECT_EQ(b.v[2].v[0], 10u);
  EXPECT_EQ(b.v[2].v[1], 20u);
  EXPECT_EQ(b.lo[1], 1u);
  EXPECT_EQ(b.lo[2], ~1u);
  b.w.s[kM0] = 1;
  b.run("v_movrels_b32", {Bench::vgpr(5)}, {Bench::vgpr(1)});
  EXPECT_EQ(b.v[5].v[0], 10u);
  b.run("v_movreld_b32", {Bench::vgpr(5)}, {Bench::vgpr(1)});
  EXPECT_EQ(b.v[6].v[0], 20u);
  b.w.s[kM0] = kRegs;  // outside the allocation: never a wild access
  b.run("v_movrels_b32", {Bench::vgpr(5)}, {Bench::vgpr(1)});
  EXPECT_EQ(reports().unsupported.size(), 1u);
}

TEST(Dpp, Sources) {
  EXPECT_EQ(dpp_source(0xb1, 0), 1);  // quad_perm:[1,0,3,2]
  EXPECT_EQ(dpp_source(0xb1, 31), 30);
  EXPECT_EQ(dpp_source(0x101, 0), 1);  // row_shl:1
  EXPECT_EQ(dpp_source(0x101, 15), -1);
  EXPECT_EQ(dpp_source(0x118, 24), 16);  // row_shr:8
  EXPECT_EQ(dpp_source(0x118, 23), -1);
  EXPECT_EQ(dpp_source(0x121, 16), 31);  // row_ror:1
  EXPECT_EQ(dpp_source(0x140, 17), 30);  // row_mirror
  EXPECT_EQ(dpp_source(0x141, 17), 22);  // row_half_mirror
  EXPECT_EQ(dpp_source(0x15f, 3), 15);   // row_share:15
  EXPECT_EQ(dpp_source(0x161, 4), 5);    // row_xmask:1
  EXPECT_EQ(dpp_source(0x130, 4), -2);   // wave_shl: gone since gfx10
  EXPECT_EQ(dpp8_source(0x00fac688u, 9), 8 + 1);
}

}  // namespace
}  // namespace w4::rdna::test
