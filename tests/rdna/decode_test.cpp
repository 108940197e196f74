// The decoder's view of instructions with known text, on both architectures, and the round trip
// text -> bytes -> text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rdna/memory_impl.h"
#include "rdna/program.h"
#include "rdna/wave.h"
#include "tests/rdna/assemble.h"

namespace w4::rdna {
namespace {

class Decoded {
 public:
  Decoded(const std::string& arch, const std::string& text, int vgprs = 64)
      : bytes_(assemble(arch, text)), program_(code_, vgprs) {
    code_.arch = arch;
    code_.major = arch.starts_with("gfx12") ? 12 : 11;
    auto mc = Mc::create(arch);
    EXPECT_TRUE(mc.has_value()) << (mc ? "" : mc.error().text);
    if (mc) code_.mc = std::move(*mc);
    code_.segments.push_back({0x1000, bytes_.size(), bytes_, false, true});
    op = decode(program_, 0x1000);
  }
  std::string_view mnemonic() const {
    const Row* r = program_.row_of(op);
    return r ? r->mnemonic : "(none)";
  }
  std::string text() const { return code_.text_at(0x1000); }
  uint64_t pc_of(uint32_t index) const { return program_.table()[index]->pc; }

 private:
  std::vector<std::byte> bytes_;
  CodeObject::Impl code_;
  Program program_;

