// Integer dot products whose sum leaves the result's type, with clamp and without.
#include "tests/rdna/isa/compared.h"
#include "tests/rdna/isa/wave_fixture.h"

namespace w4::rdna::test {
namespace {

struct Case {
  const char* mnemonic;
  int bits;
  bool signed_result, a_signed, b_signed;
};
constexpr Case kCases[] = {
    {"v_dot4_i32_iu8", 8, true, true, true},   {"v_dot4_i32_iu8", 8, true, false, true},
    {"v_dot4_i32_iu8", 8, true, false, false}, {"v_dot4_u32_u8", 8, false, false, false},
    {"v_dot8_i32_iu4", 4, true, true, true},   {"v_dot8_i32_iu4", 4, true, true, false},
    {"v_dot8_u32_u4", 4, false, false, false},
};

TEST(VOP3P, DotSumsAtTheEndsOfTheType) {
  const std::vector<uint32_t> x = interesting(64, 9);
  constexpr uint32_t kAddends[] = {0, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffff00, 0x80000100};
  for (const Case& c : kCases) {
    for (const uint32_t addend : kAddends) {
      for (const bool clamp : {false, true}) {
        Bench b;
        for (size_t l = 0; l < 32; ++l) {
          b.v[0].v[l] = x[l];
          b.v[1].v[l] = x[63 - l];
          b.v[2].v[l] = addend;
        }
        Op op;
        op.dst[op.ndst++] = Bench::vgpr(4);
        op.src[op.nsrc++] = Bench::vgpr(0, c.a_signed ? kNeg : 0);
        op.src[op.nsrc++] = Bench::vgpr(1, c.b_signed ? kNeg : 0);
        op.src[op.nsrc++] = Bench::vgpr(2);
        op.clamp = clamp;
        b.run(c.mnemonic, op);
        ASSERT_TRUE(reports().unsupported.empty()) << c.mnemonic;
        const auto number = [&](uint32_t word, int i, bool is_signed) {
          const auto raw = static_cast<int64_t>(word >> (i * c.bits) & ((1u << c.bits) - 1));
          return is_signed && raw >> (c.bits - 1) ? raw - (int64_t{1} << c.bits) : raw;
        };
        for (size_t l = 0; l < 32; ++l) {
          int64_t want = c.signed_result ? int64_t{static_cast<int32_t>(addend)} : int64_t{addend};
          for (int i = 0; i < 32 / c.bits; ++i)
            want += number(x[l], i, c.a_signed) * number(x[63 - l], i, c.b_signed);
          const int64_t top = c.signed_result ? 0x7fffffffll : 0xffffffffll;
          const int64_t low = c.signed_result ? -0x80000000ll : 0;
          if (clamp) want = want > top ? top : want < low ? low : want;
          EXPECT_TRUE(result_is(c.mnemonic, b.v[4].v[l], static_cast<uint32_t>(want)))
              << c.mnemonic << (clamp ? " clamp" : "") << " lane " << l << " + " << addend;
        }
      }
    }
  }
}

}  // namespace
}  // namespace w4::rdna::test
