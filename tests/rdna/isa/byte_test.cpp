// Byte instructions against one byte at a time.
#include <cmath>

#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

using u32 = uint32_t;

u32 at(const u32* words, int i) { return words[i / 4] >> (8 * (i % 4)) & 255; }

u32 lerp(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= (at(&a, i) + at(&b, i) + (at(&c, i) & 1)) >> 1 << (8 * i);
  return r;
}
u32 sum(const u32* a, u32 b, int from, bool masked) {
  int s = 0;
  for (int i = 0; i < 4; ++i) {
    const int y = static_cast<int>(at(&b, i));
    if (masked && y == 0) continue;
    s += std::abs(static_cast<int>(at(a, from + i)) - y);
  }
  return static_cast<u32>(s);
}

TEST(VOP3, AverageOfBytes) {
  const std::vector<u32> x = interesting(96, 1);
  Bench b;
  for (int l = 0; l < 32; ++l) {
    for (int r = 0; r < 3; ++r) b.v[r].v[l] = x[static_cast<size_t>(3 * l + r)];
  }
  b.lo[1] = ~2u;
  b.run("v_lerp_u8", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2)});
  for (int l = 0; l < 32; ++l)
    EXPECT_TRUE(result_is("v_lerp_u8", b.v[4].v[l], lerp(b.v[0].v[l], b.v[1].v[l], b.v[2].v[l])));
  EXPECT_EQ(b.lo[4] & b.hi[4], ~2u);
}

struct Sliding {
  const char* mnemonic;
  bool masked, wide;
};
TEST(VOP3, SlidingSumsOfDifferences) {
  const std::vector<u32> x = interesting(7 * 32, 2);
  for (const Sliding& c :
       {Sliding{"v_qsad_pk_u16_u8", false, false}, Sliding{"v_mqsad_pk_u16_u8", true, false},
        Sliding{"v_mqsad_u32_u8", true, true}}) {
    Bench b;
    for (int l = 0; l < 32; ++l) {
      for (int r = 0; r < 7; ++r) b.v[r].v[l] = x[static_cast<size_t>(7 * l + r)];
    }
    for (int l = 0; l < 32; l += 3) b.v[2].v[l] &= 0xff00ff00u;
    b.hi[3] = ~4u;
    const int words = c.wide ? 4 : 2;
    b.run(c.mnemonic, {Bench::vgpr(10, 0, words)},
          {Bench::vgpr(0, 0, 2), Bench::vgpr(2), Bench::vgpr(3, 0, words)});
    for (int l = 0; l < 32; ++l) {
      const u32 a[2] = {b.v[0].v[l], b.v[1].v[l]};
      for (int i = 0; i < 4; ++i) {
        const u32 s = sum(a, b.v[2].v[l], i, c.masked);
        if (c.wide) {
          EXPECT_TRUE(result_is(c.mnemonic, b.v[10 + i].v[l], b.v[3 + i].v[l] + s)) << l;
        } else {
          const int shift = 16 * (i % 2);
          EXPECT_TRUE(result_is(c.mnemonic, b.v[10 + i / 2].v[l] >> shift & 0xffffu,
                                ((b.v[3 + i / 2].v[l] >> shift) + s) & 0xffffu))
              << l;
        }
      }
    }
    for (int i = 0; i < words; ++i) EXPECT_EQ(b.lo[10 + i] & b.hi[10 + i], ~4u) << c.mnemonic;
  }
}

TEST(VOP3, ConversionIntoOneByte) {
  const float x[] = {0.f,   -0.f,  0.5f, 1.5f,  2.5f,     254.5f,    254.7f, 255.4f,
                     256.f, 1e30f, -1.f, -0.6f, INFINITY, -INFINITY, NAN,    100.49f};
  const u32 want[] = {0, 0, 0, 2, 2, 254, 255, 255, 255, 255, 0, 0, 255, 0, 0, 100};
  for (u32 where = 0; where < 5; ++where) {
    Bench b;
    for (int l = 0; l < 16; ++l) {
      b.v[0].v[l] = std::bit_cast<u32>(x[l]);
      b.v[1].v[l] = where;
      b.v[2].v[l] = 0xa1b2c3d4u;
    }
    b.run("v_cvt_pk_u8_f32", {Bench::vgpr(4)}, {Bench::vgpr(0), Bench::vgpr(1), Bench::vgpr(2)});
    const u32 shift = 8 * (where % 4);
    for (int l = 0; l < 16; ++l)
      EXPECT_TRUE(result_is("v_cvt_pk_u8_f32", b.v[4].v[l],
                            (0xa1b2c3d4u & ~(255u << shift)) | want[l] << shift))
          << x[l];
  }
}

TEST(VOP1, SaturatedPairOfBytes) {
  const std::vector<u32> x = interesting(64, 3);
  for (size_t i = 0; i + 32 <= x.size(); i += 32) {
    Bench b;
    std::copy_n(&x[i], 32, b.v[0].v);
    for (u32& old : b.v[4].v) old = 0x12345678u;
    b.run("v_sat_pk_u8_i16", {Bench::vgpr(4)}, {Bench::vgpr(0)});
    for (int l = 0; l < 32; ++l) {
      u32 r = 0;
      for (int h = 0; h < 2; ++h) {
        const int s = static_cast<int16_t>(b.v[0].v[l] >> (16 * h));
        r |= static_cast<u32>(s < 0 ? 0 : s > 255 ? 255 : s) << (8 * h);
      }
      EXPECT_TRUE(result_is("v_sat_pk_u8_i16", b.v[4].v[l], 0x12340000u | r)) << l;
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
