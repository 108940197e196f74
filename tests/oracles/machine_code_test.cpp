// The simulation of each declaration gives the bits that the kernel's machine code gives, under
// every arithmetic model: what is simulated is what runs, and what a breach changes is one step of
// it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracles/machine.h"
#include "oracles/simulation.h"

namespace w4::test {
namespace {

// Lines without dtype, fill, device and model. Tiles: where the declaration leaves A open.
constexpr const char* kLines[]{
    "decode m=3 n=16 k=1632 g=32 zp=packed bias=n",
    "decode m=1 n=16 k=1024 g=64 zp=unpacked bias=mxn",
    "chunked m=2 n=16 k=1536 g=64 zp=packed bias=n",
    "chunked m=1 n=16 k=2048 g=32 zp=packed bias=n",
    "chunked m=1 n=16 k=4096 g=128",
    "chunked m=5 n=8 k=8192 g=64 bias=n",
    "prefill m=17 n=24 k=576 g=64 zp=packed bias=n",
    "prefill m=5 n=24 k=320 g=32 zp=unpacked",
    "prefill_dense m=17 n=24 k=576 g=64 zp=packed bias=n",
    "prefill_carrier m=17 n=24 k=576 g=64 zp=packed bias=n",
    "hybrid m=3 n=16 k=1024 g=64 zp=packed bias=n",
    "hybrid m=9 n=16 k=512 g=64 zp=packed bias=n",
    "moe m=4 n=16 k=1024 g=64 zp=packed experts=4 topk=2 blockm=2",
    "moe m=4 n=16 k=1024 g=64 zp=packed experts=4 topk=2 blockm=1",
    "moe m=4 n=16 k=1024 g=64 zp=packed experts=4 topk=2 blockm=1 silu=1",
    "moe_prefill m=9 n=24 k=320 g=64 zp=packed experts=3 topk=2 blockm=16",
};
struct Model {
  const char* device;
  const char* fp;
};
constexpr Model kModels[]{{"gfx1151", "ieee"}, {"gfx1151", "gfx1151"}, {"gfx1201", "gfx1201"}};

void expect_simulated(std::string_view line, DType act, const Model& model) {
  Context context;
  for (const Fill fill : all_fills()) {
    const std::string text = fmt::format("{} act={} fill={} seed=5 device={} fp={}", line,
                                         name_of(act), name_of(fill), model.device, model.fp);
    const auto c = parse_case(text);
    ASSERT_TRUE(c) << c.error().text;
    const auto clean = clean_case(*c, context);
    ASSERT_TRUE(clean) << text << ": " << clean.error().text;
    const auto ran = run_machine(*c, clean->x, context);
    ASSERT_TRUE(ran) << text << ": " << ran.error().text;
    const auto sim =
        simulate(clean->x, clean->numerics, {clean->setup.arithmetic, ran->chunk}, Breach::none);
    ASSERT_EQ(sim.size(), ran->out.size());
    for (size_t i = 0; i < sim.size(); ++i) {
      const double y = to_f64(act, ran->out[i]), s = to_f64(act, sim[i]);
      ASSERT_TRUE(y == s || (y != y && s != s))
          << text << ": flat index " << i << ": machine " << y << ", simulation " << s;
    }
  }
}

class MachineCode : public testing::TestWithParam<std::tuple<const char*, DType, Model>> {};

TEST_P(MachineCode, IsTheHonestSimulationBitForBit) {
  const auto [line, act, model] = GetParam();
  expect_simulated(line, act, model);
}

// Compiled by Triton: the rule that its manifest names is what its code does.
TEST(ForeignCode, IsTheSimulationOfItsManifest) {
  for (const Model& model : kModels)
    expect_simulated("w4a16 m=33 n=40 k=1024 g=32 zp=packed module=" W4_SOURCE
                     "/tests/data/triton/w4a16.json",
                     DType::f16, model);
}

INSTANTIATE_TEST_SUITE_P(Rows, MachineCode,
                         testing::Combine(testing::ValuesIn(kLines),
                                          testing::Values(DType::f16, DType::bf16),
                                          testing::ValuesIn(kModels)),
                         [](const auto& p) {
                           std::string name = fmt::format("{}_{}_{}", std::get<0>(p.param),
                                                          w4::name_of(std::get<1>(p.param)),
                                                          std::get<2>(p.param).fp);
                           for (char& ch : name) {
                             if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace w4::test
