// Which instantiation of the MoE kernel runs: tables, forms and arrays from one constant, and the
// clause that speaks of forced tiles.
#include "kernels/moe_tile.h"

#include <gmock/gmock.h>

#include "core/contract.h"
#include "kernels/decode_tile.h"

namespace w4 {
namespace {

TEST(MoeTile, TableOfOneRow) {
  EXPECT_EQ(moe_tile(1, 1536, 2048, 20), (Tile{4, 2, 32, 32}));
  EXPECT_EQ(moe_tile(1, 2048, 1024, 20), (Tile{4, 4, 16, 16}));
  EXPECT_EQ(moe_tile(1, 2048, 4096, 20), (Tile{4, 4, 16, 16}));
  EXPECT_EQ(moe_tile(1, 2048, 512, 20), (Tile{4, 1, 8, 32}));
  EXPECT_EQ(moe_tile(1, 2048, 768, 20), (Tile{4, 2, 16, 16}));
}

TEST(MoeTile, MoreRowsFollowDecode) {
  for (int64_t m = 2; m <= 5; ++m) {
    for (const int64_t n : {64, 1536, 40000}) {
      for (const int64_t k : {256, 3072, 8192, 20480}) {
        EXPECT_EQ(moe_tile(m, n, k, 20), decode_tile(m, n, k, 20, 32768));
      }
    }
  }
}

TEST(MoeTile, FormArrayAndGuardFollowTheSameNumbers) {
  const auto plan = [](int64_t m, int64_t k, bool silu = false) {
    return plan_moe(m, 64, k, 20, silu, {});
  };
  EXPECT_EQ(plan(1, 8192).elements, 8192);
  EXPECT_EQ(plan(1, 8224).elements, 32768);
  EXPECT_EQ(plan(1, 8224).form, MoeForm::resident);
  EXPECT_EQ(plan(1, 32768).form, MoeForm::resident);
  EXPECT_EQ(plan(1, 32800).form, MoeForm::chunked);
  EXPECT_EQ(plan(5, 1632).elements, 8192);
  EXPECT_EQ(plan(5, 1664).elements, 32768);
  EXPECT_EQ(plan(5, 6560).form, MoeForm::chunked);
  EXPECT_EQ(plan(1, 8192, true).form, MoeForm::silu);
  EXPECT_EQ(plan(1, 8192, true).elements, 8192);
  EXPECT_TRUE(moe_silu_fits(1, 8192));
  EXPECT_FALSE(moe_silu_fits(1, 8224));
  EXPECT_FALSE(moe_silu_fits(2, 64));
  for (int64_t m = 1; m <= 5; ++m) {
    for (int64_t k = 32; k <= 70000; k += 32) {
      const MoePlan p = plan(m, k);
      ASSERT_TRUE(moe_exists(p.form, m, p.tile)) << m << " " << k;
      const bool whole = p.form != MoeForm::chunked;
      ASSERT_LE(m * (whole ? k : p.chunk), p.elements) << m << " " << k;
      ASSERT_EQ(p.elements == 8192, m * k <= 8192);
    }
  }
}

TEST(MoeTile, TheClauseKnowsEveryForcedTile) {
  const Clause* clause = find_clause("tile.moe");
  ASSERT_NE(clause, nullptr);
  int legal = 0;
  for (int64_t m = 1; m <= 5; ++m) {
    for (const int64_t k : {256, 8192, 8320, 32768, 33024, 65536}) {
      for (const bool silu : {false, true}) {
        if (silu && !moe_silu_fits(m, k)) continue;
        for (const int y : {1, 2, 4}) {
          for (const int u : {1, 2, 4, 8}) {
            for (const int a : {8, 16, 32}) {
              for (const int w : {16, 32}) {
                Problem p;
                p.experts = 2, p.blockm = m, p.k = k, p.silu = silu;
                p.tile = Tile{y, u, a, w};
                const bool exists = moe_form(m, k, silu, *p.tile).has_value();
                EXPECT_EQ(!clause->broken(p, {}), exists)
                    << m << " " << k << " " << silu << " " << to_string(*p.tile);
                legal += exists;
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(legal, 60);
}

}  // namespace
}  // namespace w4
