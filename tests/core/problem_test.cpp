#include "core/problem.h"

#include <gtest/gtest.h>

#include <limits>

namespace w4 {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(Problem, AutoFollowsTheContract) {
  const Problem p{.m = 3, .n = 72, .k = 384, .g = 128};
  EXPECT_EQ(groups(p), 3);
  EXPECT_EQ(weight_row_bytes(p), 192);
  EXPECT_EQ(resolved_lda(p), 384);
  EXPECT_EQ(resolved_ldy(p), 72);
  EXPECT_EQ(weight_stride_bytes(p), 192);
  EXPECT_EQ(scale_stride(p), 3);
  EXPECT_EQ(bias_dims(p), (std::array<int64_t, 2>{0, 0}));
  EXPECT_EQ(bias_stride(p), 0);
}

TEST(Problem, GivenFieldsWin) {
  Problem p{.m = 3, .n = 72, .k = 384, .g = 128};
  p.lda = 400;
  p.wpad = 64;
  p.spad = 5;
  p.ldy = 80;
  p.cus = 7;
  p.lds = 163840;
  EXPECT_EQ(resolved_lda(p), 400);
  EXPECT_EQ(resolved_ldy(p), 80);
  EXPECT_EQ(weight_stride_bytes(p), 256);
  EXPECT_EQ(scale_stride(p), 8);
  const Reported r = resolve_reported(p, *find_gpu("gfx1151"));
  EXPECT_EQ(r.cus, 7);
  EXPECT_EQ(r.lds, 163840);
  EXPECT_EQ(resolve_reported(Problem{}, *find_gpu("gfx1100")).cus, 48);
  EXPECT_EQ(resolve_reported(Problem{}, *find_gpu("gfx1100")).lds, 65536);
}

TEST(Problem, BiasExtentsResolve) {
  const Extent m{Extent::Of::m, 0}, n{Extent::Of::n, 0}, nine{Extent::Of::literal, 9};
  Problem p{.m = 3, .n = 72};
  p.bias = {1, {n, {}}};
  EXPECT_EQ(bias_dims(p), (std::array<int64_t, 2>{1, 72}));
  EXPECT_EQ(bias_stride(p), 1);
  p.bias = {2, {m, nine}};
  EXPECT_EQ(bias_dims(p), (std::array<int64_t, 2>{3, 9}));
  EXPECT_EQ(bias_stride(p), 9);
  EXPECT_EQ(to_string(p.bias), "mx9");
  p.ldb = 12;
  EXPECT_EQ(bias_stride(p), 12);
}

TEST(Problem, IllegalSizesNeverDivideByZeroOverflowOrGoNegative) {
  for (int64_t k : {kMin, int64_t{-7}, int64_t{0}, int64_t{5}, kMax}) {
    for (int64_t g : {kMin, int64_t{-1}, int64_t{0}, int64_t{1}, kMax}) {
      for (int64_t pad : {kMin, int64_t{-3}, int64_t{0}, kMax}) {
        Problem p{.m = k, .n = k, .k = k, .g = g};
        p.lda = p.ldy = p.ldb = p.wpad = p.spad = pad;
        p.bias = {2, {Extent{Extent::Of::literal, pad}, Extent{Extent::Of::m, 0}}};
        EXPECT_GE(groups(p), 0);
        EXPECT_GE(weight_row_bytes(p), 0);
        EXPECT_GE(resolved_lda(p), 0);
        EXPECT_GE(resolved_ldy(p), 0);
        EXPECT_GE(weight_stride_bytes(p), 0);
        EXPECT_GE(scale_stride(p), 0);
        EXPECT_GE(bias_stride(p), 0);
        EXPECT_GE(bias_dims(p)[0], 0);
        EXPECT_GE(bias_dims(p)[1], 0);
      }
    }
  }
  EXPECT_EQ(weight_row_bytes(Problem{.k = 5}), 3);
  EXPECT_EQ(groups(Problem{.k = 100, .g = 48}), 2);
}

}  // namespace
}  // namespace w4
