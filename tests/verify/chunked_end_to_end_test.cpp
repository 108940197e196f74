// The chunked kernels' own code on the emulated archs and on the host: no alarm anywhere, whatever
// side of the LDS array K*M lies on and however ragged N and K are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/contract.h"
#include "kernels/chunked_tile.h"
#include "verify/run_case.h"

namespace w4 {
namespace {

struct Where {
  const char *device, *fp;
};

class ChunkedEndToEnd : public testing::TestWithParam<Where> {
 protected:
  // The verdict where it is not green, and where another form ran than is expected.
  void expect_green(const std::string& line, const char* form = "") {
    const auto c = parse_case(
        fmt::format("chunked {} device={} fp={}", line, GetParam().device, GetParam().fp));
    ASSERT_TRUE(c.has_value()) << line << ": " << c.error().text;
    const Verdict v = run_case(*c, context_);
    EXPECT_TRUE(v.green()) << to_string(v);
    EXPECT_TRUE(v.ran.instantiation.starts_with(form))
        << line << ": " << v.ran.instantiation << ", not " << form;
  }
  Context context_;
};

TEST_P(ChunkedEndToEnd, EachConfigurationOnce) {
  for (const char* act : {"f16", "bf16"}) {
    for (const char* zp : {"none", "packed"}) {
      for (const int g : {32, 64, 128}) {
        for (int m = 1; m <= 5; ++m) {
          for (const char* bias : {"none", "mxn"}) {
            expect_green(fmt::format("m={} n=24 k=640 g={} act={} zp={} bias={} seed={}", m, g, act,
                                     zp, bias, m * g),
                         "resident");
          }
        }
      }
    }
  }
}

// The last K that fits, the next, and one that takes several pieces; N below and off the tile.
TEST_P(ChunkedEndToEnd, BothSidesOfTheArrayAndFarPastIt) {
  int turn = 0;
  for (int m = 1; m <= 5; ++m) {
    for (const int g : {32, 64, 128}) {
      const int64_t fits = kLdsElements / m / g * g;
      for (const int64_t k : {fits, fits + g, 2 * fits + g}) {
        const bool packed = turn % 2 == 1;
        const int ragged[] = {1, 2, 3, 7};
        const int n = packed ? 8 : ragged[turn / 2 % 4];
        expect_green(fmt::format("m={} n={} k={} g={} act={} zp={} bias={}", m, n, k, g,
                                 turn / 3 % 2 == 0 ? "f16" : "bf16", packed ? "packed" : "none",
                                 turn % 3 == 0 ? "n" : "none"),
                     k == fits ? "resident" : "chunked");
        ++turn;
      }
    }
  }
  expect_green("m=5 n=8 k=18944 g=128 zp=packed", "chunked");
  expect_green("m=1 n=5 k=131104 g=32 act=bf16", "chunked");
}

// Several row tiles a wave, some waves past N in the last of them. At M = 1 and 2 a piece of K is
// long enough that those waves still have a part of it to stage: one that left would be missed.
TEST_P(ChunkedEndToEnd, WavesPastTheLastRowComeToEveryBarrier) {
  for (const char* shape : {"m=5 k=6592", "m=2 k=16448", "m=1 k=32832"}) {
    for (const int n : {41, 65, 130}) {
      for (const char* sched : {"rr", "rev", "prio:5"}) {
        expect_green(fmt::format("{} n={} g=64 cus=1 sched={}", shape, n, sched), "chunked");
      }
    }
  }
  for (const int n : {41, 63, 65}) expect_green(fmt::format("m=4 n={} k=512 cus=1", n), "resident");
}

// K = 544 is no whole step of any tile; 33312 is past the array at every M.
TEST_P(ChunkedEndToEnd, EveryTile) {
  for (int m = 1; m <= 5; ++m) {
    for (const bool symmetric : {true, false}) {
      for (const int64_t k : {544, 2080, 33312}) {
        for (const Tile& t : chunked_tiles(m, k, symmetric)) {
          expect_green(fmt::format("m={} n={} k={} g=32 act={} zp={} tile={}", m, symmetric ? 5 : 8,
                                   k, (t.u + m) % 2 == 0 ? "f16" : "bf16",
                                   symmetric ? "none" : "packed", to_string(t)));
        }
      }
    }
  }
}

// Both forms, and at M = 1 both lengths of a chunk within the one interval declared for them.
TEST_P(ChunkedEndToEnd, EveryFill) {
  for (const Fill fill : all_fills()) {
    for (const char* act : {"f16", "bf16"}) {
      // Enough outputs that a fill which promises signal shows it.
      for (const char* shape :
           {"m=3 n=64 k=1024 zp=packed bias=n", "m=3 n=64 k=1024 zp=packed bias=n tile=y4u2a16w16",
            "m=1 n=64 k=1024 tile=y2u4a16w16", "m=1 n=64 k=1024 tile=y1u4a32w16",
            "m=1 n=64 k=1024 tile=y2u8a32w16"}) {
        expect_green(fmt::format("{} g=64 act={} fill={}", shape, act, name_of(fill)));
      }
    }
  }
}

TEST_P(ChunkedEndToEnd, StridesPadsOffsetsSourcesAndCus) {
  for (const char* k : {"k=512", "k=11008"}) {
    expect_green(
        fmt::format("m=4 n=24 {} g=64 zp=packed bias=1xn lda=11272 wpad=12 spad=3 aoff=48 "
                    "woff=4 soff=2 zoff=12 boff=6 yoff=10 sched=random:9",
                    k));
    for (const char* src : {"ct", "awq", "gptq1"}) {
      expect_green(fmt::format("m=3 n=16 {} g=128 src={} zp=packed lda=11008", k, src));
    }
  }
  for (const int cus : {1, 7, 48, 10000}) {
    expect_green(fmt::format("m=5 n=41 k=256 g=128 bias=mx1 cus={}", cus));
    expect_green(fmt::format("m=5 n=41 k=6656 g=128 bias=mx1 cus={}", cus));
  }
}

INSTANTIATE_TEST_SUITE_P(Archs, ChunkedEndToEnd,
                         testing::Values(Where{"gfx1100", "ieee"}, Where{"gfx1100", "auto"},
                                         Where{"gfx1151", "ieee"}, Where{"gfx1151", "auto"},
                                         Where{"gfx1201", "ieee"}, Where{"gfx1201", "auto"},
                                         Where{"host", "ieee"}, Where{"host", "auto"}),
                         [](const auto& p) {
                           return fmt::format("{}_fp_{}", p.param.device, p.param.fp);
                         });

}  // namespace
}  // namespace w4