 public:
  Op op;
};

class Decode : public testing::TestWithParam<const char*> {};

TEST_P(Decode, GlobalLoadWithScalarBaseAndNegativeOffset) {
  const Decoded d(GetParam(), "global_load_b32 v1, v2, s[4:5] offset:-8");
  EXPECT_EQ(d.mnemonic(), "global_load_b32");
  EXPECT_EQ(d.op.imm[0], -8);
  EXPECT_EQ(d.op.dst[0].reg, 1);
  EXPECT_EQ(d.op.src[0].kind, OperandKind::vgpr);
  EXPECT_EQ(d.op.src[0].reg, 2);
  EXPECT_EQ(d.op.src[0].words, 1);
  EXPECT_EQ(d.op.src[1].kind, OperandKind::sgpr);
  EXPECT_EQ(d.op.src[1].reg, 4);
  EXPECT_EQ(d.op.src[1].words, 2);
}

TEST_P(Decode, GlobalStore) {
  const Decoded d(GetParam(), "global_store_b64 v[2:3], v[6:7], off offset:16");
  EXPECT_EQ(d.op.src[0].reg, 2);
  EXPECT_EQ(d.op.src[0].words, 2);
  EXPECT_EQ(d.op.src[1].kind, OperandKind::none);
  EXPECT_EQ(d.op.src[2].reg, 6);
  EXPECT_EQ(d.op.src[2].words, 2);
  EXPECT_EQ(d.op.imm[0], 16);
}

TEST_P(Decode, ScratchForms) {
  const Decoded scalar(GetParam(), "scratch_store_b32 off, v1, s32 offset:4");
  EXPECT_EQ(scalar.op.src[0].kind, OperandKind::none);
  EXPECT_EQ(scalar.op.src[1].reg, 32);
  EXPECT_EQ(scalar.op.src[2].reg, 1);
  const Decoded vector(GetParam(), "scratch_store_b32 v5, v1, off offset:-4");
  EXPECT_EQ(vector.op.src[0].reg, 5);
  EXPECT_EQ(vector.op.src[1].kind, OperandKind::none);
  EXPECT_EQ(vector.op.src[2].reg, 1);
  EXPECT_EQ(vector.op.imm[0], -4);
  const Decoded load(GetParam(), "scratch_load_b32 v1, v5, s3");
  EXPECT_EQ(load.op.src[0].reg, 5);
  EXPECT_EQ(load.op.src[1].reg, 3);
  EXPECT_EQ(load.op.dst[0].reg, 1);
}

TEST_P(Decode, WideInlineConstantsAndLiterals) {
  const Decoded inline_int(GetParam(), "s_mov_b64 s[0:1], -2");
  EXPECT_EQ(inline_int.op.src[0].imm, 0xfffffffeu);
  EXPECT_EQ(inline_int.op.src[0].imm_hi, 0xffffffffu);
  const Decoded literal(GetParam(), "s_mov_b64 s[0:1], 0x87654321");
  EXPECT_EQ(literal.op.src[0].imm, 0x87654321u);
  EXPECT_EQ(literal.op.src[0].imm_hi, 0u);
  const Decoded f64(GetParam(), "v_fma_f64 v[0:1], v[2:3], 1.0, v[4:5]");
  EXPECT_EQ(f64.op.src[1].imm, 0u);
  EXPECT_EQ(f64.op.src[1].imm_hi, 0x3ff00000u);
}

TEST_P(Decode, ScalarHalfConstants) {
  if (std::string_view(GetParam()) == "gfx1100") GTEST_SKIP() << "no scalar float instructions";
  EXPECT_EQ(Decoded(GetParam(), "s_ceil_f16 s0, 1.0").op.src[0].imm, 0x3c00u);
  EXPECT_EQ(Decoded(GetParam(), "s_cvt_f32_f16 s0, -4.0").op.src[0].imm, 0xc400u);
  EXPECT_EQ(Decoded(GetParam(), "s_rndne_f16 s0, 0.15915494").op.src[0].imm, 0x3118u);
  EXPECT_EQ(Decoded(GetParam(), "s_trunc_f16 s0, 0x3f80").op.src[0].imm, 0x3f80u);
  EXPECT_EQ(Decoded(GetParam(), "s_floor_f16 s0, -7").op.src[0].imm, 0xfffffff9u);
  EXPECT_EQ(Decoded(GetParam(), "s_cvt_hi_f32_f16 s0, 2.0").mnemonic(), "(none)");
}

TEST_P(Decode, ImplicitRegistersAreOperands) {
  const Decoded compare(GetParam(), "v_cmp_eq_u32 vcc_lo, v1, v2");
  ASSERT_EQ(compare.op.ndst, 1);
  EXPECT_EQ(compare.op.dst[0].reg, kVcc);
  const Decoded compare_x(GetParam(), "v_cmpx_eq_u32 v1, v2");
  EXPECT_EQ(compare_x.op.dst[0].reg, kExec);
  const Decoded select(GetParam(), "v_cndmask_b32 v1, v2, v3, vcc_lo");
  ASSERT_EQ(select.op.nsrc, 3);
  EXPECT_EQ(select.op.src[2].reg, kVcc);
  const Decoded select64(GetParam(), "v_cndmask_b32_e64 v1, v2, -v3, s7");
  EXPECT_EQ(select64.op.src[2].reg, 7);
  EXPECT_EQ(select64.op.src[1].mods, kNeg);
  EXPECT_EQ(select64.op.src[2].mods, 0);  // modifiers are of one source each
  const Decoded carry(GetParam(), "v_add_co_ci_u32 v1, vcc_lo, v2, v3, vcc_lo");
  EXPECT_EQ(carry.op.dst[1].reg, kVcc);
  EXPECT_EQ(carry.op.src[2].reg, kVcc);
}

TEST_P(Decode, TiedOperandsAreNotSources) {
  const Decoded fmac(GetParam(), "v_fmac_f32 v1, v2, v3");
  EXPECT_EQ(fmac.op.nsrc, 2);
  EXPECT_TRUE(fmac.op.reads_dst);
  const Decoded mov(GetParam(), "v_mov_b32_dpp v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf");
  EXPECT_EQ(mov.op.nsrc, 1);
  EXPECT_FALSE(mov.op.reads_dst);
}

TEST_P(Decode, ClampAndOutputModifier) {
  const Decoded d(GetParam(), "v_mul_f32_e64 v1, |v2|, -v3 clamp div:2");
  EXPECT_TRUE(d.op.clamp);
  EXPECT_EQ(d.op.omod, 3);
  EXPECT_EQ(d.op.src[0].mods, kAbs);
  EXPECT_EQ(d.op.src[1].mods, kNeg);
  const Decoded plain(GetParam(), "v_mul_f32_e64 v1, |v2|, -v3");
  EXPECT_FALSE(plain.op.clamp);
  EXPECT_EQ(plain.op.omod, 0);
}

TEST_P(Decode, DppControls) {
  const Decoded d(GetParam(),
                  "v_add_f32_dpp v1, v2, v3 row_shr:3 row_mask:0x5 bank_mask:0xa bound_ctrl:1");
  EXPECT_EQ(d.op.imm[0], 0x113);
  EXPECT_EQ(d.op.imm[1], 5);
  EXPECT_EQ(d.op.imm[2], 10);
  EXPECT_EQ(d.op.imm[3], 1);
  ASSERT_NE(d.op.second, nullptr);
  EXPECT_EQ(d.op.second->src[0].reg, 64);  // the machine's own row
  EXPECT_EQ(d.op.src[0].reg, 2);
  ASSERT_NE(d.op.src[4].row, nullptr);
  EXPECT_EQ(d.op.src[4].row->v[5], 2u);
  EXPECT_EQ(d.op.src[4].row->v[16], 32u);  // outside the row
  const Decoded eight(GetParam(), "v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0] fi:1");
  EXPECT_EQ(eight.op.src[4].row->v[9], 14u);
  EXPECT_EQ(eight.op.imm[3], 3);
}

TEST_P(Decode, VopdHalves) {
  const Decoded d(
      GetParam(),
      "v_dual_fmaak_f32 v0, v1, v2, 0x12345678 :: v_dual_fmamk_f32 v3, v4, 0x12345678, v5");
  ASSERT_NE(d.op.second, nullptr);
  const Op& x = *d.op.second;
  ASSERT_NE(x.second, nullptr);
  const Op& y = *x.second;
  EXPECT_EQ(x.dst[0].reg, 0);
  EXPECT_EQ(x.src[1].reg, 2);
  EXPECT_EQ(x.src[2].imm, 0x12345678u);
  EXPECT_EQ(y.dst[0].reg, 3);
  EXPECT_EQ(y.src[0].reg, 4);
  EXPECT_EQ(y.src[1].imm, 0x12345678u);
  EXPECT_EQ(y.src[2].reg, 5);
}

TEST_P(Decode, BranchTargets) {
  const Decoded back(GetParam(), "s_cbranch_scc0 0xfffe");
  EXPECT_EQ(back.pc_of(back.op.target), 0x1000u + 4 - 8);
  EXPECT_EQ(back.pc_of(back.op.next), 0x1004u);
}

TEST_P(Decode, SopkImmediateIsSigned) {
  const Decoded d(GetParam(), "s_movk_i32 s0, 0x8000");
  EXPECT_EQ(d.op.imm[0], -32768);
}

TEST_P(Decode, PackedModifiers) {
  const Decoded d(GetParam(), "v_pk_add_f16 v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0]");
  EXPECT_EQ(d.op.src[0].mods, kNeg | kOpSel0);
  EXPECT_EQ(d.op.src[1].mods, kOpSel1);
}

TEST_P(Decode, ScalarLoads) {
  const Decoded d(GetParam(), "s_load_b64 s[0:1], s[2:3], 0x10");
  EXPECT_EQ(d.op.nsrc, 1);
  EXPECT_EQ(d.op.imm[0], 16);
  const Decoded both(GetParam(), "s_load_b64 s[0:1], s[2:3], s5 offset:0x10");
  EXPECT_EQ(both.op.nsrc, 2);
  EXPECT_EQ(both.op.src[1].reg, 5);
  EXPECT_EQ(both.op.imm[0], 16);
  const Decoded negative(GetParam(), "s_load_b32 s0, s[2:3], -0x4");
  EXPECT_EQ(negative.op.imm[0], -4);
}

TEST_P(Decode, RegistersAboveTheDescriptorAreUnsupported) {
  const Decoded d(GetParam(), "v_mov_b32 v64, v1", 64);
  EXPECT_EQ(d.mnemonic(), "(none)");
  const Decoded wide(GetParam(), "global_load_b128 v[61:64], v[0:1], off", 64);
  EXPECT_EQ(wide.mnemonic(), "(none)");
  const Decoded last(GetParam(), "v_mov_b32 v63, v1", 64);
  EXPECT_EQ(last.mnemonic(), "v_mov_b32");
}

TEST_P(Decode, WhatHasNoRowIsKeptForLater) {
  const Decoded d(GetParam(), "v_cubeid_f32 v0, v1, v2, v3");
  EXPECT_EQ(d.mnemonic(), "(none)");
  EXPECT_NE(d.op.run[0], nullptr);
}

TEST_P(Decode, MatrixInstructions) {
  const bool gfx12 = std::string_view(GetParam()).starts_with("gfx12");
  const std::string ab = gfx12 ? "v[0:3], v[8:11], " : "v[0:7], v[8:15], ";
  const int words = gfx12 ? 4 : 8;
  for (const char* c : {"v[16:23]", "v[24:31]"}) {
    const Decoded d(GetParam(), "v_wmma_f32_16x16x16_f16 v[16:23], " + ab + c +
                                    " neg_lo:[1,0,1] neg_hi:[0,1,0]");
    ASSERT_EQ(d.op.nsrc, 3) << c;
    EXPECT_EQ(d.op.dst[0].words, 8);
    EXPECT_EQ(d.op.src[0].words, words);
    EXPECT_EQ(d.op.src[1].reg, 8);
    EXPECT_EQ(d.op.src[2].reg, c[2] == '1' ? 16 : 24);
    EXPECT_EQ(d.op.src[0].mods & (kNeg | kNegHi), kNeg);
    EXPECT_EQ(d.op.src[1].mods & (kNeg | kNegHi), kNegHi);
    EXPECT_EQ(d.op.src[2].mods & (kNeg | kNegHi), kNeg);
  }
  const std::string narrow = gfx12 ? "v[16:19], " : "v[16:23], ";
  const Decoded f32(GetParam(), "v_wmma_f32_16x16x16_bf16 v[16:23], " + ab + "1.0");
  const Decoded f16(GetParam(), "v_wmma_f16_16x16x16_f16 " + narrow + ab + "1.0");
  const Decoded bf16(GetParam(), "v_wmma_bf16_16x16x16_bf16 " + narrow + ab + "1.0");
  EXPECT_EQ(f32.op.src[2].imm, 0x3f800000u);
  EXPECT_EQ(f16.op.src[2].imm & 0xffffu, 0x3c00u);
  EXPECT_EQ(bf16.op.src[2].imm & 0xffffu, 0x3f80u);
  for (const auto& [text, bits] : {std::pair("-4.0", 0xc0800000u), std::pair("-2", 0xfffffffeu),
                                   std::pair("0.5", 0x3f000000u)}) {
    const Decoded c(GetParam(), "v_wmma_f32_16x16x16_bf16 v[16:23], " + ab + text);
    EXPECT_EQ(c.op.src[2].imm, bits) << text;
  }
  if (gfx12) return;
  for (const char* c : {"v[16:23]", "v[24:31]"}) {
    const Decoded d(GetParam(), "v_wmma_f16_16x16x16_f16 v[16:23], " + ab + c + " op_sel:[0,0,1]");
    ASSERT_EQ(d.op.nsrc, 3) << c;
    EXPECT_TRUE(d.op.src[2].mods & kOpSel0);
  }
}

TEST_P(Decode, TextRoundTrip) {
  for (const char* text :
       {"global_load_b32 v1, v2, s[4:5] offset:-8", "ds_load_b128 v[0:3], v4 offset:16",
        "v_add_f32_e64 v0, |v1|, -v2 clamp mul:2", "s_load_b256 s[8:15], s[2:3], 0x20",
        "v_dual_mov_b32 v0, 0 :: v_dual_add_nc_u32 v1, -8, v2", "s_and_saveexec_b32 s0, vcc_lo",
        "v_fma_mixlo_f16 v0, v1, v2, v3 op_sel_hi:[1,0,1]", "v_perm_b32 v0, v1, v2, 0x7060302"}) {
    const Decoded d(GetParam(), text);
    const std::string printed = d.text();
    EXPECT_EQ(assemble(GetParam(), printed), assemble(GetParam(), text)) << printed;
    EXPECT_NE(d.mnemonic(), "(none)") << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Archs, Decode, testing::Values("gfx1100", "gfx1151", "gfx1201"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace w4::rdna
