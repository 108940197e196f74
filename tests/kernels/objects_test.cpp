// The code objects in the binary: complete, and what the host side believes about them.
#include "kernels/objects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "devices/host_lane.h"
#include "kernels/decode.h"
#include "kernels/decode_args.h"
#include "rdna/emulator.h"

namespace w4 {
namespace {

std::shared_ptr<const rdna::CodeObject> load(const KernelObject& o) {
  const auto* bytes = reinterpret_cast<const std::byte*>(o.begin);
  auto object = rdna::CodeObject::load({bytes, o.bytes()});
  EXPECT_TRUE(object) << o.arch << " " << o.act << ": " << (object ? "" : object.error().text);
  return object ? *object : nullptr;
}

std::vector<KernelObject> objects(bool host) {
  std::vector<KernelObject> out;
  std::ranges::copy_if(kernel_objects(), std::back_inserter(out), [&](const KernelObject& o) {
    return o.kernel == "decode" && (o.arch == "host") == host;
  });
  return out;
}

// The symbols of every instantiation of an object's dtype and group size.
std::set<std::string> symbols(const KernelObject& o) {
  std::set<std::string> out;
  for (const char* zp : {"symmetric", "packed", "unpacked"}) {
    const auto add = [&](DecodeForm form, int64_t m, int y, int u) {
      DecodeInstantiation d;
      d.plan.form = form;
      d.plan.y = y;
      d.plan.u = u;
      d.m = m;
      d.g = o.group_size;
      d.act = o.act;
      d.zp = zp;
      out.insert(d.symbol());
    };
#define W4_ROW(FORM, M, Y, U) add(DecodeForm::FORM, M, Y, U);
    W4_DECODE_TILES(W4_ROW)
#undef W4_ROW
  }
  return out;
}

TEST(DecodeObjects, EveryArchHasEveryDtypeAndGroupSize) {
  size_t archs = 0;
  for (const char* const* a = kernel_archs(); *a != nullptr; a++) archs++;
  EXPECT_EQ(archs, size_t{W4_TEST_ARCHS});
  EXPECT_EQ(objects(false).size() + objects(true).size(), archs * 2 * 3);
}

TEST(DecodeObjects, HoldEveryInstantiationThatTheTablesName) {
  for (const KernelObject& o : objects(false)) {
    const auto object = load(o);
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(object->arch(), o.arch);
    for (const std::string& symbol : symbols(o)) {
      EXPECT_NE(object->find(symbol), nullptr) << o.arch << " " << symbol;
    }
    EXPECT_EQ(object->kernels().size(), symbols(o).size());
  }
}

TEST(DecodeObjects, OfTheHostHoldTheSame) {
  const auto all = objects(true);
  EXPECT_EQ(all.size(), 2u * 3);
  for (const KernelObject& o : all) {
    HostObject object{};
    ASSERT_EQ(o.bytes(), sizeof(object));
    std::memcpy(&object, o.begin, sizeof(object));
    EXPECT_EQ(object.magic, kHostObject);
    std::set<std::string> names;
    for (const HostKernel& k : std::span(object.kernels, object.count)) {
      names.insert(k.symbol);
      EXPECT_EQ(k.arg_bytes, offsetof(DecodeArgs, unused)) << k.symbol;
    }
    EXPECT_EQ(names, symbols(o));
    EXPECT_EQ(names.size(), object.count);
  }
}

// No spills, no scratch, the whole array and nothing else in LDS, no hidden arguments.
TEST(DecodeObjects, UseTheResourcesThatWereMeant) {
  for (const KernelObject& o : objects(false)) {
    const auto object = load(o);
    ASSERT_NE(object, nullptr);
    for (const rdna::KernelInfo& k : object->kernels()) {
      SCOPED_TRACE(fmt::format("{} {}", o.arch, k.symbol));
      EXPECT_EQ(k.static_lds, 2 * kDecodeLdsElements);
      EXPECT_EQ(k.scratch_bytes, 0u);
      EXPECT_EQ(k.vgpr_spills, 0u);
      EXPECT_EQ(k.sgpr_spills, 0u);
      EXPECT_LE(k.vgprs, 256u);
      EXPECT_EQ(k.wave_size, 32u);
      EXPECT_EQ(k.max_workgroup, 32 * kDecodeWaves);
    }
  }
}

TEST(DecodeObjects, ArgumentsLieWhereTheHostPutsThem) {
  const size_t offsets[] = {
      offsetof(DecodeArgs, act),
      offsetof(DecodeArgs, wei),
      offsetof(DecodeArgs, scale),
      offsetof(DecodeArgs, zp),
      offsetof(DecodeArgs, bias),
      offsetof(DecodeArgs, out),
      offsetof(DecodeArgs, wei_stride),
      offsetof(DecodeArgs, scale_stride),
      offsetof(DecodeArgs, bias_n_stride),
      offsetof(DecodeArgs, bias_m_stride),
      offsetof(DecodeArgs, out_stride),
      offsetof(DecodeArgs, n),
      offsetof(DecodeArgs, k),
      offsetof(DecodeArgs, waves),
      offsetof(DecodeArgs, step),
      offsetof(DecodeArgs, tail),
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
      EXPECT_EQ(k.kernarg_bytes, offsetof(DecodeArgs, unused)) << k.symbol;
    }
  }
}

}  // namespace
}  // namespace w4
