// The prefill tile table at its edges, its mapping to the instantiations, and the clause over a
// Problem that says which can be forced.
#include "kernels/prefill_tile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/contract.h"
#include "kernels/prefill_args.h"

namespace w4 {
namespace {

Tile tile(int bm, int bn, int bk, int w) {
  Tile t;
  t.gemm = true;
  t.bm = bm, t.bn = bn, t.bk = bk, t.w = w;
  return t;
}

struct Line {
  const char* arch;
  w4_dtype act;
  int64_t m, n, k, g;
  Tile wanted;
};

// contract.md 7.4, both sides of each limit.
TEST(PrefillTile, TheTableAtItsEdges) {
  constexpr int64_t kSquare = 1000;  // N = K
  const Line lines[] = {
      {"gfx1201", W4_F16, 1, 64, 4096, 128, tile(16, 16, 128, 4)},
      {"gfx1200", W4_F16, 32, kSquare, kSquare, 128, tile(16, 16, 128, 4)},
      {"gfx1201", W4_F16, 33, 1000, 2000, 128, tile(64, 32, 128, 8)},
      {"gfx1201", W4_F16, 64, 1000, 1999, 128, tile(32, 64, 128, 4)},
      {"gfx1201", W4_BF16, 64, 1001, 1000, 128, tile(64, 32, 64, 8)},
      {"gfx1201", W4_F16, 64, kSquare, kSquare, 128, tile(32, 64, 128, 4)},
      {"gfx1201", W4_F16, 65, 1000, 2000, 128, tile(64, 16, 64, 1)},
      {"gfx1201", W4_F16, 128, 2000, 1000, 128, tile(64, 128, 64, 8)},
      {"gfx1201", W4_F16, 128, 1999, 1000, 128, tile(64, 64, 64, 8)},
      {"gfx1201", W4_F16, 129, 1000, 2000, 128, tile(128, 64, 64, 8)},
      {"gfx1201", W4_F16, 512, 4000, 1000, 128, tile(128, 128, 64, 8)},
      {"gfx1201", W4_F16, 512, 3999, 1000, 128, tile(64, 128, 64, 8)},
      {"gfx1201", W4_F16, 513, 4000, 1000, 128, tile(256, 64, 64, 8)},
      {"gfx1201", W4_F16, 100000, 3999, 1000, 128, tile(128, 128, 32, 8)},
      {"gfx1201", W4_F16, 513, 1000, 2000, 128, tile(128, 64, 64, 8)},
      {"gfx1151", W4_F16, 32, kSquare, kSquare, 128, tile(32, 32, 128, 4)},
      {"gfx1151", W4_F16, 33, kSquare, kSquare, 128, tile(64, 64, 32, 4)},
      {"gfx1151", W4_F16, 65, 1000, 2000, 128, tile(64, 16, 64, 1)},
      {"gfx1151", W4_F16, 128, 1001, 1000, 128, tile(64, 64, 64, 4)},
      {"gfx1151", W4_F16, 128, kSquare, kSquare, 128, tile(64, 32, 64, 4)},
      {"gfx1151", W4_BF16, 129, 1000, 2000, 128, tile(64, 64, 64, 4)},
      {"gfx1151", W4_BF16, 1024, 4000, 1000, 128, tile(128, 64, 64, 8)},
      {"gfx1151", W4_BF16, 1024, 3999, 1000, 128, tile(64, 128, 32, 4)},
      {"gfx1151", W4_BF16, 1025, 1000, 2000, 128, tile(128, 512, 32, 16)},
      {"gfx1151", W4_BF16, 1025, kSquare, kSquare, 128, tile(128, 64, 64, 8)},
      // V3's fp16 rows, above 128 tokens.
      {"gfx1151", W4_F16, 129, 4096, 4096, 128, tile(128, 128, 32, 8)},
      {"gfx1151", W4_F16, 256, 1024, 4096, 128, tile(128, 32, 32, 8)},
      {"gfx1151", W4_F16, 512, 1024, 4096, 128, tile(128, 32, 32, 8)},
      {"gfx1151", W4_F16, 513, 1024, 4096, 128, tile(128, 256, 32, 8)},
      {"gfx1151", W4_F16, 257, 1025, 4096, 128, tile(128, 256, 32, 8)},
      {"gfx1151", W4_F16, 2047, 2048, 4096, 128, tile(128, 256, 32, 8)},
      {"gfx1151", W4_F16, 2048, 2048, 4096, 128, tile(64, 256, 32, 8)},
      {"gfx1151", W4_F16, 2048, 2049, 4096, 128, tile(128, 256, 32, 8)},
      {"gfx1151", W4_F16, 2048, 2048, 4095, 128, tile(128, 256, 32, 8)},
      // Overrides, keyed by (G,K,N), up to 128 tokens.
      {"gfx1151", W4_F16, 1, 6144, 2048, 32, tile(128, 32, 32, 4)},
      {"gfx1151", W4_BF16, 128, 2048, 2048, 32, tile(128, 32, 32, 4)},
      {"gfx1151", W4_F16, 64, 16384, 2048, 32, tile(128, 32, 32, 4)},
      {"gfx1151", W4_F16, 128, 2048, 8192, 32, tile(128, 64, 32, 8)},
      {"gfx1151", W4_F16, 128, 6144, 4096, 128, tile(128, 64, 128, 8)},
      {"gfx1151", W4_F16, 128, 4096, 12288, 128, tile(128, 64, 128, 8)},
      {"gfx1151", W4_F16, 128, 4096, 4096, 128, tile(128, 32, 128, 4)},
      {"gfx1151", W4_F16, 128, 24576, 4096, 128, tile(64, 32, 128, 2)},
      {"gfx1151", W4_F16, 128, 4096, 4096, 64, tile(64, 32, 64, 4)},
      {"gfx1151", W4_BF16, 129, 2048, 2048, 32, tile(64, 128, 32, 4)},
      {"gfx1100", W4_F16, 128, 4096, 4096, 128, tile(128, 128, 32, 4)},
      {"gfx1100", W4_F16, 32, 64, 64, 32, tile(32, 64, 32, 4)},
      {"gfx1150", W4_F16, 33, 64, 64, 32, tile(64, 64, 32, 4)},
      {"host", W4_F16, 65, 64, 64, 32, tile(64, 32, 64, 4)},
      {"cuda", W4_F16, 128, 4096, 4096, 64, tile(64, 32, 64, 4)},
      {"cuda", W4_F16, 513, 1024, 4096, 128, tile(128, 256, 32, 8)},
  };
  for (const Line& l : lines) {
    EXPECT_EQ(prefill_wanted(l.arch, l.act, l.m, l.n, l.k, l.g), l.wanted)
        << l.arch << " " << l.m << " " << l.n << " " << l.k << ": "
        << to_string(prefill_wanted(l.arch, l.act, l.m, l.n, l.k, l.g));
  }
}

constexpr PrefillWeights kAll[] = {PrefillWeights::packed, PrefillWeights::dense,
                                   PrefillWeights::carrier};

TEST(PrefillTile, EverythingWantedHasAnInstantiationNoDeeperThanAGroup) {
  for (const char* arch : {"gfx1201", "gfx1151", "gfx1100"}) {
    for (const Tile& wanted : prefill_all_wanted(arch)) {
      for (const int64_t g : {32, 64, 128}) {
        for (const PrefillWeights weights : kAll) {
          const Tile given = prefill_given(wanted, g, weights);
          EXPECT_TRUE(prefill_exists(given, weights)) << to_string(wanted);
          EXPECT_EQ(given.bm, std::min(wanted.bm, 128)) << to_string(wanted);
          EXPECT_EQ(given.bn, std::min(wanted.bn, 128)) << to_string(wanted);
          EXPECT_LE(given.bk, g);
          // The depth is what was asked for, where packed weights are read.
          if (weights == PrefillWeights::packed) {
            EXPECT_EQ(given.bk, std::min<int64_t>(wanted.bk, g)) << to_string(wanted);
          } else {
            EXPECT_EQ(given.bk, 32);
          }
        }
      }
    }
  }
}

TEST(PrefillTile, EveryShapeIsWantedSomewhere) {
  std::vector<Tile> given;
  for (const char* arch : {"gfx1201", "gfx1151", "gfx1100"}) {
    for (const Tile& wanted : prefill_all_wanted(arch)) {
      for (const int64_t g : {32, 64, 128}) {
        given.push_back(prefill_given(wanted, g, PrefillWeights::packed));
      }
    }
  }
  for (const Tile& t : prefill_tiles(PrefillWeights::packed)) {
    // 128 x 32 x 64: overrides have G of 32 and 128 alone; it can be forced.
    EXPECT_TRUE(std::ranges::find(given, t) != given.end()) << to_string(t);
  }
}

TEST(PrefillTile, TheLdsBoundIsTheLargestArray) {
  int64_t most = 0;
  for (const Tile& t : prefill_tiles(PrefillWeights::packed)) {
    most = std::max(most, prefill_lds_bytes(t));
  }
  EXPECT_EQ(most, int64_t{kPrefillLdsBytes});
  EXPECT_EQ(most, kPrefillLds);
  EXPECT_LE(most, 65536);
}

TEST(PrefillTile, TheClauseAllowsWhatExistsAndIsNoDeeperThanAGroup) {
  const Clause* legal = find_clause("tile.prefill");
  const Clause* depth = find_clause("tile.depth");
  ASSERT_NE(legal, nullptr);
  ASSERT_NE(depth, nullptr);
  int allowed = 0;
  for (const int64_t g : {32, 64, 128}) {
    for (const int bm : {0, 8, 16, 32, 48, 64, 128, 256}) {
      for (const int bn : {0, 16, 32, 64, 128, 512}) {
        for (const int bk : {0, 16, 32, 48, 64, 128, 256}) {
          for (const int w : {0, 1, 2, 4, 8, 16}) {
            Problem p;
            p.g = g;
            p.tile = tile(bm, bn, bk, w);
            const bool exists = prefill_exists(*p.tile, PrefillWeights::packed) && bk <= g;
            EXPECT_EQ(!legal->broken(p, {}), exists) << to_string(*p.tile) << " g=" << g;
            const bool dense = prefill_exists(*p.tile, PrefillWeights::dense);
            EXPECT_EQ(!legal->broken(p, {}) && !depth->broken(p, {}), dense) << to_string(*p.tile);
            allowed += exists;
          }
        }
      }
    }
  }
  EXPECT_EQ(allowed, 10 + 20 + 26);
  Problem decode;
  decode.tile = Tile{2, 4, 16, 16};
  EXPECT_TRUE(legal->broken(decode, {}));
}

TEST(PrefillTile, ThePlanCoversTheOutputOnce) {
  for (const int64_t m : {1, 16, 17, 64, 129}) {
    for (const int64_t n : {1, 15, 130, 4096}) {
      for (const char* arch : {"gfx1201", "gfx1151", "gfx1100"}) {
        const PrefillPlan p =
            plan_prefill(arch, W4_F16, m, n, 4096, 128, PrefillWeights::packed, {});
        EXPECT_GE(p.tiles_m * p.tile.bm, m);
        EXPECT_LT((p.tiles_m - 1) * p.tile.bm, m);
        const int64_t tiles_n = p.blocks / p.tiles_m;
        EXPECT_EQ(p.tiles_m * tiles_n, p.blocks);
        EXPECT_GE(tiles_n * p.tile.bn, n);
        EXPECT_LT((tiles_n - 1) * p.tile.bn, n);
      }
    }
  }
}

}  // namespace
}  // namespace w4
