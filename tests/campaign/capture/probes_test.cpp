// The probes: that they run what they say they run, on operands that matter, and what is read from
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "campaign/capture/bench.h"
#include "campaign/capture/order.h"
#include "core/gpu.h"
#include "rdna/inventory.h"
#include "rdna/table.h"

namespace w4::capture {
namespace {

using ::testing::HasSubstr;

class OfArch : public ::testing::TestWithParam<std::string_view> {
 protected:
  int family() const { return find_gpu(GetParam())->family; }
};
std::vector<std::string_view> archs() {
  std::vector<std::string_view> out;
  for (const GpuModel& g : gpu_models()) out.push_back(g.arch);
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, OfArch, ::testing::ValuesIn(archs()),
                         [](const auto& p) { return std::string(p.param); });

// Not the compiler but the probe's text says what runs: its instruction once more than the same
// kernel of another probe has it, and whatever moves operands.
TEST_P(OfArch, EveryKernelRunsItsInstruction) {
  const auto object = rdna::CodeObject::load(probe_object(GetParam()));
  ASSERT_TRUE(object) << object.error().text;
  std::map<std::string, size_t, std::less<>> kernels;
  for (size_t k = 0; k < (*object)->kernels().size(); ++k)
    kernels[(*object)->kernels()[k].symbol] = k;
  size_t seen = 0;
  for (const Probe& p : probes()) {
    const auto k = kernels.find(p.name);
    ASSERT_EQ(k != kernels.end(), p.on(family())) << p.name;
    if (k == kernels.end()) continue;
    ++seen;
    EXPECT_NE(rdna::find_row(p.instruction), nullptr) << p.instruction << " has no row";
    const rdna::Inventory code = take_inventory(**object, k->second);
    const auto count = code.count.find(p.instruction);
    ASSERT_NE(count, code.count.end()) << p.name << " has no " << p.instruction;
    if (p.instruction != "v_mov_b32") EXPECT_EQ(count->second, 1u) << p.name;
    EXPECT_EQ(code.unknown, std::vector<std::string>{}) << p.name;
    const bool flushes = code.count.contains("s_denorm_mode");
    EXPECT_EQ(flushes, p.form.find("flushed") != std::string_view::npos) << p.name;
  }
  EXPECT_GT(seen, 120u);
}

TEST(Probes, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const Probe& p : probes()) EXPECT_TRUE(names.insert(p.name).second) << p.name;
}

TEST(Operands, OfAnItemDoNotDependOnHowManyThereAre) {
  for (const Probe& p : probes()) {
    const int family = p.families == Families::gfx12 ? 12 : 11;
    const Extent few = extent_of(p, family, true), all = extent_of(p, family, false);
    ASSERT_LE(few.exact, few.all) << p.name;
    const Operands x = make_operands(p, family, few.all), y = make_operands(p, family, all.all);
    EXPECT_TRUE(std::equal(x.a.begin(), x.a.end(), y.a.begin())) << p.name;
    EXPECT_TRUE(std::equal(x.c.begin(), x.c.end(), y.c.begin())) << p.name;
    EXPECT_EQ(x.hash(), make_operands(p, family, few.all).hash()) << p.name;
  }
}

// What the operands are for: each of these shows in the values that are kept bit for bit.
TEST(Operands, HaveWhatTellsModelsApart) {
  const Probe& p = *find_probe("dot2_f32_f16");
  const Operands o = make_operands(p, 11, extent_of(p, 11, false).exact);
  size_t nan = 0, infinite = 0, subnormal = 0, far_above = 0, far_below = 0, cancels = 0;
  const auto half = [](uint32_t x, int i) {
    return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(x >> (16 * i))));
  };
  for (size_t i = 0; i < o.c.size(); ++i) {
    const auto c = double{std::bit_cast<float>(o.c[i])};
    const double dot = half(o.a[i], 0) * half(o.b[i], 0) + half(o.a[i], 1) * half(o.b[i], 1);
    nan += std::isnan(c), infinite += std::isinf(c) || std::isinf(dot);
    subnormal += std::fpclassify(std::bit_cast<float>(o.c[i])) == FP_SUBNORMAL;
    if (!std::isfinite(c) || !std::isfinite(dot) || c == 0 || dot == 0) continue;
    far_above += std::fabs(c) > std::ldexp(std::fabs(dot), 20);
    far_below += std::fabs(c) < std::ldexp(std::fabs(dot), -20);
    cancels += std::fabs(c + dot) < std::ldexp(std::fabs(dot), -20);
  }
  EXPECT_GE(nan, 4u);
  EXPECT_GE(infinite, 4u);
  EXPECT_GE(subnormal, 4u);
  EXPECT_GE(far_above, 4u);
  EXPECT_GE(far_below, 4u);
  EXPECT_GE(cancels, 10u);
}

