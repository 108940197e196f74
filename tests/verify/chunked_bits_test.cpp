// Relations of `chunked` that need no tolerance: the order in which a lane adds depends on the
// length of a chunk alone (contract.md 6.11), so the bits are those of decode's kernels, of either
// form, of every CU count, schedule, arch and of the host.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "verify/prepared_call.h"

namespace w4 {
namespace {

using Bits = std::vector<uint16_t>;

class ChunkedBits : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  Bits bits(const std::string& line) {
    const auto c = parse_case(line);
    EXPECT_TRUE(c) << line;
    if (!c) return {};
    auto call = PreparedCall::make(*c, context_);
    EXPECT_TRUE(call) << line << ": " << (call ? "" : call.error().text);
    if (!call) return {};
    const auto ran = call->run();
    EXPECT_TRUE(ran) << line;
    return call->output();
  }
  std::string act() const { return std::get<0>(GetParam()); }
  std::string fp() const { return std::get<1>(GetParam()); }
  Context context_;
};

// Whatever the fill, the zero point folded into the constants changes nothing: q - z is exact.
TEST_P(ChunkedBits, AreThoseOfDecodeInEitherForm) {
  for (int m = 1; m <= 5; ++m) {
    for (const char* zp : {"none", "packed"}) {
      const int64_t edge = 32768 / m / 64 * 64;
      for (const int64_t k :
           {int64_t{576}, int64_t{2560}, edge, edge + 64, int64_t{39296} / m / 64 * 64}) {
        if (m == 1 && k == edge && std::string_view(zp) == "none") continue;  // chunks of 32
        for (const char* fill : {"flat", "cancel"}) {
          const std::string p = fmt::format("m={} n=24 k={} g=64 act={} zp={} bias=n fill={} fp={}",
                                            m, k, act(), zp, fill, fp());
          EXPECT_EQ(bits("chunked " + p), bits("decode " + p)) << p;
        }
      }
    }
  }
}

TEST_P(ChunkedBits, AreThoseOfEveryTileAndFormWithChunksOf16) {
  for (int m = 1; m <= 5; ++m) {
    for (const char* k : {"1088", "33344"}) {
      const std::string p = fmt::format(
          "chunked m={} n=40 k={} g=64 act={} zp=packed fp={} tile=", m, k, act(), fp());
      const Bits want = bits(p + "y4u2a16w16");
      EXPECT_EQ(bits(p + "y2u2a16w16"), want) << p;
      EXPECT_EQ(bits(p + "y4u1a16w16"), want) << p;
      if (m != 2 && std::string_view(k) == "1088") {
        EXPECT_EQ(bits(p + "y2u4a16w16"), want) << p;
      }
    }
  }
}

TEST_P(ChunkedBits, OfARowAreThoseOfTheRowAlone) {
  for (const char* k : {"1088", "33344"}) {
    const std::string p = fmt::format("n=40 k={} g=64 act={} zp=packed fp={}", k, act(), fp());
    const Bits one = bits("chunked m=1 " + p);
    ASSERT_EQ(one.size(), 40u);
    for (int m = 2; m <= 5; ++m) {
      Bits first = bits(fmt::format("chunked m={} {}", m, p));
      first.resize(40);
      EXPECT_EQ(first, one) << m << " " << p;
    }
  }
}

TEST_P(ChunkedBits, DependOnNeitherCusNorScheduleNorStrideNorArch) {
  for (const char* shape :
       {"m=5 n=136 k=6592 g=64", "m=3 n=136 k=1088 g=64", "m=1 n=136 k=4096 g=128",
        "m=1 n=136 k=8192 g=128", "m=2 n=27 k=16416 g=32"}) {
    const bool octets = std::string_view(shape).find("n=136") != std::string_view::npos;
    const std::string p =
        fmt::format("chunked {} act={} zp={} ", shape, act(), octets ? "packed" : "none");
    const Bits want = bits(p + "fp=" + fp());
    for (const int cus : {1, 7, 20, 32, 48, 96, 10000}) {
      EXPECT_EQ(bits(fmt::format("{}cus={} fp={}", p, cus, fp())), want) << p << cus;
    }
    for (const char* sched : {"rev", "random:3", "prio:1", "prio:2", "prio:7"}) {
      EXPECT_EQ(bits(fmt::format("{}cus=1 sched={} fp={}", p, sched, fp())), want) << p << sched;
    }
    EXPECT_EQ(bits(fmt::format("{}lda=16424 aoff=16 fp={}", p, fp())), want) << p;
    const Bits ieee = bits(p + "fp=ieee");
    for (const char* device : {"gfx1100", "gfx1201", "host"}) {
      EXPECT_EQ(bits(fmt::format("{}device={} fp=ieee", p, device)), ieee) << p << device;
      EXPECT_EQ(bits(fmt::format("{}device={} fp={}", p, device, fp())), want) << p << device;
    }
  }
}

// A chunk of 32 is another order, and a test that cannot tell would hold nothing.
TEST_P(ChunkedBits, OfChunksOf32AreOthers) {
  const std::string p =
      fmt::format("chunked m=1 n=512 k=4096 fill=cancel act={} fp={}", act(), fp());
  EXPECT_NE(bits(p), bits(p + " tile=y1u4a16w16"));
  EXPECT_EQ(bits(p), bits(p + " tile=y2u8a32w16"));
}

INSTANTIATE_TEST_SUITE_P(, ChunkedBits,
                         testing::Combine(testing::Values("f16", "bf16"),
                                          testing::Values("ieee", "gfx1151", "gfx1201")),
                         [](const auto& p) {
                           return fmt::format("{}_fp_{}", std::get<0>(p.param),
                                              std::get<1>(p.param));
                         });

}  // namespace
}  // namespace w4
