// Float, packed, mixed, conversion and compare instructions against exact scalar references.
#include <algorithm>
#include <bit>
#include <functional>

#include "tests/rdna/isa/float_reference.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

double v32(u32 x) { return std::bit_cast<float>(x); }
u32 b32(float x) { return std::bit_cast<u32>(x); }

// All 2^16 inputs of a unary fp16 instruction, in the low half with a marker above.
void exhaustive16(const char* m, const std::function<double(double)>& f) {
  Bench b;
  for (u32 base = 0; base < 65536; base += kLanes) {
    for (u32 l = 0; l < kLanes; ++l) {
      b.v[0].v[l] = (base + l) | 0x12340000u;
      b.v[4].v[l] = 0xbeef0000u;
    }
    b.run(m, {Bench::vgpr(4)}, {Bench::vgpr(0)});
    for (u32 l = 0; l < kLanes; ++l) {
      ASSERT_EQ(b.v[4].v[l] >> 16, 0xbeefu) << m;
      ASSERT_TRUE(same_value(value16(b.v[4].v[l] & 0xffff), f(value16(base + l))))
          << m << std::hex << " " << base + l << " gives " << b.v[4].v[l];
    }
  }
}

TEST(F16, UnaryExhaustive) {
  exhaustive16("v_floor_f16", [](double x) { return std::floor(x); });
  exhaustive16("v_ceil_f16", [](double x) { return std::ceil(x); });
  exhaustive16("v_trunc_f16", [](double x) { return std::trunc(x); });
  exhaustive16("v_rndne_f16", [](double x) { return std::nearbyint(x); });
  exhaustive16("v_rcp_f16", [](double x) { return round16(1 / static_cast<Quad>(x)); });
  exhaustive16("v_sqrt_f16", [](double x) { return round16(std::sqrt(x)); });
  exhaustive16("v_rsq_f16", [](double x) { return round16(1 / std::sqrt(x)); });
  exhaustive16("v_exp_f16", [](double x) { return round16(std::exp2(x)); });
  exhaustive16("v_log_f16", [](double x) { return round16(std::log2(x)); });
  exhaustive16("v_fract_f16", [](double x) {
    return std::isfinite(x) ? std::min(round16(x - std::floor(x)), 0x1.ffcp-1) : NAN;
  });
}

TEST(Convert, F16ToAllExhaustive) {
  Bench b;
  for (u32 base = 0; base < 65536; base += kLanes) {
    for (u32 l = 0; l < kLanes; ++l) b.v[0].v[l] = (base + l) << 16 | 0x5555u;
    b.run("v_cvt_f32_f16", {Bench::vgpr(4)}, {Bench::vgpr(0, kOpSel0)});
    b.run("v_cvt_u16_f16", {Bench::vgpr(5)}, {Bench::vgpr(0, kOpSel0)});
    b.run("v_cvt_i16_f16", {Bench::vgpr(6)}, {Bench::vgpr(0, kOpSel0)});
    b.run("v_cvt_f16_u16", {Bench::vgpr(7)}, {Bench::vgpr(0, kOpSel0)});
    b.run("v_cvt_f16_i16", {Bench::vgpr(8)}, {Bench::vgpr(0, kOpSel0)});
    for (u32 l = 0; l < kLanes; ++l) {
      const u32 h = base + l;
      const double x = value16(h);
      ASSERT_TRUE(same_value(v32(b.v[4].v[l]), x)) << std::hex << h;
      const auto sat = [&](double lo, double hi) {
        return x != x ? 0. : std::clamp(std::trunc(x), lo, hi);
      };
      ASSERT_EQ(b.v[5].v[l] & 0xffff, static_cast<u32>(sat(0, 65535))) << std::hex << h;
      ASSERT_EQ(static_cast<int16_t>(b.v[6].v[l]), static_cast<int>(sat(-32768, 32767)));
      ASSERT_TRUE(same_value(value16(b.v[7].v[l] & 0xffff), round16(h))) << h;
      ASSERT_TRUE(same_value(value16(b.v[8].v[l] & 0xffff), round16(static_cast<int16_t>(h))));
    }
  }
}

