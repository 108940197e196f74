// The key `only`: what it leaves out is zero, what it keeps is as it was, in every order of rows.
#include <gtest/gtest.h>

#include "verify/materialise.h"

namespace w4 {
namespace {

Case with(std::string line) { return *parse_case(line); }

TEST(Only, ActivationsOutsideAreZero) {
  const std::string line = "decode m=3 n=8 k=64 g=32";
  const Case all = with(line), some = with(line + " only=m1..2+k5..40");
  const Arrays a = make_arrays(all, make_weights(all)), b = make_arrays(some, make_weights(some));
  for (int64_t m = 0; m < 3; ++m) {
    for (int64_t k = 0; k < 64; ++k) {
      const auto i = static_cast<size_t>(m * 64 + k);
      const bool kept = m >= 1 && k >= 5 && k <= 40;
      EXPECT_EQ(b.a[i], kept ? a.a[i] : 0) << m << " " << k;
    }
  }
  EXPECT_EQ(a.wei->s, b.wei->s);
  EXPECT_EQ(a.wei->q, b.wei->q);
}

TEST(Only, ScalesOfOtherRowsAreZeroInAShardToo) {
  for (const char* shard : {"", " n0=8 k0=32"}) {
    const std::string line = "decode n=24 k=64 g=32 zp=packed src=ct" + std::string(shard);
    const Case all = with(line), some = with(line + " only=n8..9");
    const auto a = make_weights(all), b = make_weights(some);
    for (int64_t n = 0; n < 24; ++n) {
      for (int64_t g = 0; g < 2; ++g) {
        EXPECT_EQ(b->scale(n, g), n == 8 || n == 9 ? a->scale(n, g) : 0) << n << " " << g;
      }
    }
    EXPECT_EQ(a->z, b->z);
  }
}

TEST(Only, RowsOfExpertsAreTokensOrRowsOfTheBlocks) {
  for (const std::string rows : {"scattered", "contiguous"}) {
    const std::string line =
        "moe m=4 n=8 k=64 g=32 experts=3 topk=2 blockm=2 rows=" + rows + " only=m1..1+n2..3";
    const Case c = with(line);
    const Arrays x = make_arrays(c, make_weights(c));
    int64_t live = 0;
    for (int64_t m = 0; m < x.m; ++m) {
      bool any = false;
      for (int64_t k = 0; k < 64; ++k) any |= x.a[static_cast<size_t>(m * 64 + k)] != 0;
      EXPECT_EQ(any, rows == "scattered" ? m / 2 == 1 : m == 1) << rows << " " << m;
      live += any;
    }
    EXPECT_EQ(live, rows == "scattered" ? 2 : 1);
    for (int64_t n = 0; n < 24; ++n) {
      EXPECT_EQ(x.wei->scale(n, 0) != 0, n % 8 == 2 || n % 8 == 3) << n;
    }
  }
}

}  // namespace
}  // namespace w4
