// The geometry of what ran: read from the kernels' own texts, and of nobody else's.
#include "kernels/geometry.h"

#include <gtest/gtest.h>

#include <string>

namespace w4 {
namespace {

TEST(Geometry, OfAWalkIsColumnsOfAWaveAndPiecesOfK) {
  const auto g = geometry_of("medium m3 y2u4a16w16 w8 g64 f16 packed",
                             "w4_decode_medium_m3_y2_u4_g64_f16_packed");
  ASSERT_TRUE(g.has_value());
  EXPECT_EQ(g->m, (Edges{.tile = 3}));
  EXPECT_EQ(g->n, (Edges{.tile = 16, .wave = 2}));
  EXPECT_EQ(g->lane, 16);
  EXPECT_EQ(g->step, 512);
  EXPECT_EQ(g->unrolled, 2048);
  EXPECT_FALSE(g->blocks);
}

TEST(Geometry, OfMatrixKernelsIsTilesOfWavesOfMatrices) {
  const auto g =
      geometry_of("bm64bn128bk32w8 m70 g64 f16 packed", "w4_prefill_bm64bn128bk32_f16_packed");
  ASSERT_TRUE(g.has_value());
  EXPECT_EQ(g->m, (Edges{.tile = 64, .wave = 32, .matrix = 16}));
  EXPECT_EQ(g->n, (Edges{.tile = 128, .wave = 32, .matrix = 16}));
  const auto moe =
      geometry_of("m16 bm16bn32bk32w2 g64 bf16 packed", "w4_moe_prefill_bm16bn32bk32_bf16_packed");
  ASSERT_TRUE(moe.has_value());
  EXPECT_TRUE(moe->blocks);
  EXPECT_EQ(moe->n, (Edges{.tile = 32, .wave = 16, .matrix = 16}));
}

TEST(Geometry, IsNotGuessedForOthers) {
  const char* const ours = "medium m3 y2u4a16w16 w8 g64 f16 packed";
  EXPECT_FALSE(geometry_of(ours, "their_gemv").has_value());
  EXPECT_FALSE(geometry_of("", "w4_decode_medium").has_value());
  EXPECT_FALSE(geometry_of("medium m3 y2u4", "w4_decode_medium").has_value());
  EXPECT_FALSE(geometry_of("bm48bn48bk48w4 m70", "w4_prefill_x").has_value());
  EXPECT_FALSE(geometry_of(std::string(ours) + "; " + ours, "w4_decode_medium").has_value());
}

}  // namespace
}  // namespace w4
