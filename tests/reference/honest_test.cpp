// The decode declaration has tests of its own (oracles.md 2): carried out honestly it stays inside
// on every fill, under every model of dot2; each single breach leaves the interval on the fills
// meant for it.
#include <gtest/gtest.h>

#include "reference/compare.h"
#include "tests/reference/decode_simulation.h"
#include "tests/reference/make_problem.h"

namespace w4::test {
namespace {

Comparison judge(const Arrays& x, Arithmetic arithmetic, Fill fill,
                 const std::vector<uint16_t>& out) {
  const DecodeNumerics numerics(x.wei->act, x.wei->k);
  const Twin twin = make_twin(x, numerics);
  const Bound bound = make_bound(x, twin, numerics.chain(), arithmetic, is_random(fill));
  return compare(x, numerics, twin, bound, out);
}

struct Config {
  DType act;
  Arithmetic arithmetic;
};
std::string name_of(const Config& c) {
  return std::string(w4::name_of(c.act)) + (c.arithmetic == Arithmetic::ieee      ? "_ieee"
                                            : c.arithmetic == Arithmetic::gfx1151 ? "_gfx1151"
                                                                                  : "_gfx1201");
}
constexpr Config kConfigs[]{{DType::f16, Arithmetic::ieee},    {DType::bf16, Arithmetic::ieee},
                            {DType::f16, Arithmetic::gfx1151}, {DType::bf16, Arithmetic::gfx1151},
                            {DType::f16, Arithmetic::gfx1201}, {DType::bf16, Arithmetic::gfx1201}};

class Honest : public testing::TestWithParam<std::tuple<Config, Fill>> {};

TEST_P(Honest, StaysInside) {
  const auto [config, fill] = GetParam();
  for (const int64_t k : {64, 1024, 6144}) {
    for (const uint64_t seed : {1, 2, 3}) {
      const Arrays x =
          make_problem({.n = 32, .k = k, .act = config.act, .zero_points = seed != 2}, fill, seed);
      const Comparison c =
          judge(x, config.arithmetic, fill, simulate_decode(x, config.arithmetic, Breach::none));
      EXPECT_EQ(c.bad, 0) << "k " << k << " seed " << seed << ": " << c.pattern << " worst m "
                          << c.worst.m << " n " << c.worst.n << " got " << c.worst.got << " in ["
                          << c.worst.low << ", " << c.worst.high << "] ratio " << c.worst.ratio;
      RecordProperty("headroom_k" + std::to_string(k) + "_" + std::to_string(seed),
                     std::to_string(c.headroom));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, Honest,
                         testing::Combine(testing::ValuesIn(kConfigs),
                                          testing::ValuesIn(all_fills().begin(),
                                                            all_fills().end())),
                         [](const auto& p) {
                           return name_of(std::get<0>(p.param)) + "_" +
                                  std::string(w4::name_of(std::get<1>(p.param)));
                         });

struct Meant {
  Breach breach;
  Fill fill;
};
class Broken : public testing::TestWithParam<std::tuple<Config, Meant>> {};

TEST_P(Broken, GoesOutside) {
  const auto [config, meant] = GetParam();
  const Arrays x = make_problem({.n = 256, .k = 2048, .act = config.act}, meant.fill, 7);
  const Comparison c =
      judge(x, config.arithmetic, meant.fill, simulate_decode(x, config.arithmetic, meant.breach));
  EXPECT_GT(c.bad, 0) << "of " << c.total << ", headroom " << c.headroom;
  EXPECT_GT(std::abs(c.worst.ratio), 1);
}
INSTANTIATE_TEST_SUITE_P(
    All, Broken,
    testing::Combine(testing::ValuesIn(kConfigs),
                     testing::Values(Meant{Breach::half_accumulator, Fill::flat},
                                     Meant{Breach::half_accumulator, Fill::normal},
                                     Meant{Breach::rounded_weight, Fill::flat},
                                     Meant{Breach::rounded_weight, Fill::normal},
                                     Meant{Breach::rounded_twice, Fill::flat},
                                     Meant{Breach::truncating_store, Fill::flat},
                                     Meant{Breach::truncating_store, Fill::normal},
                                     Meant{Breach::dropped_last_k, Fill::flat},
                                     Meant{Breach::neighbour_scale, Fill::flat},
                                     Meant{Breach::neighbour_scale, Fill::normal},
                                     Meant{Breach::zero_point_plus_1, Fill::flat},
                                     Meant{Breach::zero_point_plus_1, Fill::normal},
                                     Meant{Breach::stale_activation, Fill::flat},
                                     Meant{Breach::stale_activation, Fill::normal})),
    [](const auto& p) {
      const Meant& m = std::get<1>(p.param);
      return name_of(std::get<0>(p.param)) + "_" + std::string(name_of(m.breach)) + "_" +
             std::string(w4::name_of(m.fill));
    });

}  // namespace
}  // namespace w4::test
