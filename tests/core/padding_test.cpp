#include "core/padding.h"

#include <gtest/gtest.h>

#include "core/gpu.h"

namespace w4 {
namespace {

// The worked strides of contract.md 11.2.
struct Row {
  int64_t k, r, f1, f2, v3;
};
constexpr Row kWorked[] = {{896, 448, 448, 640, 448},       {1024, 512, 512, 768, 512},
                           {1216, 608, 608, 640, 608},      {2048, 1024, 1024, 1280, 1152},
                           {2560, 1280, 1280, 1280, 1280},  {4096, 2048, 2176, 2304, 2176},
                           {6144, 3072, 3072, 3328, 3200},  {8192, 4096, 4224, 4352, 4224},
                           {9728, 4864, 4864, 4864, 4864},  {10240, 5120, 5120, 5376, 5248},
                           {12288, 6144, 6272, 6400, 6272}, {14336, 7168, 7168, 7424, 7296}};

TEST(Padding, TheWorkedStrides) {
  for (const Row& row : kWorked) {
    Problem p{.k = row.k};
    EXPECT_EQ(weight_stride_bytes(p), row.r);
    p.pad = Padding::f1;
    EXPECT_EQ(weight_stride_bytes(p), row.f1) << row.k;
    p.pad = Padding::f2;
    EXPECT_EQ(weight_stride_bytes(p), row.f2) << row.k;
    p.pad = Padding::v3;
    EXPECT_EQ(weight_stride_bytes(p), row.v3) << row.k;
    EXPECT_EQ(dense_stride(p), row.k + (row.v3 - row.r) / 2) << row.k;
  }
}

// A pad of bytes that clause weight.stride refuses is one of elements that it refuses too.
TEST(Padding, AnIllegalPadOfADenseCopyStaysIllegal) {
  for (int64_t pad = -16; pad <= 16; ++pad) {
    const Problem p{.k = 128, .wpad = pad};
    const int64_t bytes = 2 * (dense_stride(p) - p.k);
    EXPECT_EQ(bytes >= 0 && bytes % 4 == 0, pad >= 0 && pad % 4 == 0) << pad;
    if (pad % 4 == 0) EXPECT_EQ(bytes, pad);
  }
}

// What a rule is for: no row of F2 is a multiple of 512 bytes, and all stay on lines of 128.
TEST(Padding, F2LeavesTheCliffFromEveryRow) {
  for (int64_t r = 8; r <= 16384; r += 8) {
    const int64_t stride = r + weight_row_pad(Padding::f2, r);
    EXPECT_EQ(stride % 128, 0) << r;
    EXPECT_NE(stride % 512, 0) << r;
    EXPECT_LE(stride - r, 256) << r;
  }
}

TEST(Padding, ScaleRowsOfF2) {
  Problem p{.k = 16384, .g = 64};  // 256 groups: 512 bytes
  EXPECT_EQ(scale_stride(p), 256);
  for (const Padding rule : {Padding::f1, Padding::v3}) {
    p.pad = rule;
    EXPECT_EQ(scale_stride(p), 256);
  }
  p.pad = Padding::f2;
  EXPECT_EQ(scale_stride(p), 320);
  p.k = 16320;
  EXPECT_EQ(scale_stride(p), 255);
  EXPECT_EQ(scale_row_pad(Padding::f2, 0), 0);
}

TEST(Padding, GivenPadsWinAndEmptyRowsHaveNone) {
  Problem p{.k = 4096};
  p.pad = Padding::v3;
  p.wpad = 4;
  p.spad = 3;
  EXPECT_EQ(weight_stride_bytes(p), 2052);
  EXPECT_EQ(scale_stride(p), 35);
  for (const Padding rule : {Padding::none, Padding::f1, Padding::f2, Padding::v3}) {
    EXPECT_EQ(weight_row_pad(rule, 0), 0);
    EXPECT_EQ(weight_row_pad(rule, -512), 0);
  }
}

TEST(Padding, OnlyGfx1151IsPadded) {
  for (const GpuModel& gpu : gpu_models()) {
    EXPECT_EQ(padding_rule(gpu.arch), gpu.arch == "gfx1151" ? Padding::v3 : Padding::none);
  }
}

}  // namespace
}  // namespace w4