// Halves with close exponents meet ties and double roundings; random bits meet the ends.
u32 half(std::mt19937& rng) {
  const u32 r = static_cast<u32>(rng());
  switch (r >> 16 & 3) {
    case 0:
      return r & 0xffff;
    case 1:
      return (r & 0x83ff) | (12 + (r >> 18 & 7)) << 10;
    case 2:
      return (r & 0x8003) | (r >> 18 & 31) << 10;
    default:
      return (r & 0x8000) | (0x3ff ^ (r & 1)) | (r >> 20 & 31) << 10;
  }
}
u32 word(std::mt19937& rng) {
  const u32 r = static_cast<u32>(rng());
  switch (rng() & 3) {
    case 0:
      return r;
    case 1:
      return (r & 0x807fffff) | (120 + (r >> 23 & 15)) << 23;
    case 2:
      return (r & 0x80000007) | (r >> 8 & 255) << 23;
    default:
      return r & 0x80ffffff;
  }
}

using F3 = std::function<double(Quad, Quad, Quad)>;
double min_ref(Quad a, Quad b) {
  if (a != a) return static_cast<double>(b);
  if (b != b) return static_cast<double>(a);
  if (a == 0 && b == 0) return std::signbit(static_cast<double>(a)) ? -0.0 : static_cast<double>(b);
  return static_cast<double>(a < b ? a : b);
}
double max_ref(Quad a, Quad b) { return -min_ref(-a, -b); }

void binary(const char* m, bool f16, int n, bool packed, const F3& f) {
  std::mt19937 rng(11);
  Bench b;
  for (int round = 0; round < 3000; ++round) {
    for (int r = 0; r < 3; ++r) {
      for (u32& x : b.v[r].v) x = f16 ? half(rng) | half(rng) << 16 : word(rng);
    }
    Op op;
    op.ndst = 1;
    op.dst[0] = Bench::vgpr(4);
    op.nsrc = static_cast<uint8_t>(n);
    uint8_t mods[3];
    for (int i = 0; i < 3; ++i) {
      mods[i] = static_cast<uint8_t>(packed ? (round % 4 ? kOpSel1 : rng() & 15)
                                            : (rng() & (round % 2 ? 3 : 0)));
      op.src[i] = Bench::vgpr(i, mods[i]);
    }
    b.run(m, op);
    for (int l = 0; l < kLanes; ++l) {
      for (int part = 0; part < (packed ? 2 : 1); ++part) {
        double x[3];
        for (int i = 0; i < 3; ++i) {
          const u32 raw = b.v[i].v[l];
          if (packed) {
            const bool high = mods[i] & (part ? kOpSel1 : kOpSel0);
            x[i] = value16(raw >> (high ? 16 : 0) & 0xffff);
            if (mods[i] & (part ? kNegHi : kNeg)) x[i] = -x[i];
          } else {
            x[i] = f16 ? value16(raw & 0xffff) : v32(raw);
            if (mods[i] & kAbs) x[i] = std::fabs(x[i]);
            if (mods[i] & kNeg) x[i] = -x[i];
          }
        }
        double want = f(x[0], x[1], x[2]);
        const u32 out = b.v[4].v[l];
        const double got = f16 ? value16(out >> (16 * part) & 0xffff) : v32(out);
        ASSERT_TRUE(same_value(got, want))
            << m << " " << x[0] << " " << x[1] << " " << x[2] << " got " << got << " want " << want
            << " lane " << l << " part " << part;
      }
    }
  }
}

// The sign of an exact zero sum of 0s is IEEE's; Quad follows it.
TEST(F16, OneRounding) {
  for (const bool packed : {false, true}) {
    const auto name = [&](const char* s, const char* p) { return packed ? p : s; };
    binary(name("v_add_f16", "v_pk_add_f16"), true, 2, packed,
           [](Quad a, Quad b, Quad) { return round16(a + b); });
    binary(name("v_mul_f16", "v_pk_mul_f16"), true, 2, packed,
           [](Quad a, Quad b, Quad) { return round16(a * b); });
    binary(name("v_fma_f16", "v_pk_fma_f16"), true, 3, packed,
           [](Quad a, Quad b, Quad c) { return round16(a * b + c); });
    binary(name("v_min_f16", "v_pk_min_f16"), true, 2, packed,
           [](Quad a, Quad b, Quad) { return min_ref(a, b); });
    binary(name("v_max_f16", "v_pk_max_f16"), true, 2, packed,
           [](Quad a, Quad b, Quad) { return max_ref(a, b); });
  }
  binary("v_sub_f16", true, 2, false, [](Quad a, Quad b, Quad) { return round16(a - b); });
  binary("v_subrev_f16", true, 2, false, [](Quad a, Quad b, Quad) { return round16(b - a); });
}

