// VOP3P: packed 16-bit arithmetic half by half, the mixed fused multiply-adds, v_pack.
#include <cmath>

#include "tests/rdna/isa/float_references.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using i32 = int32_t;

i32 s16(u32 x) { return static_cast<int16_t>(x); }
i32 within(i32 x, i32 low, i32 high) { return x < low ? low : x > high ? high : x; }

// A half of a packed source: op_sel chooses it, neg_lo and neg_hi negate.
u32 chosen(u32 word, uint8_t mods, bool high_result) {
  const bool high = mods & (high_result ? kOpSel1 : kOpSel0);
  return word >> (high ? 16 : 0) & 0xffff;
}

struct IntRow {
  const char* mnemonic;
  int sources;
  u32 (*f)(u32 a, u32 b, u32 c);
  bool clamp = false;
};
const IntRow kInts[] = {
    {"v_pk_add_u16", 2, [](u32 a, u32 b, u32) { return a + b; }},
    {"v_pk_add_i16", 2, [](u32 a, u32 b, u32) { return a + b; }},
    {"v_pk_sub_u16", 2, [](u32 a, u32 b, u32) { return a - b; }},
    {"v_pk_sub_i16", 2, [](u32 a, u32 b, u32) { return a - b; }},
    {"v_pk_add_u16", 2, [](u32 a, u32 b, u32) { return a + b > 65535 ? 65535 : a + b; }, true},
    {"v_pk_sub_u16", 2, [](u32 a, u32 b, u32) { return a < b ? 0 : a - b; }, true},
    {"v_pk_add_i16", 2,
     [](u32 a, u32 b, u32) { return static_cast<u32>(within(s16(a) + s16(b), -32768, 32767)); },
     true},
    {"v_pk_sub_i16", 2,
     [](u32 a, u32 b, u32) { return static_cast<u32>(within(s16(a) - s16(b), -32768, 32767)); },
     true},
    {"v_pk_mul_lo_u16", 2, [](u32 a, u32 b, u32) { return a * b; }},
    {"v_pk_mad_u16", 3, [](u32 a, u32 b, u32 c) { return a * b + c; }},
    {"v_pk_mad_i16", 3, [](u32 a, u32 b, u32 c) { return static_cast<u32>(s16(a) * s16(b)) + c; }},
    {"v_pk_lshlrev_b16", 2, [](u32 a, u32 b, u32) { return b << (a % 16); }},
    {"v_pk_lshrrev_b16", 2, [](u32 a, u32 b, u32) { return b >> (a % 16); }},
    {"v_pk_ashrrev_i16", 2, [](u32 a, u32 b, u32) { return static_cast<u32>(s16(b) >> (a % 16)); }},
    {"v_pk_min_u16", 2, [](u32 a, u32 b, u32) { return a < b ? a : b; }},
    {"v_pk_max_u16", 2, [](u32 a, u32 b, u32) { return a < b ? b : a; }},
    {"v_pk_min_i16", 2, [](u32 a, u32 b, u32) { return s16(a) < s16(b) ? a : b; }},
    {"v_pk_max_i16", 2, [](u32 a, u32 b, u32) { return s16(a) < s16(b) ? b : a; }},
};

// Bits that meet the ends of the types in both halves.
u32 pair_of_halves(std::mt19937_64& rng) {
  static const u32 edges[] = {0, 1, 0x7fff, 0x8000, 0xffff, 0x3c00, 0x7c00, 0x7e00, 0x7d00, 0x03ff};
  const auto half = [&] {
    return rng() % 3 ? static_cast<u32>(rng()) & 0xffff : edges[rng() % std::size(edges)];
  };
  return half() | half() << 16;
}

void fill(Bench& b, std::mt19937_64& rng, int rows) {
  for (int r = 0; r < rows; ++r) {
    for (u32& x : b.v[r].v) x = pair_of_halves(rng);
  }
}

TEST(VOP3P, PackedIntegersEqualTheirReference) {
  std::mt19937_64 rng(13);
  for (const IntRow& r : kInts) {
    for (int round = 0; round < 200; ++round) {
      Bench b;
      fill(b, rng, 5);
      const Lanes old = b.v[4];
      b.w.s[kExec] = round % 3 ? ~0u : static_cast<u32>(rng());
      Op op;
      op.ndst = 1;
      op.dst[0] = Bench::vgpr(4);
      op.clamp = r.clamp;
      for (int i = 0; i < r.sources; ++i) {
        const auto m = static_cast<uint8_t>(round % 2 ? rng() & (kOpSel0 | kOpSel1) : kOpSel1);
        op.src[op.nsrc++] = Bench::vgpr(i, m);
      }
      b.run(r.mnemonic, op);
      for (int l = 0; l < kLanes; ++l) {
        u32 want = 0;
        for (int h = 0; h < 2; ++h) {
          u32 x[3];
          for (int i = 0; i < 3; ++i) x[i] = chosen(b.v[i].v[l], op.src[i].mods, h);
          want |= (r.f(x[0], x[1], x[2]) & 0xffff) << (16 * h);
        }
        if (!(b.w.exec() >> l & 1)) want = old.v[l];
        ASSERT_TRUE(result_is(r.mnemonic, b.v[4].v[l], want)) << (r.clamp ? "clamp" : "");
      }
    }
  }
}

