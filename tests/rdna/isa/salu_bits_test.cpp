// Scalar instructions on groups of bits and relative registers, against one bit at a time; what
// counts as defined must not change when undefined bits are flipped.
#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

uint64_t quadmask(uint64_t x, int bits) {
  uint64_t r = 0;
  for (int i = 0; i < bits; ++i) {
    if (x >> i & 1) r |= uint64_t{1} << (i / 4);
  }
  return r;
}
uint64_t wqm(uint64_t x, int bits) {
  uint64_t r = 0;
  for (int i = 0; i < bits; ++i) {
    if (quadmask(x, bits) >> (i / 4) & 1) r |= uint64_t{1} << i;
  }
  return r;
}
uint64_t replicate(uint64_t x, int) {
  uint64_t r = 0;
  for (int i = 0; i < 64; ++i) r |= (x >> (i / 2) & 1) << i;
  return r;
}

struct Case {
  const char* mnemonic;
  int bits, result_bits;
  bool scc;
  uint64_t (*f)(uint64_t, int);
};
constexpr Case kCases[] = {
    {"s_quadmask_b32", 32, 32, true, quadmask},
    {"s_quadmask_b64", 64, 64, true, quadmask},
    {"s_wqm_b32", 32, 32, true, wqm},
    {"s_wqm_b64", 64, 64, true, wqm},
    {"s_bitreplicate_b64_b32", 32, 64, false, replicate},
};

uint64_t pair(const uint32_t* s) { return s[0] | uint64_t{s[1]} << 32; }

TEST(SOP1, GroupsOfBits) {
  const std::vector<uint32_t> x = interesting(200, 7);
  for (const Case& c : kCases) {
    for (size_t i = 0; i + 1 < x.size(); ++i) {
      const uint64_t a = c.bits == 64 ? x[i] | uint64_t{x[i + 1]} << 32 : x[i];
      const uint64_t undefined = i % 3 == 0 ? uint64_t{x[i + 1]} << (i % 32) : 0;
      uint64_t got[2], known = 0;
      for (int flip = 0; flip < 2; ++flip) {
        Bench b;
        const uint64_t in = flip ? a ^ (undefined & (c.bits == 64 ? ~0ull : 0xffffffffull)) : a;
        b.w.s[4] = static_cast<uint32_t>(in);
        b.w.s[5] = static_cast<uint32_t>(in >> 32);
        b.w.sdef[4] = ~static_cast<uint32_t>(undefined);
        b.w.sdef[5] = ~static_cast<uint32_t>(undefined >> 32);
        b.w.scc = false;
        b.run(c.mnemonic, {Bench::sgpr(8, c.result_bits / 32)}, {Bench::sgpr(4, c.bits / 32)});
        got[flip] = c.result_bits == 64 ? pair(b.w.s + 8) : b.w.s[8];
        known = c.result_bits == 64 ? pair(b.w.sdef + 8) : b.w.sdef[8];
        EXPECT_TRUE(result_is(c.mnemonic, got[flip], c.f(in, c.bits))) << " of " << in;
        EXPECT_EQ(b.w.scc, c.scc && got[flip] != 0) << c.mnemonic;
      }
      EXPECT_EQ((got[0] ^ got[1]) & known, 0u) << c.mnemonic << ": a defined bit changed";
      if (undefined == 0) {
        EXPECT_EQ(known, c.result_bits == 64 ? ~0ull : 0xffffffffull) << c.mnemonic;
      }
    }
  }
}

TEST(SOP1, RelativeRegisters) {
  Bench b;
  for (uint32_t i = 0; i < 40; ++i) b.w.s[i] = 100 + i;
  b.w.s[kM0] = 7;
  b.run("s_movrels_b32", {Bench::sgpr(50)}, {Bench::sgpr(4)});
  EXPECT_TRUE(result_is("s_movrels_b32", b.w.s[50], 111u));
  b.run("s_movrels_b64", {Bench::sgpr(52, 2)}, {Bench::sgpr(4, 2)});
  EXPECT_TRUE(result_is("s_movrels_b64", pair(b.w.s + 52), 111u | uint64_t{112} << 32));
  b.run("s_movreld_b32", {Bench::sgpr(60)}, {Bench::sgpr(4)});
  EXPECT_TRUE(result_is("s_movreld_b32", b.w.s[67], 104u));
  EXPECT_EQ(b.w.s[60], 0u);
  b.run("s_movreld_b64", {Bench::sgpr(70, 2)}, {Bench::sgpr(4, 2)});
  EXPECT_TRUE(result_is("s_movreld_b64", pair(b.w.s + 77), 104u | uint64_t{105} << 32));
}

TEST(SOP1, RelativeRegistersNeedAKnownIndexInsideTheFile) {
  Bench b;
  b.w.s[kM0] = 103;
  b.run("s_movrels_b32", {Bench::sgpr(50)}, {Bench::sgpr(4)});
  EXPECT_EQ(reports().unsupported.size(), 1u);
  b.w.s[kM0] = 1;
  b.w.sdef[kM0] = ~1u;
  b.run("s_movrels_b32", {Bench::sgpr(50)}, {Bench::sgpr(4)});
  ASSERT_EQ(reports().undefined.size(), 1u);
  EXPECT_EQ(reports().undefined[0], FindingKind::undefined_address);
}

}  // namespace
}  // namespace w4::rdna::test
