// The prefill code objects in the binary: complete, and what the host side believes about them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "devices/host_lane.h"
#include "kernels/objects.h"
#include "kernels/prefill.h"
#include "kernels/prefill_args.h"
#include "rdna/emulator.h"
#include "rdna/inventory.h"

namespace w4 {
namespace {

std::vector<KernelObject> objects(bool host) {
  std::vector<KernelObject> out;
  std::ranges::copy_if(kernel_objects(), std::back_inserter(out), [&](const KernelObject& o) {
    return o.kernel == "prefill" && (o.arch == "host") == host;
  });
  return out;
}

std::shared_ptr<const rdna::CodeObject> load(const KernelObject& o) {
  const auto* bytes = reinterpret_cast<const std::byte*>(o.begin);
  auto object = rdna::CodeObject::load({bytes, o.bytes()});
  EXPECT_TRUE(object) << o.arch << " " << o.act << ": " << (object ? "" : object.error().text);
  return object ? *object : nullptr;
}

// Every instantiation of an object's dtype, by symbol.
std::map<std::string, Tile> instantiations(const KernelObject& o) {
  std::map<std::string, Tile> out;
  const auto add = [&](PrefillWeights weights, std::initializer_list<const char*> forms) {
    for (const Tile& t : prefill_tiles(weights)) {
      for (const char* form : forms) {
        PrefillInstantiation p;
        p.plan.tile = t;
        p.act = o.act;
        p.form = form;
        out[p.symbol()] = t;
      }
    }
  };
  add(PrefillWeights::packed, {"symmetric", "packed", "unpacked"});
  add(PrefillWeights::dense, {"dense"});
  add(PrefillWeights::carrier, {"carrier"});
  return out;
}

TEST(PrefillObjects, EveryArchHasEveryDtypeForAnyGroupSize) {
  size_t archs = 0;
  for (const char* const* a = kernel_archs(); *a != nullptr; a++) archs++;
  EXPECT_EQ(objects(false).size() + objects(true).size(), archs * 2);
  for (const KernelObject& o : objects(false)) EXPECT_EQ(o.group_size, 0);
}

TEST(PrefillObjects, OfTheHostHoldEveryInstantiation) {
  for (const KernelObject& o : objects(true)) {
    HostObject object{};
    ASSERT_EQ(o.bytes(), sizeof(object));
    std::memcpy(&object, o.begin, sizeof(object));
    EXPECT_EQ(object.magic, kHostObject);
    const auto wanted = instantiations(o);
    EXPECT_EQ(object.count, wanted.size());
    for (const HostKernel& k : std::span(object.kernels, object.count)) {
      EXPECT_TRUE(wanted.contains(k.symbol)) << k.symbol;
      EXPECT_EQ(k.arg_bytes, sizeof(PrefillArgs)) << k.symbol;
    }
  }
}

// No spills, no scratch, the LDS that the host reckons with, the block that it launches.
TEST(PrefillObjects, HoldEveryInstantiationWithTheResourcesThatWereMeant) {
  for (const KernelObject& o : objects(false)) {
    const auto object = load(o);
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(object->arch(), o.arch);
    const auto wanted = instantiations(o);
    EXPECT_EQ(object->kernels().size(), wanted.size());
    for (const rdna::KernelInfo& k : object->kernels()) {
      SCOPED_TRACE(fmt::format("{} {}", o.arch, k.symbol));
      const auto found = wanted.find(k.symbol);
      ASSERT_NE(found, wanted.end());
      EXPECT_EQ(k.static_lds, prefill_lds_bytes(found->second));
      EXPECT_EQ(k.scratch_bytes, 0u);
      EXPECT_EQ(k.vgpr_spills, 0u);
      EXPECT_EQ(k.sgpr_spills, 0u);
      EXPECT_LE(k.vgprs, 256u);
      EXPECT_EQ(k.wave_size, 32u);
      EXPECT_EQ(k.max_workgroup, 32u * static_cast<uint32_t>(found->second.w));
    }
  }
}

// Matrix instructions of the one type, as many as the tile has steps, and nothing whose result the
// document leaves open.
TEST(PrefillObjects, MultiplyOnTheMatrixUnit) {
  for (const KernelObject& o : objects(false)) {
    const auto object = load(o);
    ASSERT_NE(object, nullptr);
    const std::string wmma = fmt::format("v_wmma_f32_16x16x16_{}", o.act);
    const auto wanted = instantiations(o);
    for (size_t i = 0; i < object->kernels().size(); i++) {
      const std::string& symbol = object->kernels()[i].symbol;
      SCOPED_TRACE(fmt::format("{} {}", o.arch, symbol));
      const rdna::Inventory inventory = rdna::take_inventory(*object, i);
      const Tile& t = wanted.at(symbol);
      const auto count = [&](const std::string& name) {
        const auto found = inventory.count.find(name);
        return found == inventory.count.end() ? 0 : found->second;
      };
      const auto per_wave = static_cast<uint64_t>(t.bm * t.bn * t.bk / (16 * 16 * 16 * t.w));
      EXPECT_EQ(count(wmma), per_wave);
      EXPECT_EQ(count("v_rcp_iflag_f32") + count("v_rcp_f32"), 0u);
      EXPECT_EQ(inventory.unknown.size(), 0u);
    }
  }
}

TEST(PrefillObjects, ArgumentsLieWhereTheHostPutsThem) {
  const size_t offsets[] = {
      offsetof(PrefillArgs, act),
      offsetof(PrefillArgs, wei),
      offsetof(PrefillArgs, scale),
      offsetof(PrefillArgs, zp),
      offsetof(PrefillArgs, bias),
      offsetof(PrefillArgs, out),
      offsetof(PrefillArgs, act_stride),
      offsetof(PrefillArgs, wei_stride),
      offsetof(PrefillArgs, scale_stride),
      offsetof(PrefillArgs, zp_stride),
      offsetof(PrefillArgs, bias_n_stride),
      offsetof(PrefillArgs, bias_m_stride),
      offsetof(PrefillArgs, out_stride),
      offsetof(PrefillArgs, m),
      offsetof(PrefillArgs, n),
      offsetof(PrefillArgs, k),
      offsetof(PrefillArgs, group_shift),
      offsetof(PrefillArgs, tiles_m),
      offsetof(PrefillArgs, tiles_factor),
      offsetof(PrefillArgs, tiles_shift),
  };
  for (const KernelObject& o : objects(false)) {
    const auto object = load(o);
    ASSERT_NE(object, nullptr);
    for (const rdna::KernelInfo& k : object->kernels()) {
      ASSERT_EQ(k.args.size(), std::size(offsets)) << k.symbol;
      for (size_t i = 0; i < k.args.size(); i++) {
        EXPECT_EQ(k.args[i].offset, offsets[i]) << k.symbol << " argument " << i;
        EXPECT_EQ(k.args[i].value_kind, i < 6 ? "global_buffer" : "by_value") << k.symbol;
      }
      EXPECT_EQ(k.kernarg_bytes, sizeof(PrefillArgs)) << k.symbol;
    }
  }
}

}  // namespace
}  // namespace w4