TEST(VOP3P, PackedFloatsEqualTheirReference) {
  std::mt19937_64 rng(14);
  for (const Reference& r : arithmetic("v_pk_")) {
    for (int round = 0; round < 400; ++round) {
      Bench b;
      fill(b, rng, 5);
      const bool vary = round % 2;
      if (vary) b.w.denorm16_64 = rng() & 3;
      if (vary) b.w.ieee = rng() & 1;
      if (vary) b.w.dx10_clamp = rng() & 1;
      Op op;
      op.ndst = 1;
      op.dst[0] = Bench::vgpr(4);
      op.clamp = vary && rng() % 3 == 0;
      for (int i = 0; i < r.sources(); ++i)
        op.src[op.nsrc++] = Bench::vgpr(i, static_cast<uint8_t>(vary ? rng() & 15 : kOpSel1));
      b.run(r.mnemonic, op);
      for (int l = 0; l < kLanes; ++l) {
        for (int h = 0; h < 2; ++h) {
          In in[3];
          for (int i = 0; i < r.sources(); ++i) {
            u32 x = chosen(b.v[i].v[l], op.src[i].mods, h);
            if (op.src[i].mods & (h ? kNegHi : kNeg)) x ^= 0x8000;
            if (!(b.w.denorm16_64 & 1) && is_denormal(Kind::f16, x)) x &= 0x8000;
            in[i] = {x, value_of(Kind::f16, x)};
          }
          double want = (r.f_ieee && b.w.ieee ? r.f_ieee : r.f)(in[0], in[1], in[2]).x;
          if (op.clamp) {
            want = want != want ? (b.w.dx10_clamp ? 0.0 : want)
                                : std::fmin(std::fmax(want, 0.0), 1.0) + 0.0;
          }
          u32 bits = static_cast<u32>(bits_of_value(Kind::f16, want));
          if (!(b.w.denorm16_64 & 2) && is_denormal(Kind::f16, bits)) bits &= 0x8000;
          const u32 got = b.v[4].v[l] >> (16 * h) & 0xffff;
          if (want != want && is_nan(Kind::f16, got)) continue;
          ASSERT_TRUE(result_is(r.mnemonic, got, bits))
              << std::hex << in[0].bits << " " << in[1].bits << " " << in[2].bits << " clamp "
              << op.clamp << " ieee " << b.w.ieee << " denorm " << int{b.w.denorm16_64};
        }
      }
    }
  }
}