TEST(F32, OneRounding) {
  binary("v_add_f32", false, 2, false, [](Quad a, Quad b, Quad) {
    return static_cast<double>(static_cast<float>(static_cast<double>(a) + static_cast<double>(b)));
  });
  binary("v_mul_f32", false, 2, false, [](Quad a, Quad b, Quad) { return round32(a * b); });
  binary("v_subrev_f32", false, 2, false, [](Quad a, Quad b, Quad) {
    return static_cast<double>(static_cast<float>(b) - static_cast<float>(a));
  });
  binary("v_fma_f32", false, 3, false, [](Quad a, Quad b, Quad c) -> double {
    // 113 bits hold the sum only where the exponents are near; elsewhere trust the C library.
    return std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
  });
  binary("v_min_f32", false, 2, false, [](Quad a, Quad b, Quad) { return min_ref(a, b); });
  binary("v_max_num_f32", false, 2, false, [](Quad a, Quad b, Quad) { return max_ref(a, b); });
  binary("v_minimum_f32", false, 2, false,
         [](Quad a, Quad b, Quad) { return a != a || b != b ? NAN : min_ref(a, b); });
  binary("v_max3_f32", false, 3, false,
         [](Quad a, Quad b, Quad c) { return max_ref(max_ref(a, b), c); });
  binary("v_med3_f32", false, 3, false, [](Quad a, Quad b, Quad c) {
    if (a != a || b != b || c != c) return min_ref(min_ref(a, b), c);
    double x[3] = {static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)};
    std::sort(x, x + 3, [](double p, double q) {
      return p < q || (p == q && std::signbit(p) && !std::signbit(q));
    });
    return x[1];
  });
}

TEST(F32, FmacAddsToTheDestination) {
  Bench b;
  for (int l = 0; l < kLanes; ++l) {
    b.v[0].v[l] = b32(static_cast<float>(l));
    b.v[1].v[l] = b32(0.5f);
    b.v[4].v[l] = b32(100.f);
  }
  b.lo[4] = 0xfff0;
  b.w.s[kExec] = 0xffff;
  b.run("v_fmac_f32", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_EQ(v32(b.v[4].v[7]), 103.5);
  EXPECT_EQ(v32(b.v[4].v[17]), 100);
  EXPECT_EQ(b.hi[4] & 0xffffu, 0xfff0u);
}

// v_fma_mix: the sources of each lane are fp32 or a chosen fp16 half.
TEST(Mix, OneRounding) {
  std::mt19937 rng(12);
  Bench b;
  for (int round = 0; round < 3000; ++round) {
    for (int r = 0; r < 3; ++r) {
      for (u32& x : b.v[r].v) {
        x = half(rng) | half(rng) << 16;
        // fp32 sources in fp16's range, with all bits in use.
        if (round % 2) x = (x & 0x807fffff) | (115 + (x >> 24) % 24) << 23;
      }
    }
    Op op;
    op.ndst = 1;
    op.dst[0] = Bench::vgpr(4);
    op.nsrc = 3;
    uint8_t mods[3];
    for (int i = 0; i < 3; ++i) op.src[i] = Bench::vgpr(i, mods[i] = rng() & 15);
    const Lanes old = b.v[4];
    b.run("v_fma_mixlo_f16", op);
    const Lanes lo = b.v[4];
    b.run("v_fma_mixhi_f16", op);
    const Lanes both = b.v[4];
    b.run("v_fma_mix_f32", op);
    for (int l = 0; l < kLanes; ++l) {
      double x[3];
      for (int i = 0; i < 3; ++i) {
        const u32 raw = b.v[i].v[l];
        x[i] = mods[i] & kOpSel1 ? value16(raw >> (mods[i] & kOpSel0 ? 16 : 0) & 0xffff) : v32(raw);
        if (mods[i] & kAbs) x[i] = std::fabs(x[i]);
        if (mods[i] & kNeg) x[i] = -x[i];
      }
      const double f =
          std::fma(static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2]));
      ASSERT_TRUE(same_value(v32(b.v[4].v[l]), f));
      ASSERT_EQ(lo.v[l] >> 16, old.v[l] >> 16);
      ASSERT_EQ(both.v[l] & 0xffff, lo.v[l] & 0xffff);
      ASSERT_EQ(both.v[l] >> 16, lo.v[l] & 0xffff);
      const Quad p = static_cast<Quad>(x[0]) * x[1];
      const double spread =
          std::fabs(std::log2(std::fabs(static_cast<double>(p))) - std::log2(std::fabs(x[2])));
      if (spread > 60) continue;  // outside what Quad holds exactly
      ASSERT_TRUE(same_value(value16(lo.v[l] & 0xffff), round16(p + x[2])))
          << x[0] << " " << x[1] << " " << x[2];
    }
  }
}

