// Vector instructions of one result, class by class, against their references.
#include "tests/rdna/isa/reference.h"

namespace w4::rdna::test {
namespace {

TEST(VOP1, EqualsItsReference) { check_class("VOP1"); }
TEST(VOP2, EqualsItsReference) { check_class("VOP2"); }
TEST(VOP3, EqualsItsReference) { check_class("VOP3"); }

// What the ISA documents print beside the instructions.
TEST(VOP1, ExamplesOfTheDocuments) {
  struct Example {
    const char* mnemonic;
    uint32_t in, out;
  };
  const Example examples[] = {
      {"v_exp_f32", 0xff800000, 0},           {"v_exp_f32", 0x80000000, 0x3f800000},
      {"v_exp_f32", 0x7f800000, 0x7f800000},  {"v_log_f32", 0xff800000, 0x7fc00000},
      {"v_log_f32", 0xbf800000, 0x7fc00000},  {"v_log_f32", 0x80000000, 0xff800000},
      {"v_log_f32", 0, 0xff800000},           {"v_log_f32", 0x3f800000, 0},
      {"v_log_f32", 0x7f800000, 0x7f800000},  {"v_rcp_f32", 0xff800000, 0x80000000},
      {"v_rcp_f32", 0xc0000000, 0xbf000000},  {"v_rcp_f32", 0x80000000, 0xff800000},
      {"v_rcp_f32", 0, 0x7f800000},           {"v_rcp_f32", 0x7f800000, 0},
      {"v_rsq_f32", 0xff800000, 0x7fc00000},  {"v_rsq_f32", 0x80000000, 0xff800000},
      {"v_rsq_f32", 0, 0x7f800000},           {"v_rsq_f32", 0x40800000, 0x3f000000},
      {"v_rsq_f32", 0x7f800000, 0},           {"v_sqrt_f32", 0xff800000, 0x7fc00000},
      {"v_sqrt_f32", 0x80000000, 0x80000000}, {"v_sqrt_f32", 0x40800000, 0x40000000},
      {"v_sin_f32", 0xff800000, 0x7fc00000},  {"v_sin_f32", 0xff7fffff, 0},
      {"v_sin_f32", 0x80000000, 0x80000000},  {"v_sin_f32", 0x3e800000, 0x3f800000},
      {"v_cos_f32", 0xff800000, 0x7fc00000},  {"v_cos_f32", 0xff7fffff, 0x3f800000},
      {"v_cos_f32", 0x80000000, 0x3f800000},  {"v_cos_f32", 0x3e800000, 0},
      {"v_cls_i32", 0, 0xffffffff},           {"v_cls_i32", 0x40000000, 1},
      {"v_cls_i32", 0x80000000, 1},           {"v_cls_i32", 0xffff0000, 16},
      {"v_cls_i32", 0xfffffffe, 31},          {"v_clz_i32_u32", 0x100000ff, 3},
      {"v_ctz_i32_b32", 0xff000008, 3},
  };
  for (const Example& e : examples) {
    Bench b;
    b.v[0].v[0] = e.in;
    b.run(e.mnemonic, {Bench::vgpr(4)}, {Bench::vgpr(0)});
    // The sign of a NaN is not modelled.
    const bool nan = e.out == 0x7fc00000;
    const uint32_t got = b.v[4].v[0];
    EXPECT_TRUE(nan ? is_nan(Kind::f32, got) : got == e.out)
        << e.mnemonic << std::hex << " " << e.in << " gives " << got;
  }
}

}  // namespace
}  // namespace w4::rdna::test
