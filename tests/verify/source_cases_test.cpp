// Cases about checkpoints, from the line to the verdict: shards, pads by rule, zero points that
// mean nothing, group indices.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/run_case.h"

namespace w4 {
namespace {

using testing::HasSubstr;

Verdict run(const std::string& line) {
  static Context context;
  const auto c = parse_case(line);
  EXPECT_TRUE(c) << line << ": " << (c ? "" : c.error().text);
  return run_case(*c, context);
}

TEST(SourceCases, ShardsOfEveryFormatPass) {
  for (const char* src : {"shuffled", "ct", "awq", "gptq1", "gptq2"}) {
    for (const char* zp : {"none", "packed", "unpacked"}) {
      for (const char* at : {"n0=8", "k0=64", "n0=16 k0=96"}) {
        const Verdict v =
            run(fmt::format("decode m=2 n=16 k=128 g=32 src={} zp={} {}", src, zp, at));
        EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
      }
    }
  }
}

// The same rows and columns of one checkpoint: what a shard computes is its part of the whole.
TEST(SourceCases, AShardIsOtherWeightsThanTheWholesFirstRows) {
  const auto worst = [](const std::string& line) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    return std::get<Pass>(v.primary()).worst.twin;
  };
  EXPECT_NE(worst("decode n=8 k=64 g=32 src=ct"), worst("decode n=8 k=64 g=32 src=ct k0=64"));
  EXPECT_NE(worst("decode n=8 k=64 g=32 src=ct"), worst("decode n=8 k=64 g=32 src=ct n0=8"));
}

TEST(SourceCases, PadsByRuleAreResolvedIntoTheVerdict) {
  const Verdict v3 = run("decode m=2 n=8 k=4096 g=32 src=ct zp=packed pad=v3");
  EXPECT_EQ(v3.kind(), VerdictKind::pass) << to_string(v3);
  EXPECT_THAT(v3.ran.resolved, HasSubstr("wstride=2176 sstride=128"));
  const Verdict f2 = run("decode m=1 n=8 k=8192 g=32 src=awq zp=packed pad=f2");
  EXPECT_EQ(f2.kind(), VerdictKind::pass) << to_string(f2);
  EXPECT_THAT(f2.ran.resolved, HasSubstr("wstride=4352 sstride=320"));
}

TEST(SourceCases, ZeroPointsOfSymmetricCheckpointsMeanNothing) {
  for (const char* line :
       {"decode n=32 k=128 g=32 src=ct qzeros=1",  // [K/G,N/8] = [4,4]: the kernel's shape
        "decode n=16 k=128 g=32 src=shuffled qzeros=1", "decode n=16 k=128 g=32 src=awq qzeros=1",
        "decode n=16 k=128 g=32 src=gptq1", "decode n=16 k=128 g=32 src=gptq2 n0=8 qzeros=1"}) {
    const Verdict v = run(line);
    EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
  }
}

TEST(SourceCases, GroupIndices) {
  EXPECT_EQ(run("decode n=16 k=128 g=32 src=gptq1 zp=packed gidx=sequential").kind(),
            VerdictKind::pass);
  EXPECT_EQ(run("decode n=16 k=128 g=128 src=gptq2 gidx=act").kind(), VerdictKind::pass);
  for (const auto& [line, clause] :
       {std::pair("decode n=16 k=128 g=32 src=gptq2 gidx=act", "act.order"),
        {"decode n=16 k=128 g=32 src=awq gidx=sequential", "source.gidx"},
        {"decode n=16 k=128 g=32 src=ct k0=16", "shard.group"},
        {"decode n=16 k=128 g=32 src=ct n0=-1", "shard.range"},
        {"decode n=16 k=128 g=32 src=awq n0=1", "shard.octet"}}) {
    const Verdict v = run(line);
    ASSERT_EQ(v.kind(), VerdictKind::refused) << to_string(v);
    EXPECT_TRUE(v.green()) << to_string(v);
    EXPECT_EQ(std::get<Refused>(v.primary()).clause, clause);
  }
}

// Fills whose codes belong to places of act follow it to the shard's columns; pads of a dense copy
// that are no whole words are refused.
TEST(SourceCases, SparseFillsShowTheirSignalInEveryShard) {
  for (const char* fill : {"lane", "cancel", "onehot", "integer"}) {
    for (const char* line : {"decode m=2 n=16 k=128 g=32 zp=packed src=ct k0=64 n0=8",
                             "prefill m=9 n=16 k=128 g=64 act=bf16 src=gptq2 k0=640",
                             "prefill_dense m=9 n=16 k=544 g=32 zp=packed src=awq k0=1024",
                             "prefill_carrier m=9 n=16 k=128 g=64 act=bf16 zp=packed k0=64"}) {
      const Verdict v = run(fmt::format("{} fill={}", line, fill));
      EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    }
  }
}

TEST(SourceCases, OddPadsOfDenseCopiesAreRefused) {
  for (const int pad : {-1, 1, 2, 5, 6}) {
    const Verdict v = run(fmt::format("prefill_dense m=9 n=16 k=128 g=64 wpad={}", pad));
    ASSERT_EQ(v.kind(), VerdictKind::refused) << to_string(v);
    EXPECT_TRUE(v.green()) << to_string(v);
  }
}

}  // namespace
}  // namespace w4
