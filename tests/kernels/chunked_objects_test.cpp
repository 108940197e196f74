// The code objects of `chunked`: complete, and what the host side believes about them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "devices/host_lane.h"
#include "kernels/chunked.h"
#include "kernels/chunked_args.h"
#include "kernels/objects.h"
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
    return o.kernel == "chunked" && (o.arch == "host") == host;
  });
  return out;
}

// The symbols of every instantiation of an object's dtype and group size.
std::set<std::string> symbols(const KernelObject& o) {
  std::set<std::string> out;
  const auto add = [&](ChunkedForm form, int64_t m, int y, int u, int a, std::string_view zps) {
    for (const char* zp : {"symmetric", "packed"}) {
      if (zps != "both" && zps != zp) continue;
      ChunkedInstantiation d;
      d.plan.form = form;
      d.plan.y = y;
      d.plan.u = u;
      d.plan.a = a;
      d.m = m;
      d.g = o.group_size;
      d.act = o.act;
      d.zp = zp;
      out.insert(d.symbol());
    }
  };
#define W4_ROW(FORM, M, Y, U, A, ZPS) add(ChunkedForm::FORM, M, Y, U, A, #ZPS);
  W4_CHUNKED_TILES(W4_ROW)
#undef W4_ROW
  return out;
}

TEST(ChunkedObjects, HoldEveryInstantiationThatTheTablesName) {
  EXPECT_EQ(objects(false).size(), (size_t{W4_TEST_ARCHS} - 1) * 2 * 3);
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

TEST(ChunkedObjects, OfTheHostHoldTheSame) {
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
      EXPECT_EQ(k.arg_bytes, offsetof(ChunkedArgs, unused)) << k.symbol;
    }
    EXPECT_EQ(names, symbols(o));
    EXPECT_EQ(names.size(), object.count);
  }
}

// No spills, no scratch, the whole array and nothing else in LDS.
TEST(ChunkedObjects, UseTheResourcesThatWereMeant) {
  for (const KernelObject& o : objects(false)) {
    const auto object = load(o);
    ASSERT_NE(object, nullptr);
    for (const rdna::KernelInfo& k : object->kernels()) {
      SCOPED_TRACE(fmt::format("{} {}", o.arch, k.symbol));
      EXPECT_EQ(k.static_lds, 2 * kChunkedLdsElements);
      EXPECT_EQ(k.scratch_bytes, 0u);
      EXPECT_EQ(k.vgpr_spills, 0u);
      EXPECT_EQ(k.sgpr_spills, 0u);
      EXPECT_LE(k.vgprs, 256u);
      EXPECT_EQ(k.wave_size, 32u);
      EXPECT_EQ(k.max_workgroup, 32 * kChunkedWaves);
    }
  }
}

TEST(ChunkedObjects, ArgumentsLieWhereTheHostPutsThem) {
  const size_t offsets[] = {
      offsetof(ChunkedArgs, act),
      offsetof(ChunkedArgs, wei),
      offsetof(ChunkedArgs, scale),
      offsetof(ChunkedArgs, zp),
      offsetof(ChunkedArgs, bias),
      offsetof(ChunkedArgs, out),
      offsetof(ChunkedArgs, act_stride),
      offsetof(ChunkedArgs, wei_stride),
      offsetof(ChunkedArgs, scale_stride),
      offsetof(ChunkedArgs, bias_n_stride),
      offsetof(ChunkedArgs, bias_m_stride),
      offsetof(ChunkedArgs, out_stride),
      offsetof(ChunkedArgs, n),
      offsetof(ChunkedArgs, k),
      offsetof(ChunkedArgs, waves),
      offsetof(ChunkedArgs, step),
      offsetof(ChunkedArgs, chunk),
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
      EXPECT_EQ(k.kernarg_bytes, offsetof(ChunkedArgs, unused)) << k.symbol;
    }
  }
}

}  // namespace
}  // namespace w4