TEST(Results, NaNsAreOneAndUnitsAreCounted) {
  EXPECT_TRUE(same_result(Kind::f32, 0x7fc00000, 0xffa12345));
  EXPECT_FALSE(same_result(Kind::word, 0x7fc00000, 0xffa12345));
  EXPECT_FALSE(same_result(Kind::f32, 0x7f800000, 0x7fc00000));
  EXPECT_TRUE(same_result(Kind::f16, 0x12347e00, 0x12347fff));
  EXPECT_FALSE(same_result(Kind::f16, 0x12347e00, 0x12357e00));
  EXPECT_TRUE(same_result(Kind::bf16x2, 0x7fc13f80, 0x7fc03f80));
  EXPECT_TRUE(within_one_ulp(Kind::f32_ulp, 0x3f800000, 0x3f7fffff));
  EXPECT_FALSE(within_one_ulp(Kind::f32_ulp, 0x3f800001, 0x3f7fffff));
  EXPECT_TRUE(within_one_ulp(Kind::f32_ulp, 0x80000000, 0x00000001));
  EXPECT_FALSE(within_one_ulp(Kind::f32_ulp, 0x7f800001, 0x7f800000));
  EXPECT_TRUE(within_one_ulp(Kind::f16_ulp, 0xabcd3c00, 0xabcd3c01));
  EXPECT_FALSE(within_one_ulp(Kind::f16_ulp, 0xabcd3c00, 0xabcc3c00));
}

std::string order_text(std::string_view arch, std::string_view fp) {
  auto device = make_device(arch);
  Bench bench(**device);
  const Probe& p = *find_probe("wmma_f32_f16");
  const auto facts =
      facts_of(p, bench.family(), [&](const Operands& o) { return bench.run(p, o, fp); });
  for (const auto& [name, text] : *facts)
    if (name == "order of the products") return text;
  return "none";
}

// What rdna/isa/README.md says of the two adders, found again from results.
TEST(Order, OfMatrixInstructionsIsFound) {
  EXPECT_EQ(order_text("gfx1151", "gfx1151"),
            "k 0 1, then 2 3, then 4 5, then 6 7, then 8 9, then 10 11, then 12 13, then 14 15");
  EXPECT_EQ(order_text("gfx1201", "gfx1201"),
            "k 0 1 2 3, then 8 9 10 11, then 4 5 6 7, then 12 13 14 15");
  // On gfx12 too where the model says so: it is the results that are read.
  EXPECT_EQ(order_text("gfx1201", "gfx1151"), order_text("gfx1151", "gfx1151"));
}

TEST_P(OfArch, EveryModelIsToldFromTheOthers) {
  auto device = make_device(GetParam());
  ASSERT_TRUE(device) << device.error().text;
  Bench bench(**device);
  const std::string_view own = default_fp(GetParam());
  for (const Probe& p : probes()) {
    if (!p.on(family()) || !has_order(p)) continue;
    const Operands o = make_operands(p, family(), extent_of(p, family(), false).all);
    const auto results = bench.run(p, o);
    ASSERT_TRUE(results) << p.name << ": " << results.error().text;
    const auto order = order_of(p, bench, bench, o, *results);
    ASSERT_TRUE(order) << p.name << ": " << order.error().text;
    for (const Model& m : order->models) {
      if (m.name == own) {
        EXPECT_EQ(m.agrees, m.of) << p.name << ' ' << m.name << ": " << m.first;
        EXPECT_TRUE(m.facts.empty()) << p.name;
      } else if (p.c == Kind::f32) {
        EXPECT_LT(m.agrees, m.of) << p.name << ' ' << m.name;
        EXPECT_THAT(m.first, HasSubstr("the model")) << p.name;
        EXPECT_FALSE(m.facts.empty()) << p.name << ' ' << m.name;
      }
    }
  }
}

}  // namespace
}  // namespace w4::capture
