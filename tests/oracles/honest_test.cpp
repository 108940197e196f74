// Every declaration has tests of its own (oracles.md 2): carried out honestly it stays inside on
// every fill, under every arithmetic model; each single breach leaves the interval on the fills
// meant for it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/numerics.h"
#include "kernels/table.h"
#include "oracles/faults.h"
#include "reference/compare.h"
#include "tests/oracles/declarations.h"
#include "tests/reference/make_problem.h"
#include "verify/materialise.h"

namespace w4::test {
namespace {

constexpr Arithmetic kModels[]{Arithmetic::ieee, Arithmetic::gfx1151, Arithmetic::gfx1201,
                               Arithmetic::cuda};

struct Config {
  Declaration declared;
  DType act;
  Arithmetic arithmetic;
};
std::vector<Config> configs() {
  std::vector<Config> out;
  for (const Declaration& d : all_declarations()) {
    for (const DType t : {DType::f16, DType::bf16}) {
      for (const Arithmetic a : kModels) out.push_back({d, t, a});
    }
  }
  return out;
}
std::string name_of(const Config& c) {
  return fmt::format("{}_{}_{}", c.declared.name, w4::name_of(c.act), w4::name_of(c.arithmetic));
}

Comparison judge(const Config& c, const Arrays& x, Fill fill, const std::vector<uint16_t>& out) {
  const ModuleNumerics numerics = numerics_of(c.declared, c.act, x.wei->k);
  const Twin twin = make_twin(x, numerics);
  return compare(x, numerics, twin,
                 make_bound(x, twin, numerics.chain(), c.arithmetic, is_random(fill)), out);
}

class Honest : public testing::TestWithParam<Config> {};

TEST_P(Honest, StaysInsideOnEveryFill) {
  const Config& c = GetParam();
  for (const Fill fill : all_fills()) {
    for (const auto& [k, seed] : {std::pair<int64_t, uint64_t>{64, 1}, {1024, 2}, {4096, 3}}) {
      const Arrays x = make_problem({.m = c.declared.m,
                                     .n = 16,
                                     .k = k,
                                     .act = c.act,
                                     .zero_points = seed != 2,
                                     .bias = c.declared.bias},
                                    fill, seed);
      const ModuleNumerics numerics = numerics_of(c.declared, c.act, k);
      for (const int a : c.declared.as) {
        const Comparison r =
            judge(c, x, fill, simulate(x, numerics, {c.arithmetic, a}, Breach::none));
        EXPECT_EQ(r.bad, 0) << w4::name_of(fill) << " k " << k << " A " << a << ": " << r.pattern
                            << " worst m " << r.worst.m << " n " << r.worst.n << " got "
                            << r.worst.got << " in [" << r.worst.low << ", " << r.worst.high
                            << "] ratio " << r.worst.ratio;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, Honest, testing::ValuesIn(configs()),
                         [](const auto& p) { return name_of(p.param); });

// The faults that oracles.md 2 asks of every declaration, and the fills meant for them: a local
// fault drowns between outliers, a rounding shows on all random data.
struct Meant {
  std::string_view fault;
  std::vector<Fill> fills;
};
const std::vector<Meant> kMeant{
    {"half_accumulator", {Fill::flat, Fill::uniform, Fill::normal}},
    {"half_split", {Fill::normal}},
    {"half_partial", {Fill::flat, Fill::uniform, Fill::normal}},
    {"half_act_sum", {Fill::flat, Fill::uniform, Fill::normal}},
    {"other_weight", {Fill::flat, Fill::normal}},
    {"truncated_weight", {Fill::flat, Fill::uniform, Fill::normal}},
    {"truncating_store", {Fill::flat, Fill::uniform, Fill::normal}},
    {"other_store", {Fill::flat, Fill::uniform}},
    {"dropped_last_k", {Fill::flat, Fill::uniform}},
    {"neighbour_scale", {Fill::flat, Fill::uniform, Fill::normal}},
    {"zero_point_plus_1", {Fill::flat, Fill::uniform, Fill::normal}},
    {"stale_activation", {Fill::flat, Fill::uniform, Fill::normal}},
};

class Broken : public testing::TestWithParam<Config> {};

TEST_P(Broken, GoesOutsideOnTheFillsMeantForIt) {
  const Config& c = GetParam();
  const ModuleNumerics numerics = numerics_of(c.declared, c.act, c.declared.k);
  for (const Meant& meant : kMeant) {
    const auto fault = std::ranges::find(faults(), meant.fault, &Fault::name);
    ASSERT_NE(fault, faults().end()) << meant.fault;
    if (!applies(fault->breach, numerics)) continue;
    if (fault->breach == Breach::other_store && !c.declared.bias) continue;
    for (const Fill fill : meant.fills) {
      const Arrays x = make_problem({.m = c.declared.m,
                                     .n = 576 / c.declared.m,
                                     .k = c.declared.k,
                                     .act = c.act,
                                     .bias = c.declared.bias},
                                    fill, 7);
      Arrays changed = x;
      if (fault->change) ASSERT_TRUE(fault->change(changed)) << fault->name;
      const Comparison r = judge(
          c, x, fill, simulate(changed, numerics, {c.arithmetic, c.declared.as[0]}, fault->breach));
      EXPECT_GT(r.bad, 0) << fault->name << " " << w4::name_of(fill) << ": of " << r.total
                          << ", headroom " << r.headroom;
      if (r.bad > 0) EXPECT_GT(std::abs(r.worst.ratio), 1) << fault->name;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, Broken, testing::ValuesIn(configs()),
                         [](const auto& p) { return name_of(p.param); });

// Activations of a fused silu(gate) up: the declared gate, or one with a breach.
using GateRule = uint16_t (*)(DType t, double gate, double up);
double exact_silu(double x) { return x / (1 + std::exp(-x)); }
uint16_t rounds_once(DType t, double g, double u) { return from_f64(t, exact_silu(g) * u); }
uint16_t cuts_the_sigmoid_to_t(DType t, double g, double u) {
  const double sigmoid = to_f64(t, from_f64(t, 1 / (1 + std::exp(-g))));
  return from_f64(t, to_f64(t, from_f64(t, g * sigmoid)) * u);
}
uint16_t halves_exchanged(DType t, double g, double u) {
  return from_f64(t, to_f64(t, from_f64(t, exact_silu(u))) * g);
}
uint16_t a_sigmoid_alone(DType t, double g, double u) {
  return from_f64(t, u / (1 + std::exp(-g)));
}

TEST(Gate, DeclaredStaysInsideAndEachBreachGoesOutside) {
  for (const DType t : {DType::f16, DType::bf16}) {
    for (const Fill fill : {Fill::flat, Fill::normal}) {
      const Config c{{"moe", &kMoeNumerics, 1, {16}, false}, t, Arithmetic::ieee};
      Arrays x = make_problem({.m = 1, .n = 192, .k = 1024, .act = t, .bias = false}, fill, 4);
      const std::vector<uint16_t> up = x.a;
      const Filler gates(Fill::flat, 9, t, 1024, 64);
      const auto gated = [&](const auto& rule) {
        Arrays out = x;
        for (int64_t k = 0; k < 1024; ++k) out.a[k] = rule(gates.act(0, k), up[k]);
        return out;
      };
      x = gated([&](uint16_t g, uint16_t u) { return kMoeNumerics.gate(to_module(t), g, u); });
      const ModuleNumerics numerics = numerics_of(c.declared, t, 1024);
      const auto outside = [&](const Arrays& changed) {
        return judge(c, x, fill, simulate(changed, numerics, {c.arithmetic, 16}, Breach::none)).bad;
      };
      EXPECT_EQ(outside(x), 0);
      for (const GateRule rule :
           {rounds_once, cuts_the_sigmoid_to_t, halves_exchanged, a_sigmoid_alone}) {
        EXPECT_GT(outside(gated(
                      [&](uint16_t g, uint16_t u) { return rule(t, to_f64(t, g), to_f64(t, u)); })),
                  0)
            << w4::name_of(t) << " " << w4::name_of(fill);
      }
    }
  }
}

TEST(Declarations, OfEveryRowAreTested) {
  const auto tested = [](const w4_numerics* n) {
    return std::ranges::any_of(all_declarations(),
                               [&](const Declaration& d) { return d.numerics == n; });
  };
  const w4_module& table = builtin_module();
  for (int32_t i = 0; i < table.kernel_count; ++i) {
    const w4_kernel& k = table.kernels[i];
    if (k.numerics) EXPECT_TRUE(tested(k.numerics)) << k.name;
    if (!k.numerics_of) continue;
    for (const int64_t m : {1, 5, 6, 64}) {
      for (const int64_t depth : {1024, 8192, 65536})
        EXPECT_TRUE(tested(k.numerics_of(&k, m, 64, depth, 64))) << k.name << " m " << m;
    }
  }
}

}  // namespace
}  // namespace w4::test