// v_fma_mix: the sources of each lane are fp32 or a chosen fp16 half; neg and abs as in VOP3.
void check_mix(const char* mnemonic, Kind out, int shift) {
  std::mt19937_64 rng(12);
  for (int round = 0; round < 1500; ++round) {
    Bench b;
    fill(b, rng, 5);
    for (int r = 0; r < 3; ++r) {  // fp32 sources in fp16's range, with all bits in use
      for (u32& x : b.v[r].v) {
        if (round % 2) x = (x & 0x807fffff) | (115 + (x >> 24) % 24) << 23;
      }
    }
    if (round % 3 == 0) b.w.denorm32 = rng() & 3;
    if (round % 3 == 0) b.w.denorm16_64 = rng() & 3;
    b.w.dx10_clamp = round % 5 != 0;
    Op op;
    op.ndst = 1;
    op.dst[0] = Bench::vgpr(4);
    op.nsrc = 3;
    op.clamp = round % 4 == 3;
    for (int i = 0; i < 3; ++i) op.src[i] = Bench::vgpr(i, rng() & 15);
    const Lanes old = b.v[4];
    b.run(mnemonic, op);
    for (int l = 0; l < kLanes; ++l) {
      double x[3];
      for (int i = 0; i < 3; ++i) {
        const uint8_t m = op.src[i].mods;
        const Kind k = m & kOpSel1 ? Kind::f16 : Kind::f32;
        const u32 raw = b.v[i].v[l];
        u32 bits = k == Kind::f16 ? raw >> (m & kOpSel0 ? 16 : 0) & 0xffff : raw;
        const u32 sign = k == Kind::f16 ? 0x8000u : 0x80000000u;
        if (m & kAbs) bits &= ~sign;
        if (m & kNeg) bits ^= sign;
        const bool keep = (k == Kind::f16 ? b.w.denorm16_64 : b.w.denorm32) & 1;
        if (!keep && is_denormal(k, bits)) bits &= sign;
        x[i] = value_of(k, bits);
      }
      double want = exact(out, mpfr_fma, x[0], x[1], x[2]);
      if (op.clamp) {
        want = want != want ? (b.w.dx10_clamp ? 0.0 : want)
                            : std::fmin(std::fmax(want, 0.0), 1.0) + 0.0;
      }
      u32 bits = static_cast<u32>(bits_of_value(out, want));
      const bool keep = (out == Kind::f16 ? b.w.denorm16_64 : b.w.denorm32) & 2;
      if (!keep && is_denormal(out, bits)) bits &= out == Kind::f16 ? 0x8000u : 0x80000000u;
      const u32 mask = (out == Kind::f16 ? 0xffffu : ~0u) << shift;
      const u32 got = (b.v[4].v[l] & mask) >> shift;
      ASSERT_EQ(b.v[4].v[l] & ~mask, old.v[l] & ~mask) << mnemonic;
      if (want != want && is_nan(out, got)) continue;
      ASSERT_TRUE(result_is(mnemonic, got, bits)) << x[0] << " " << x[1] << " " << x[2] << " clamp "
                                                  << op.clamp << " dx10 " << b.w.dx10_clamp;
    }
  }
}
TEST(VOP3P, MixedFmaEqualsItsReference) {
  check_mix("v_fma_mix_f32", Kind::f32, 0);
  check_mix("v_fma_mixlo_f16", Kind::f16, 0);
  check_mix("v_fma_mixhi_f16", Kind::f16, 16);
}

TEST(VOP3P, MixedFmaReadsOnlyTheChosenHalf) {
  Bench b;
  b.lo[0] = 0;
  b.run("v_fma_mixlo_f16", {Bench::vgpr(4)},
        {Bench::vgpr(0, kOpSel1 | kOpSel0), Bench::vgpr(1, kOpSel1), Bench::vgpr(2)});
  EXPECT_EQ(b.lo[4], ~0u);
  b.run("v_fma_mixlo_f16", {Bench::vgpr(4)},
        {Bench::vgpr(0, kOpSel1), Bench::vgpr(1, kOpSel1), Bench::vgpr(2)});
  EXPECT_EQ(b.lo[4], 0u);
  EXPECT_EQ(b.hi[4], ~0u);
}

TEST(VOP3P, DefinednessPerHalf) {
  Bench b;
  b.lo[0] = 0;
  b.run("v_pk_add_f16", {Bench::vgpr(4)}, {Bench::vgpr(0, kOpSel1), Bench::vgpr(1, kOpSel1)});
  EXPECT_EQ(b.lo[4], 0u);
  EXPECT_EQ(b.hi[4], ~0u);
  b.run("v_pk_add_f16", {Bench::vgpr(4)},
        {Bench::vgpr(0, kOpSel0 | kOpSel1), Bench::vgpr(1, kOpSel1)});
  EXPECT_EQ(b.lo[4] & b.hi[4], ~0u);
}

TEST(VOP3, PackPutsTwoHalvesSideBySide) {
  std::mt19937_64 rng(15);
  for (int round = 0; round < 200; ++round) {
    Bench b;
    fill(b, rng, 2);
    uint8_t m[2];
    for (uint8_t& x : m) x = rng() & (kNeg | kAbs | kOpSel0);
    b.run("v_pack_b32_f16", {Bench::vgpr(4)}, {Bench::vgpr(0, m[0]), Bench::vgpr(1, m[1])});
    for (int l = 0; l < kLanes; ++l) {
      u32 want = 0;
      for (int i = 0; i < 2; ++i) {
        u32 h = b.v[i].v[l] >> (m[i] & kOpSel0 ? 16 : 0) & 0xffff;
        if (m[i] & kAbs) h &= 0x7fff;
        if (m[i] & kNeg) h ^= 0x8000;
        want |= h << (16 * i);
      }
      ASSERT_TRUE(result_is("v_pack_b32_f16", b.v[4].v[l], want));
    }
  }
  Bench b;
  b.lo[0] = 0;
  b.run("v_pack_b32_f16", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_EQ(b.lo[4], 0u);
  EXPECT_EQ(b.hi[4], ~0u);
}

}  // namespace
}  // namespace w4::rdna::test
