// What a wave finds in its registers, in MODE and behind its pointers when it starts.
#include "rdna/wave_start.h"
#include "tests/rdna/machine/hand_kernel.h"

namespace w4::rdna {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Start : public Hand {
 protected:
  // Stores SGPRs to the words of the first argument, from lane 0.
  std::string store_sgprs(const std::vector<std::string>& sources) {
    std::string text;
    for (size_t i = 0; i < sources.size(); ++i) {
      text += "v_mov_b32 v2, " + sources[i] +
              "\nglobal_store_b32 v1, v2, s[30:31] offset:" + std::to_string(4 * i) + "\n";
    }
    return text + "s_endpgm\n";
  }
};

// The order of the HSA ABI: dispatch packet, queue, kernel arguments, dispatch id, scratch; the
// workgroup ids of gfx11 stand where the descriptor says, not after those in use.
TEST_P(Start, UserSgprsStandInTheirOrder) {
  HandKernel k;
  k.properties = HandKernel::kWave32 | HandKernel::kDispatchPtr | HandKernel::kQueuePtr |
                 HandKernel::kKernargPtr | HandKernel::kDispatchId | HandKernel::kFlatScratch |
                 HandKernel::kPrivateSize;
  k.user_sgprs = 14;
  k.ids = 7;
  k.info.scratch_bytes = 48;
  // s[0:1] packet, s[2:3] queue, s[4:5] arguments, s[6:7] dispatch id, s[8:9] scratch, s10 its size
  k.text =
      "s_load_b64 s[30:31], s[4:5], 0x0\nv_mov_b32 v1, 0\ns_load_b64 s[20:21], s[0:1], 0x4\n"
      "s_load_b64 s[24:25], s[0:1], 0xc\ns_load_b32 s26, s[0:1], 0x14\n%wait%\n";
  const std::string x = rig_.gfx12() ? "ttmp9" : "s14", y = rig_.gfx12() ? "ttmp7" : "s15";
  k.text += store_sgprs({"s20", "s21", "s24", "s25", "s26", "s10", x, y});
  LaunchConfig c = config(1, 1);
  c.grid = {3, 2, 2};
  c.block = {5, 3, 2};
  c.checks = kAllChecks & ~uint32_t{kGlobalRace};
  const Address out = rig_.buffer("out", 64);
  const LaunchReport r = rig_.launch(k, c, {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  // The last workgroup stores last: ids (2, 1, 1). The packet counts the grid in work-items.
  EXPECT_THAT(rig_.words(out, 8),
              ElementsAre(5 | 3 << 16, 2, 15, 6, 4, 48, 2, rig_.gfx12() ? 1 | 1 << 16 : 1));
}

TEST_P(Start, WhatIsNotOfferedIsUndefined) {
  HandKernel k;
  k.properties |= HandKernel::kDispatchId;
  k.user_sgprs = 4;
  k.text = kBegin + "v_mov_b32 v2, s2\n" + kStore;
  const Address out = rig_.buffer("out", 128);
  LaunchConfig c = config(1, 32);
  c.confirm = true;
  const LaunchReport r = rig_.launch(k, c, {out});
  ASSERT_EQ(r.findings.size(), 1u) << what(r);
  EXPECT_EQ(r.findings[0].kind, FindingKind::undefined_store);
  EXPECT_THAT(r.findings[0].born, HasSubstr("s2 was never written"));
}

// Blocks and grids of three dimensions, 24 work-items in one wave.
TEST_P(Start, IdsOfThreeDimensions) {
  HandKernel k;
  k.ids = 7;
  // s6 = x + 2 * (y + 3 * z) of the workgroup, times 96 bytes.
  const std::string ids =
      rig_.gfx12() ? "s_mov_b32 s6, ttmp9\ns_and_b32 s7, ttmp7, 0xffff\ns_lshr_b32 s8, ttmp7, 16\n"
                   : "s_mov_b32 s6, s2\ns_mov_b32 s7, s3\ns_mov_b32 s8, s4\n";
  k.text = ids +
           "s_mul_i32 s8, s8, 3\ns_add_i32 s7, s7, s8\ns_lshl_b32 s7, s7, 1\ns_add_i32 s6, s6, s7\n"
           "s_mul_i32 s6, s6, 96\n" +
           kBegin + "v_add_nc_u32 v1, s6, v1\nv_mov_b32 v2, v0\n" + kStore;
  LaunchConfig c = config(1, 1);
  c.grid = {2, 3, 2};
  c.block = {4, 3, 2};
  const Address out = rig_.buffer("out", 12 * 96, false);
  const LaunchReport r = rig_.launch(k, c, {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  const auto words = rig_.words(out, 12 * 24);
  for (uint32_t g = 0; g < 12; ++g) {
    for (uint32_t i = 0; i < 24; ++i) {
      EXPECT_EQ(words[g * 24 + i], i % 4 | i / 4 % 3 << 10 | i / 12 << 20) << g << " " << i;
    }
  }
}

TEST_P(Start, Gfx12PassesTheNumberOfTheWave) {
  if (!rig_.gfx12()) GTEST_SKIP() << "gfx11 does not pass it";
  const std::string text = kBegin +
                           "s_bfe_u32 s6, ttmp8, 0x50019\ns_lshl_b32 s7, s6, 7\n"
                           "v_add_nc_u32 v1, s7, v1\nv_mov_b32 v2, s6\n" +
                           kStore;
  const Address out = rig_.buffer("out", 512);
  const LaunchReport r = run(text, config(1, 128), {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  const auto words = rig_.words(out, 128);
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(words[i], i / 32);
}

// MODE is that of the descriptor, field by field, and s_setreg writes fields in their places.
TEST_P(Start, ModeOfTheDescriptor) {
  HandKernel k;
  k.mode = 0x190;  // fp32 denormals 1, fp16 and fp64 denormals 2, DX10_CLAMP
  const std::string get = "s_getreg_b32 s8, hwreg(HW_REG_MODE, 0, 8)\nv_mov_b32 v2, s8\n";
  const auto store = [](int i) {
    return "global_store_b32 v1, v2, s[4:5] offset:" + std::to_string(128 * i) + "\n";
  };
  k.text =
      kBegin + get + store(0) + "s_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 4)\nv_mov_b32 v2, s8\n" +
      store(1) + "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 6, 2), 1\n" + get + store(2) +
      "s_mov_b32 s9, 0x2\ns_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s9\n" + get + store(3) +
      "s_denorm_mode 0xc\n" + get + store(4) + "s_round_mode 0x0\n" + get + store(5) + "s_endpgm\n";
  const Address out = rig_.buffer("out", 6 * 128);
  const LaunchReport r = rig_.launch(k, config(1, 32), {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  std::vector<uint32_t> got;
  for (size_t i = 0; i < 6; ++i) got.push_back(rig_.words(out + 128 * i, 1)[0]);
  EXPECT_THAT(got, ElementsAre(0x90, 0x9, 0x50, 0x60, 0xc0, 0xc0));
}

TEST_P(Start, ScalarLoadsMayReadToTheEndOfTheArgumentsLine) {
  HandKernel k;
  k.info.kernarg_bytes = 8;
  k.text = kBegin + "s_load_b512 s[16:31], s[0:1], 0x0\n%wait%\nv_mov_b32 v2, s16\n" + kStore;
  const Address out = rig_.buffer("out", 128);
  const LaunchReport r = rig_.launch(k, config(1, 32), {out});
  ASSERT_EQ(r.end, LaunchReport::End::completed) << what(r);
  EXPECT_EQ(rig_.words(out, 1)[0], static_cast<uint32_t>(out));
}

// Registers of one workgroup are not those of the next: undefined with tracking, zero without.
TEST_P(Start, EveryWorkgroupStartsAnew) {
  const std::string id = rig_.gfx12() ? "ttmp9" : "s2";
  const std::string text = "s_lshl_b32 s7, " + id + ", 7\n" + kBegin +
                           "v_add_nc_u32 v1, s7, v1\nv_mov_b32 v2, v9\nv_mov_b32 v9, 77\n" + kStore;
  const Address out = rig_.buffer("out", 256);
  LaunchConfig c = config(2, 32);
  c.checks = 0;
  ASSERT_EQ(run(text, c, {out}).end, LaunchReport::End::completed);
  EXPECT_EQ(rig_.words(out, 64), std::vector<uint32_t>(64, 0));

  const std::string second = "s_lshl_b32 s7, " + id + ", 7\n" + kBegin +
                             "v_add_nc_u32 v1, s7, v1\ns_cmp_eq_u32 " + id +
                             ", 0\ns_cbranch_scc0 other\n"
                             "v_mov_b32 v9, 77\ns_movk_i32 s9, 0x4d\nother:\n"
                             "v_mov_b32 v2, v9\nv_add_nc_u32 v2, s9, v2\n" +
                             kStore;
  const LaunchReport r = run(second, config(2, 32), {out});
  ASSERT_EQ(r.findings.size(), 1u) << what(r);
  EXPECT_EQ(r.findings[0].at.workgroup, 1);
  EXPECT_EQ(rig_.words(out, 1)[0], 154u);
}

W4_HAND_TESTS(Start);

TEST(HiddenArguments, EveryKindGetsItsValue) {
  KernelInfo k;
  const std::pair<const char*, uint64_t> want[] = {
      {"hidden_block_count_x", 2},
      {"hidden_block_count_y", 3},
      {"hidden_block_count_z", 4},
      {"hidden_group_size_x", 5},
      {"hidden_group_size_y", 6},
      {"hidden_group_size_z", 7},
      {"hidden_remainder_x", 0},
      {"hidden_global_offset_y", 0},
      {"hidden_grid_dims", 3},
      {"hidden_dynamic_lds_size", 99},
      {"hidden_private_base", kPrivateApertureHi},
      {"hidden_shared_base", kSharedApertureHi},
  };
  for (const auto& [kind, value] : want)
    k.args.push_back({static_cast<uint32_t>(k.args.size() * 8), 4, kind});
  LaunchConfig c;
  c.grid = {2, 3, 4};
  c.block = {5, 6, 7};
  c.dynamic_lds = 99;
  std::vector<uint8_t> bytes(k.args.size() * 8, 0xee), state(bytes.size(), 0);
  fill_hidden_arguments(k, c, bytes, state);
  for (size_t i = 0; i < k.args.size(); ++i) {
    uint32_t value = 0;
    std::memcpy(&value, &bytes[i * 8], 4);
    EXPECT_EQ(value, want[i].second) << want[i].first;
    EXPECT_EQ(state[i * 8 + 3], kDefined);
    EXPECT_EQ(state[i * 8 + 4], 0);
  }
  const auto dims = [&](Dim3 grid, Dim3 block) {
    c.grid = grid;
    c.block = block;
    fill_hidden_arguments(k, c, bytes, state);
    return bytes[8 * 8];
  };
  EXPECT_EQ(dims({2, 1, 1}, {8, 1, 1}), 1);
  EXPECT_EQ(dims({2, 1, 1}, {8, 2, 1}), 2);
  EXPECT_EQ(dims({2, 2, 1}, {8, 1, 1}), 2);
  EXPECT_EQ(dims({2, 1, 1}, {8, 1, 2}), 3);
  EXPECT_EQ(dims({2, 1, 2}, {8, 1, 1}), 3);
}

}  // namespace
}  // namespace w4::rdna