TEST(Mix, ReadsOnlyTheChosenHalf) {
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

TEST(Packed, DefinednessPerHalf) {
  Bench b;
  b.lo[0] = 0;
  b.run("v_pk_add_f16", {Bench::vgpr(4)}, {Bench::vgpr(0, kOpSel1), Bench::vgpr(1, kOpSel1)});
  EXPECT_EQ(b.lo[4], 0u);
  EXPECT_EQ(b.hi[4], ~0u);
  b.run("v_pk_add_f16", {Bench::vgpr(4)},
        {Bench::vgpr(0, kOpSel0 | kOpSel1), Bench::vgpr(1, kOpSel1)});
  EXPECT_EQ(b.lo[4] & b.hi[4], ~0u);
  b.run("v_pack_b32_f16", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_EQ(b.lo[4], 0u);
  EXPECT_EQ(b.hi[4], ~0u);
}

TEST(Packed, Integers) {
  std::mt19937 rng(13);
  Bench b;
  struct Row2 {
    const char* m;
    u32 (*f)(u32, u32);
  };
  const Row2 rows[] = {
      {"v_pk_add_u16", [](u32 a, u32 c) { return a + c; }},
      {"v_pk_sub_i16", [](u32 a, u32 c) { return a - c; }},
      {"v_pk_mul_lo_u16", [](u32 a, u32 c) { return a * c; }},
      {"v_pk_lshlrev_b16", [](u32 a, u32 c) { return c << (a % 16); }},
      {"v_pk_lshrrev_b16", [](u32 a, u32 c) { return c >> (a % 16); }},
      {"v_pk_ashrrev_i16",
       [](u32 a, u32 c) { return static_cast<u32>(static_cast<int16_t>(c) >> (a % 16)); }},
      {"v_pk_max_i16",
       [](u32 a, u32 c) { return static_cast<int16_t>(a) > static_cast<int16_t>(c) ? a : c; }},
      {"v_pk_min_u16", [](u32 a, u32 c) { return a < c ? a : c; }},
  };
  for (const Row2& r : rows) {
    for (int round = 0; round < 100; ++round) {
      for (int i = 0; i < 2; ++i) {
        for (u32& x : b.v[i].v) x = static_cast<u32>(rng());
      }
      b.run(r.m, {Bench::vgpr(4)}, {Bench::vgpr(0, kOpSel0), Bench::vgpr(1, kOpSel1)});
      for (int l = 0; l < kLanes; ++l) {
        const u32 a = b.v[0].v[l], c = b.v[1].v[l];  // source 0 swapped by op_sel
        ASSERT_EQ(b.v[4].v[l], (r.f(a >> 16, c & 0xffff) & 0xffff) | r.f(a & 0xffff, c >> 16) << 16)
            << r.m;
      }
    }
  }
}

TEST(Convert, Words) {
  std::mt19937 rng(14);
  Bench b;
  const auto xs = interesting(64, 15);
  for (int round = 0; round < 2000; ++round) {
    for (u32& x : b.v[0].v) x = round % 2 ? xs[rng() % 64] : word(rng);
    for (u32& x : b.v[1].v) x = word(rng);
    b.run("v_cvt_f32_i32", {Bench::vgpr(2)}, {Bench::vgpr(0)});
    b.run("v_cvt_f32_u32", {Bench::vgpr(3)}, {Bench::vgpr(0)});
    b.run("v_cvt_i32_f32", {Bench::vgpr(4)}, {Bench::vgpr(0)});
    b.run("v_cvt_u32_f32", {Bench::vgpr(5)}, {Bench::vgpr(0)});
    b.run("v_cvt_f16_f32", {Bench::vgpr(6)}, {Bench::vgpr(0)});
    b.run("v_cvt_f32_ubyte2", {Bench::vgpr(7)}, {Bench::vgpr(0)});
    b.run("v_cvt_f64_f32", {Bench::vgpr(8, 0, 2)}, {Bench::vgpr(0)});
    b.run("v_cvt_f64_i32", {Bench::vgpr(10, 0, 2)}, {Bench::vgpr(0)});
    b.run("v_cvt_pk_rtz_f16_f32", {Bench::vgpr(12)}, {Bench::vgpr(0), Bench::vgpr(1)});
    b.run("v_cvt_f32_f64", {Bench::vgpr(13)}, {Bench::vgpr(0, 0, 2)});
    b.run("v_cvt_i32_f64", {Bench::vgpr(14)}, {Bench::vgpr(0, 0, 2)});
    const auto wide = [&](int r, int l) {
      return std::bit_cast<double>(b.v[r].v[l] | u64{b.v[r + 1].v[l]} << 32);
    };
    for (int l = 0; l < kLanes; ++l) {
      const u32 raw = b.v[0].v[l];
      const double x = v32(raw);
      const auto sat = [](double d, double lo, double hi) {
        return d != d ? 0 : static_cast<int64_t>(std::clamp(std::trunc(d), lo, hi));
      };
      ASSERT_EQ(v32(b.v[2].v[l]), round32(static_cast<int32_t>(raw)));
      ASSERT_EQ(v32(b.v[3].v[l]), round32(raw));
      ASSERT_EQ(static_cast<int32_t>(b.v[4].v[l]), sat(x, -2147483648., 2147483647.)) << x;
      ASSERT_EQ(b.v[5].v[l], static_cast<u32>(sat(x, 0, 4294967295.))) << x;
      ASSERT_TRUE(same_value(value16(b.v[6].v[l] & 0xffff), round16(x))) << x;
      ASSERT_EQ(v32(b.v[7].v[l]), raw >> 16 & 255);
      ASSERT_TRUE(same_value(wide(8, l), x));
      ASSERT_EQ(wide(10, l), static_cast<int32_t>(raw));
      const double cut = value16(b.v[12].v[l] & 0xffff);
      if (std::isfinite(x)) {  // toward zero: never further, and the next one is further
        ASSERT_LE(std::fabs(cut), std::fabs(x));
        ASSERT_GE(value16((b.v[12].v[l] & 0x7fff) + 1), std::min(std::fabs(x), 65536.));
      }
      const double d = wide(0, l);
      ASSERT_TRUE(same_value(v32(b.v[13].v[l]), static_cast<float>(d)));
      ASSERT_EQ(static_cast<int32_t>(b.v[14].v[l]), sat(d, -2147483648., 2147483647.));
    }
  }
}

TEST(F32, ApproximationsFlushDenormals) {
  Bench b;
  b.v[0].v[0] = b32(3.f);
  b.v[0].v[1] = 1;           // a denormal is taken as zero
  b.v[0].v[2] = 0x7f000000;  // 2^127: its reciprocal is a denormal
  b.v[0].v[3] = 0x80000001;
  b.run("v_rcp_f32", {Bench::vgpr(4)}, {Bench::vgpr(0)});
  EXPECT_EQ(b.v[4].v[0], b32(1.f / 3));
  EXPECT_EQ(b.v[4].v[1], 0x7f800000u);
  EXPECT_EQ(b.v[4].v[2], 0u);
  EXPECT_EQ(b.v[4].v[3], 0xff800000u);
  b.run("v_add_f32", {Bench::vgpr(4)}, {Bench::vgpr(0), b.constant(0)});
  EXPECT_EQ(b.v[4].v[1], 1u);  // plain arithmetic keeps them
  b.w.denorm32 = 0;
  b.run("v_add_f32", {Bench::vgpr(4)}, {Bench::vgpr(0), b.constant(0)});
  EXPECT_EQ(b.v[4].v[1], 0u);
}

// The compiler's own division sequence must give the rounded quotient.
TEST(F32, DivisionSequence) {
  std::mt19937 rng(16);
  Bench b;
  const int num = 0, den = 1, sd = 2, sn = 3, r = 4, e = 5, q = 6, t = 7;
  const u32 one = b32(1.f);
  for (int round = 0; round < 3000; ++round) {
    for (int l = 0; l < kLanes; ++l) {
      b.v[num].v[l] = word(rng);
      b.v[den].v[l] = word(rng);
    }
    const auto V = [](int x, uint8_t m = 0) { return Bench::vgpr(x, m); };
    b.run("v_div_scale_f32", {V(sd), Bench::sgpr(kNull)}, {V(den), V(den), V(num)});
    b.run("v_rcp_f32", {V(r)}, {V(sd)});
    b.run("v_fma_f32", {V(e)}, {V(sd, kNeg), V(r), b.constant(one)});
    b.run("v_fmac_f32", {V(r)}, {V(e), V(r)});
    b.run("v_div_scale_f32", {V(sn), Bench::sgpr(kVcc)}, {V(num), V(den), V(num)});
    b.run("v_mul_f32", {V(q)}, {V(sn), V(r)});
    b.run("v_fma_f32", {V(t)}, {V(sd, kNeg), V(q), V(sn)});
    b.run("v_fmac_f32", {V(q)}, {V(t), V(r)});
    b.run("v_fma_f32", {V(t)}, {V(sd, kNeg), V(q), V(sn)});
    b.run("v_div_fmas_f32", {V(q)}, {V(t), V(r), V(q)});
    b.run("v_div_fixup_f32", {V(q)}, {V(q), V(den), V(num)});
    for (int l = 0; l < kLanes; ++l) {
      const float x = std::bit_cast<float>(b.v[num].v[l]), y = std::bit_cast<float>(b.v[den].v[l]);
      ASSERT_TRUE(same_value(v32(b.v[q].v[l]), x / y))
          << x << " / " << y << " got " << v32(b.v[q].v[l]);
    }
  }
}

TEST(Compare, AllConditions) {
  std::mt19937 rng(17);
  Bench b;
  const auto xs = interesting(48, 18);
  const char* int_ops[] = {"lt", "eq", "le", "gt", "ne", "ge"};
  const char* float_ops[] = {"lt", "eq",  "le",  "gt",  "lg",  "ge",  "o",
                             "u",  "nge", "nlg", "ngt", "nle", "neq", "nlt"};
  // Order of a and b: -1, 0, 1, or 2 for unordered.
  const auto truth = [](const std::string& c, int o) {
    if (c[0] == 'n' && c != "ne") {
      return c == "nge"   ? !(o == 0 || o == 1)
             : c == "nlg" ? !(o == -1 || o == 1)
             : c == "ngt" ? o != 1
             : c == "nle" ? !(o == 0 || o == -1)
             : c == "neq" ? o != 0
                          : o != -1;
    }
    return c == "lt"   ? o == -1
           : c == "eq" ? o == 0
           : c == "le" ? o == -1 || o == 0
           : c == "gt" ? o == 1
           : c == "ne" ? o != 0
           : c == "ge" ? o == 1 || o == 0
           : c == "lg" ? o == -1 || o == 1
           : c == "o"  ? o != 2
                       : o == 2;
  };
  const auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2; };
  const std::string types[] = {"i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"};
  for (const std::string& type : types) {
    const bool is_float = type[0] == 'f';
    const std::span<const char*> ops =
        is_float ? std::span<const char*>(float_ops) : std::span<const char*>(int_ops);
    for (const std::string c : ops) {
      for (int round = 0; round < 20; ++round) {
        for (int r = 0; r < 4; ++r) {
          for (u32& x : b.v[r].v) x = xs[rng() % 48];
        }
        for (int l = 0; l < kLanes; l += 3) {
          b.v[2].v[l] = b.v[0].v[l];
          b.v[3].v[l] = b.v[1].v[l];
        }
        u32 want = 0;
        for (int l = 0; l < kLanes; ++l) {
          const u32 x = b.v[0].v[l], y = b.v[2].v[l];
          const u64 x2 = x | u64{b.v[1].v[l]} << 32, y2 = y | u64{b.v[3].v[l]} << 32;
          const int o = type == "i16"   ? order(static_cast<int16_t>(x), static_cast<int16_t>(y))
                        : type == "u16" ? order(static_cast<uint16_t>(x), static_cast<uint16_t>(y))
                        : type == "i32" ? order(static_cast<int32_t>(x), static_cast<int32_t>(y))
                        : type == "u32" ? order(x, y)
                        : type == "i64" ? order(static_cast<int64_t>(x2), static_cast<int64_t>(y2))
                        : type == "u64" ? order(x2, y2)
                        : type == "f16" ? order(value16(x & 0xffff), value16(y & 0xffff))
                        : type == "f32"
                            ? order(v32(x), v32(y))
                            : order(std::bit_cast<double>(x2), std::bit_cast<double>(y2));
          want |= u32{truth(c, o)} << l;
        }
        const u32 e = round % 2 ? ~0u : static_cast<u32>(rng());
        b.w.s[kExec] = e;
        b.run("v_cmp_" + c + "_" + type, {Bench::sgpr(20)},
              {Bench::vgpr(0, 0, 2), Bench::vgpr(2, 0, 2)});
        ASSERT_EQ(b.w.s[20], want & e) << c << "_" << type;
        ASSERT_EQ(b.w.sdef[20], ~0u);
        b.run("v_cmpx_" + c + "_" + type, {}, {Bench::vgpr(0, 0, 2), Bench::vgpr(2, 0, 2)});
        ASSERT_EQ(b.w.exec(), want & e) << "cmpx " << c << "_" << type;
      }
    }
  }
}

TEST(Compare, Definedness) {
  Bench b;
  b.w.s[kExec] = 0xff;
  b.lo[0] = ~3u & ~0x100u;
  b.run("v_cmp_lt_u32", {Bench::sgpr(kVcc)}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_EQ(b.w.sdef[kVcc], ~3u);  // lane 8 is inactive: a known zero
  EXPECT_TRUE(reports().undefined.empty());
  b.run("v_cmpx_lt_u32", {}, {Bench::vgpr(0), Bench::vgpr(1)});
  ASSERT_EQ(reports().undefined.size(), 1u);
  EXPECT_EQ(reports().undefined[0], FindingKind::undefined_exec);
  b.w.s[kExec] = 0xf0;  // the clean twin: no active lane is undefined
  b.run("v_cmpx_lt_u32", {}, {Bench::vgpr(0), Bench::vgpr(1)});
  EXPECT_TRUE(reports().undefined.empty());
}

TEST(Compare, Class) {
  Bench b;
  const u32 x[] = {0x7f800001, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                   0x80000000, 0,          1,          0x3f800000, 0x7f800000};
  for (int i = 0; i < 10; ++i) b.v[0].v[i] = x[i];
  for (u32 bit = 0; bit < 10; ++bit) {
    b.w.s[kExec] = 0x3ff;
    b.run("v_cmp_class_f32", {Bench::sgpr(20)}, {Bench::vgpr(0), b.constant(1u << bit)});
    EXPECT_EQ(b.w.s[20], 1u << bit);
  }
}

TEST(F64, Arithmetic) {
  std::mt19937_64 rng(19);
  Bench b;
  const auto wide = [&](int r, int l) {
    return std::bit_cast<double>(b.v[r].v[l] | u64{b.v[r + 1].v[l]} << 32);
  };
  for (int round = 0; round < 500; ++round) {
    for (int r = 0; r < 6; ++r) {
      for (u32& x : b.v[r].v) x = static_cast<u32>(rng());
    }
    const auto V = [](int x) { return Bench::vgpr(x, 0, 2); };
    b.run("v_add_f64", {V(6)}, {V(0), Bench::vgpr(2, kNeg, 2)});
    b.run("v_mul_f64", {V(8)}, {V(0), V(2)});
    b.run("v_fma_f64", {V(10)}, {V(0), V(2), V(4)});
    b.run("v_min_f64", {V(12)}, {V(0), V(2)});
    for (int l = 0; l < kLanes; ++l) {
      const double x = wide(0, l), y = wide(2, l), z = wide(4, l);
      ASSERT_TRUE(same_value(wide(6, l), x - y));
      ASSERT_TRUE(same_value(wide(8, l), x * y));
      ASSERT_TRUE(same_value(wide(10, l), std::fma(x, y, z)));
      ASSERT_TRUE(same_value(wide(12, l), std::fmin(x, y)));
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
