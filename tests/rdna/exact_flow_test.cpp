// The exact flow of undefined bits against its definition: a result bit is defined when no choice
// of the undefined source bits changes it. Checked with the arithmetic itself, written here again,
// over sources with few undefined bits so that every choice is tried.
#include "rdna/exact_flow.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using Function = std::function<u32(const u32*)>;

u32 perm(u32 a, u32 b, u32 c) {
  const uint64_t x = uint64_t{a} << 32 | b;
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 s = c >> (8 * i) & 255;
    u32 byte = 0;
    if (s < 8) {
      byte = static_cast<u32>(x >> (8 * s)) & 255;
    } else if (s < 12) {
      byte = x >> (16 * (s - 8) + 15) & 1 ? 255 : 0;
    } else {
      byte = s == 12 ? 0 : 255;
    }
    r |= byte << (8 * i);
  }
  return r;
}

struct Case {
  const char* mnemonic;
  Flow flow;
  int n;
  Function f;
};

const Case kCases[] = {
    {"v_and_b32", Flow::bitwise_and, 2, [](const u32* s) { return s[0] & s[1]; }},
    {"v_or_b32", Flow::bitwise_or, 2, [](const u32* s) { return s[0] | s[1]; }},
    {"v_xor_b32", Flow::bitwise_xor, 2, [](const u32* s) { return s[0] ^ s[1]; }},
    {"v_not_b32", Flow::bitwise_not, 1, [](const u32* s) { return ~s[0]; }},
    {"v_add_nc_u32", Flow::add, 2, [](const u32* s) { return s[0] + s[1]; }},
    {"v_mul_lo_u32", Flow::add, 2, [](const u32* s) { return s[0] * s[1]; }},
    {"v_lshlrev_b32", Flow::shift, 2, [](const u32* s) { return s[1] << (s[0] & 31); }},
    {"v_lshrrev_b32", Flow::shift, 2, [](const u32* s) { return s[1] >> (s[0] & 31); }},
    {"v_ashrrev_i32", Flow::shift, 2,
     [](const u32* s) { return static_cast<u32>(static_cast<int32_t>(s[1]) >> (s[0] & 31)); }},
    {"v_lshl_or_b32", Flow::shift, 3, [](const u32* s) { return s[0] << (s[1] & 31) | s[2]; }},
    {"v_lshl_add_u32", Flow::shift, 3, [](const u32* s) { return (s[0] << (s[1] & 31)) + s[2]; }},
    {"v_add_lshl_u32", Flow::shift, 3, [](const u32* s) { return (s[0] + s[1]) << (s[2] & 31); }},
    {"v_and_or_b32", Flow::bitwise_or, 3, [](const u32* s) { return (s[0] & s[1]) | s[2]; }},
    {"v_or3_b32", Flow::bitwise_or, 3, [](const u32* s) { return s[0] | s[1] | s[2]; }},
    {"v_bfi_b32", Flow::mix, 3, [](const u32* s) { return (s[0] & s[1]) | (~s[0] & s[2]); }},
    {"v_bfe_u32", Flow::shift, 3,
     [](const u32* s) { return s[0] >> (s[1] & 31) & ((1u << (s[2] & 31)) - 1); }},
    {"v_perm_b32", Flow::mix, 3, [](const u32* s) { return perm(s[0], s[1], s[2]); }},
    {"v_alignbit_b32", Flow::shift, 3,
     [](const u32* s) { return static_cast<u32>((uint64_t{s[0]} << 32 | s[1]) >> (s[2] & 31)); }},
    {"v_alignbyte_b32", Flow::shift, 3,
     [](const u32* s) {
       return static_cast<u32>((uint64_t{s[0]} << 32 | s[1]) >> (8 * (s[2] & 3)));
     }},
    {"v_mad_u32_u16", Flow::mix, 2, [](const u32* s) { return (s[0] & 0xffff) * (s[1] & 0xffff); }},
};

TEST(ExactFlow, NeverSaysDefinedWhatAChoiceChanges) {
  std::mt19937 random(3);
  for (const Case& c : kCases) {
    const Row row{c.mnemonic, {nullptr, nullptr}, c.flow, "test", Evidence::ieee};
    size_t partly = 0;
    for (int round = 0; round < 4000; ++round) {
      u32 value[3], undefined[3] = {0, 0, 0};
      Bits bits[4];
      for (int i = 0; i < c.n; ++i) {
        value[i] = static_cast<u32>(random());
        if (round % 3 == 0) value[i] &= 0x0f0f0f0fu;  // small selectors and amounts too
      }
      std::vector<std::pair<int, int>> holes;
      for (u32 k = 0; k < 1 + random() % 4; ++k)
        holes.emplace_back(random() % static_cast<u32>(c.n), random() % 32);
      for (const auto& [i, b] : holes) undefined[i] |= 1u << b;
      for (int i = 0; i < c.n; ++i) bits[i] = {~uint64_t{undefined[i]}, value[i]};
      u32 changed = 0;
      const u32 base = c.f(value);
      for (u32 choice = 0; choice < 1u << holes.size(); ++choice) {
        u32 v[3] = {value[0], value[1], value[2]};
        for (size_t h = 0; h < holes.size(); ++h) {
          const u32 bit = 1u << holes[h].second;
          v[holes[h].first] = choice >> h & 1 ? v[holes[h].first] | bit : v[holes[h].first] & ~bit;
        }
        changed |= c.f(v) ^ base;
      }
      const u32 said = static_cast<u32>(exact_flow(row, bits, c.n, 0));
      ASSERT_EQ(said & changed, 0u)
          << c.mnemonic << " calls a bit defined that is not, round " << round;
      partly += said != 0 && said != ~0u;
    }
    // Not by calling everything undefined.
    if (c.flow != Flow::mix || std::string_view(c.mnemonic) != "v_mad_u32_u16") {
      EXPECT_GT(partly, 200u) << c.mnemonic;
    }
  }
}

TEST(ExactFlow, SelectTakesTheChosenSide) {
  const Row row{"v_cndmask_b32", {nullptr, nullptr}, Flow::select, "test", Evidence::ieee};
  Bits s[3] = {{0xff, 0}, {0xff00, 0}, {~uint64_t{0}, 2}};
  EXPECT_EQ(exact_flow(row, s, 3, 0), 0xffu);
  EXPECT_EQ(exact_flow(row, s, 3, 1), 0xff00u);
  s[2].d = ~uint64_t{2};
  EXPECT_EQ(exact_flow(row, s, 3, 1), 0u);
}

TEST(ExactFlow, SixteenBitResultsKeepTheOtherHalf) {
  Op op;
  EXPECT_EQ(kept_bits(op, "v_add_f16"), 0xffff0000u);
  EXPECT_EQ(kept_bits(op, "v_cvt_f16_f32"), 0xffff0000u);
  EXPECT_EQ(kept_bits(op, "v_cvt_f32_f16"), 0u);
  EXPECT_EQ(kept_bits(op, "v_pack_b32_f16"), 0u);
  EXPECT_EQ(kept_bits(op, "v_pk_add_f16"), 0u);
  EXPECT_EQ(kept_bits(op, "v_dot2_f32_bf16"), 0u);
  EXPECT_EQ(kept_bits(op, "v_fma_mixhi_f16"), 0xffffu);
  op.src[0].mods = kDstOpSel;
  EXPECT_EQ(kept_bits(op, "v_add_f16"), 0xffffu);
}

}  // namespace
}  // namespace w4::rdna
