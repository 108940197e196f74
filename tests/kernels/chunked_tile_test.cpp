// The instantiation of a call of `chunked` against contract.md 6.8 (V3) and 6.6, written down here
// by hand, and the clause on forced tiles against the table of instantiations.
#include "kernels/chunked_tile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/contract.h"
#include "kernels/chunked_args.h"
#include "kernels/decode_tile.h"

namespace w4 {
namespace {

Tile tile(int y, int u, int a = 16) { return {y, u, a, 16}; }

// One CU, so that sYT is ceil(N/4); mindiv(N, 4) is below 16 where the last pass leaves waves idle.
TEST(ChunkedTile, EachRowOfTheTableHoldsToItsEdge) {
  struct Edge {
    int64_t m, n, k;
    bool symmetric;
    Tile want;
  };
  for (const Edge& e : {
           // Past the array: sYT < 30; then by the wave balance. 128 rows are two passes of 16
           // waves; 120 need two of 15, 196 four of 13.
           Edge{2, 116, 16416, true, tile(4, 2)},
           Edge{2, 117, 16416, true, tile(2, 2)},
           Edge{2, 128, 16416, true, tile(4, 1)},
           Edge{2, 128, 16384, true, tile(2, 2)},
           Edge{5, 196, 6560, false, tile(2, 2)},
           Edge{5, 192, 6560, false, tile(4, 1)},
           Edge{1, 116, 40960, true, tile(4, 2)},
           Edge{1, 192, 40960, true, tile(4, 1)},
           // M >= 3 with many rows: V3's row asks for K >= 4096 and idle waves.
           Edge{3, 157, 4096, true, tile(2, 2)},
           Edge{3, 157, 4064, true, tile(4, 1)},
           Edge{3, 192, 4096, true, tile(4, 1)},
           Edge{5, 1920, 4096, true, tile(4, 1)},
           // 31 passes of 16 waves, 33 of 15: with so many rows no wave is idle.
           Edge{5, 1956, 4096, true, tile(4, 1)},
           Edge{3, 156, 4096, true, tile(2, 4)},
           Edge{5, 156, 2048, true, tile(2, 4)},
           Edge{5, 156, 2080, true, tile(2, 2)},
           Edge{5, 156, 4064, true, tile(2, 2)},
           Edge{2, 5000, 512, true, tile(2, 2)},
           // M = 1: chunks of 32 by K alone, and by K where symmetric.
           Edge{1, 8, 4096, true, tile(1, 4, 32)},
           Edge{1, 5000, 4096, false, tile(1, 4, 32)},
           Edge{1, 8, 8192, true, tile(2, 8, 32)},
           Edge{1, 8, 8192, false, tile(1, 4)},
           Edge{1, 5000, 24576, true, tile(2, 8, 32)},
           Edge{1, 5000, 24576, false, tile(2, 4)},
           Edge{1, 8, 32768, true, tile(2, 8, 32)},
           Edge{1, 117, 512, true, tile(2, 4)},
           Edge{1, 116, 512, true, tile(1, 4)},
       }) {
    EXPECT_EQ(to_string(chunked_tile(e.m, e.n, e.k, 1, e.symmetric)), to_string(e.want))
        << e.m << " " << e.n << " " << e.k << " " << e.symmetric;
  }
}

// contract.md 6.6 by hand: kFit in whole steps, K spread evenly, rounded up to a step.
TEST(ChunkedTile, PiecesOfKAreEvenWholeStepsThatFit) {
  // M = 5, (4,2): steps of 1024, kFit = 6553 -> 6144; 18944 in 4 pieces of 4736 -> 5120.
  EXPECT_EQ(walk_chunk(18944, 32768, 5, 1024), 5120);
  // M = 1, (4,1): steps of 512, kFit = 32768; 32896 in 2 of 16448 -> 16896.
  EXPECT_EQ(walk_chunk(32896, 32768, 1, 512), 16896);
  EXPECT_EQ(walk_chunk(32, 32768, 4, 1024), 1024);
  EXPECT_EQ(walk_fit(8192, 5, 2048), 0);
  for (int64_t m = 1; m <= 5; m++) {
    for (const int64_t step : {256, 512, 1024, 2048, 4096}) {
      for (int64_t k = 32; k < 200000; k += 32 * (1 + k / 2048)) {
        const int64_t chunk = walk_chunk(k, 32768, m, step);
        EXPECT_EQ(chunk % step, 0);
        EXPECT_LE(chunk * m, 32768) << k << " " << m << " " << step;
        // As few pieces as possible, none of them empty.
        const int64_t fit = 32768 / m / step * step;
        EXPECT_LE((k + chunk - 1) / chunk, (k + fit - 1) / fit);
      }
    }
  }
}

TEST(ChunkedTile, TheFormChangesExactlyAtTheArray) {
  for (int64_t m = 1; m <= 5; m++) {
    const int64_t fits = 32768 / m / 32 * 32;
    for (const int64_t n : {1, 64, 4096}) {
      const ChunkedPlan at = plan_chunked(m, n, fits, 20, false, {});
      EXPECT_EQ(at.form, ChunkedForm::resident);
      EXPECT_EQ(at.chunk, fits);
      const ChunkedPlan past = plan_chunked(m, n, fits + 32, 20, false, {});
      EXPECT_EQ(past.form, ChunkedForm::chunked);
      EXPECT_LE(past.chunk * m, 32768);
    }
  }
}

TEST(ChunkedTile, TheTableChoosesOnlyWhatExistsAndCoversEveryRow) {
  for (int64_t m = 1; m <= 5; m++) {
    for (const int64_t n : {1, 2, 3, 4, 7, 64, 1152, 2560, 6145, 19456, 37888, 200001}) {
      for (const int64_t k :
           {32, 2048, 2080, 4064, 4096, 6528, 8192, 13088, 19648, 32768, 39296, 65536, 1048576}) {
        for (const int64_t cus : {1, 20, 32, 48, 10000}) {
          for (const bool symmetric : {false, true}) {
            const ChunkedPlan p = plan_chunked(m, n, k, cus, symmetric, {});
            EXPECT_TRUE(chunked_exists(p.form, m, tile(p.y, p.u, p.a), symmetric))
                << m << " " << n << " " << k << " " << cus << " " << symmetric;
            EXPECT_EQ(p.form == ChunkedForm::resident, m * k <= 32768);
            EXPECT_LE(p.blocks, cus);
            EXPECT_TRUE(p.waves >= 4 && p.waves <= 16);
            const int64_t rows = cus * p.waves * p.y;
            EXPECT_GE(p.blocks * p.waves * p.y * ((n + rows - 1) / rows), n) << "rows left over";
          }
        }
      }
    }
  }
}

// Equal bits for every CU count need an equal A.
TEST(ChunkedTile, NeitherCusNorRowsChangeTheLengthOfAChunk) {
  for (int64_t m = 1; m <= 5; m++) {
    for (int64_t k = 32; k <= 66000; k += 32) {
      for (const bool symmetric : {false, true}) {
        const int a = chunked_tile(m, 64, k, 20, symmetric).a;
        for (const int64_t cus : {1, 7, 48, 10000}) {
          for (const int64_t n : {1, 4096}) {
            EXPECT_EQ(chunked_tile(m, n, k, cus, symmetric).a, a) << m << " " << k;
          }
        }
      }
    }
  }
}

// The clause says of the problem what the instantiations say.
TEST(ChunkedTile, TheClauseTakesExactlyTheTilesThatExist) {
  const Clause* clause = find_clause("tile.chunked");
  ASSERT_NE(clause, nullptr);
  int legal = 0, illegal = 0;
  for (int64_t m = 0; m <= 6; m++) {
    for (const int64_t k : {512, 32768 / std::max<int>(1, static_cast<int>(m)),
                            32768 / std::max<int>(1, static_cast<int>(m)) + 32, 100000}) {
      for (const ZpMode zp : {ZpMode::none, ZpMode::packed}) {
        for (const int y : {0, 1, 2, 3, 4, 8}) {
          for (const int u : {1, 2, 4, 8}) {
            for (const int a : {8, 16, 32}) {
              for (const int w : {15, 16, 32}) {
                Problem p;
                p.m = m;
                p.k = k;
                p.zp = zp;
                p.tile = Tile{y, u, a, w};
                const auto form = chunked_form(m, k, *p.tile, zp == ZpMode::none);
                EXPECT_EQ(form.has_value(), !clause->broken(p, {20, 65536}))
                    << m << " " << k << " " << to_string(*p.tile);
                (form ? legal : illegal)++;
                const auto tiles = chunked_tiles(m, k, zp == ZpMode::none);
                EXPECT_EQ(form.has_value(), std::ranges::count(tiles, *p.tile) == 1);
                if (form) {
                  EXPECT_EQ(plan_chunked(m, 64, k, 20, zp == ZpMode::none, p.tile).form, *form);
                }
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(legal, 100);
  EXPECT_GT(illegal, 1000);
  Problem gemm;
  gemm.tile = Tile{.w = 16, .gemm = true, .bm = 64, .bn = 64, .bk = 32};
  EXPECT_TRUE(clause->broken(gemm, {20, 65536}));
}

TEST(ChunkedTile, EveryInstantiationCanBeForced) {
  const auto reached = [](ChunkedForm form, int64_t m, Tile t, bool symmetric) {
    const int64_t k = form == ChunkedForm::resident ? 512 : 65536;
    return chunked_form(m, k, t, symmetric) == form;
  };
  int count = 0;
#define W4_ROW(FORM, M, Y, U, A, ZPS)                              \
  EXPECT_TRUE(reached(ChunkedForm::FORM, M, tile(Y, U, A), true)); \
  EXPECT_EQ(reached(ChunkedForm::FORM, M, tile(Y, U, A), false),   \
            std::string_view(#ZPS) == "both");                     \
  count++;
  W4_CHUNKED_TILES(W4_ROW)
#undef W4_ROW
  EXPECT_EQ(count, 29);
}

}  // namespace
}  // namespace w4
