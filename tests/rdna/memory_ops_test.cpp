// Buffer resources against scalar code: what each lane must get, what memory must hold afterwards,
// and which accesses are findings.
#include <array>
#include <functional>

#include "tests/rdna/rig.h"

namespace w4::rdna {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

class MemoryOps : public testing::TestWithParam<std::string> {
 protected:
  bool gfx12() const { return GetParam().find("gfx12") != std::string::npos; }
};

std::vector<uint8_t> numbered(size_t n) {
  std::vector<uint8_t> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<uint8_t>(i * 37 + 11);
  return v;
}

// A resource as the kernel gets it: base, stride, records, out-of-range rule.
struct Resource {
  u64 base;
  u32 stride = 0, records = 0, rule = 3;
  std::array<u32, 4> words() const {
    return {static_cast<u32>(base), static_cast<u32>(base >> 32) | stride << 16, records,
            rule << 28};
  }
};

constexpr u32 kScalar = 16;  // the scalar offset of every launch
constexpr size_t kBytes = 512;

struct Lanes32 {
  std::vector<u32> at = std::vector<u32>(32), index = std::vector<u32>(32);
};
Lanes32 lanes() {
  Lanes32 x;
  for (u32 l = 0; l < 32; ++l) {
    x.at[l] = l * 7;  // unaligned, and past the end of the records from some lane on
    x.index[l] = (l * 5) % 17;
  }
  x.at[30] = 0xfffffffc;  // no wrap: outside
  return x;
}

class BufferRig : public Rig {
 public:
  explicit BufferRig(const std::string& path) : Rig(path) {
    if (!ok()) return;
    memory = allocate({.name = "memory", .bytes = kBytes, .writable = true});
    bytes = numbered(kBytes);
    EXPECT_TRUE(emulator().memory().write(memory, std::as_bytes(std::span(bytes))));
    x = lanes();
    at = input("at", x.at);
    index = input("index", x.index);
    data = allocate({.name = "data", .bytes = 32 * 16 + 128, .writable = true});
  }
  LaunchReport go(std::string_view kernel, const Resource& r, LaunchConfig c = config(1, 32)) {
    const std::array<u32, 4> w = r.words();
    return launch(kernel, c, w, at, index, data, kScalar);
  }
  Address memory = 0, at = 0, index = 0, data = 0;
  std::vector<uint8_t> bytes;
  Lanes32 x;
};

// n bytes at base + scalar + index * stride + offset if that component is in range, else zeros.
u64 component(const std::vector<uint8_t>& memory, const Resource& r, u32 index, u64 offset,
              size_t n) {
  bool in = false;
  if (r.rule == 0) in = index < r.records && offset + n <= r.stride;
  if (r.rule == 1) in = index < r.records;
  if (r.rule == 2) in = r.records != 0;
  if (r.rule == 3) in = offset + n <= r.records;
  u64 value = 0;
  if (in) std::memcpy(&value, &memory.at(kScalar + u64{index} * r.stride + offset), n);
  return value;
}

struct LoadCase {
  const char* kernel;
  size_t words;
  bool offset_vgpr, index_vgpr;
  u64 offset;
  std::function<u32(u64)> fit;  // from the first component; none: words as they are
  size_t bytes = 4;
};
const LoadCase kLoads[] = {
    {"load_b32", 1, true, false, 4, {}},
    {"load_b96", 3, true, false, 0, {}},
    {"load_b128", 4, true, false, 0, {}},
    {"load_u8", 1, true, false, 0, [](u64 x) { return static_cast<u32>(x); }, 1},
    {"load_i16", 1, true, false, 0, [](u64 x) { return static_cast<u32>(static_cast<int16_t>(x)); },
     2},
    {"load_d16_hi", 1, true, false, 0, [](u64 x) { return static_cast<u32>(x) << 16 | 0x5aa5; }, 2},
    {"load_indexed", 4, false, true, 8, {}},
    {"load_both", 2, true, true, 0, {}},
    {"load_uniform", 1, false, false, 12, {}},
};

TEST_P(MemoryOps, BufferLoadsGiveMemoryOrZeroByEveryRangeRule) {
  for (const LoadCase& c : kLoads) {
    for (u32 rule = 0; rule < 4; ++rule) {
      BufferRig rig(GetParam());
      ASSERT_TRUE(rig.ok());
      Resource r{.base = rig.memory, .records = 150, .rule = rule};
      if (rule < 2) r = {.base = rig.memory, .stride = 24, .records = 13, .rule = rule};
      if (rule == 1 || rule == 2) {  // nothing checks the offset: keep it inside memory
        for (u32& a : rig.x.at) a %= 100;
        ASSERT_TRUE(rig.emulator().memory().write(rig.at, std::as_bytes(std::span(rig.x.at))));
      }
      // Raw with an index: without a stride it says nothing.
      if (rule == 3 && c.index_vgpr) continue;
      const std::vector<u32> old(32 * 4 + 32, 0x5aa5);
      ASSERT_TRUE(rig.emulator().memory().write(rig.data, std::as_bytes(std::span(old))));
      const LaunchReport report = rig.go(c.kernel, r);
      ASSERT_EQ(report.end, LaunchReport::End::completed) << c.kernel << rule << what(report);
      EXPECT_TRUE(report.findings.empty()) << c.kernel << rule << what(report);
      const std::vector<u32> got = rig.read<u32>(rig.data, 32 * c.words);
      int zeros = 0;
      for (size_t l = 0; l < 32; ++l) {
        const u32 index = c.index_vgpr ? rig.x.index[l] : 0;
        const u64 offset = c.offset + (c.offset_vgpr ? rig.x.at[l] : 0);
        for (size_t k = 0; k < c.words; ++k) {
          const u64 v = component(rig.bytes, r, index, offset + 4 * k, c.bytes);
          const u32 want = c.fit ? c.fit(v) : static_cast<u32>(v);
          EXPECT_EQ(got[l * c.words + k], want)
              << c.kernel << " rule " << rule << " lane " << l << " word " << k;
          zeros += v == 0;
        }
      }
      if (rule == 3 && c.offset_vgpr) {
        EXPECT_GT(zeros, 0) << c.kernel;
      }
    }
  }
}

TEST_P(MemoryOps, InsideTheRecordsButOutsideTheBufferIsAFinding) {
  BufferRig rig(GetParam());
  ASSERT_TRUE(rig.ok());
  for (u32 l = 0; l < 32; ++l) rig.x.at[l] = l * 4;
  ASSERT_TRUE(rig.emulator().memory().write(rig.at, std::as_bytes(std::span(rig.x.at))));
  for (const char* kernel : {"load_b128", "store_b128", "add_u32"}) {
    const LaunchReport report = rig.go(kernel, {.base = rig.memory + kBytes - 100, .records = 100});
    ASSERT_EQ(report.findings.size(), 1u) << kernel << what(report);
    EXPECT_EQ(report.findings[0].kind, std::string_view(kernel) == "load_b128"
                                           ? FindingKind::oob_read
                                           : FindingKind::oob_write);
    EXPECT_EQ(report.findings[0].buffer, "memory");
  }
}

TEST_P(MemoryOps, OtherResourcesAreUnsupportedWithAReason) {
  BufferRig rig(GetParam());
  ASSERT_TRUE(rig.ok());
  const Resource r{.base = rig.memory, .records = 100};
  const auto end = [&](u32 word, u32 bits) {
    std::array<u32, 4> w = r.words();
    w[word] |= bits;
    return rig.launch("load_b32", config(1, 32), w, rig.at, rig.index, rig.data, kScalar);
  };
  EXPECT_NE(end(1, 1u << 30).why.find("swizzled"), std::string::npos);
  EXPECT_NE(end(3, 1u << 23).why.find("thread id"), std::string::npos);
  EXPECT_NE(end(3, 1u << 31).why.find("type"), std::string::npos);
}

TEST_P(MemoryOps, BufferStoresAreDroppedOutside) {
  for (const char* kernel : {"store_b128", "store_b8"}) {
    const bool wide = std::string_view(kernel) == "store_b128";
    BufferRig rig(GetParam());
    ASSERT_TRUE(rig.ok());
    for (u32 l = 0; l < 32; ++l) {
      rig.x.at[l] = l * 16 + 8;
      rig.x.index[l] = l;
    }
    auto& memory = rig.emulator().memory();
    ASSERT_TRUE(memory.write(rig.at, std::as_bytes(std::span(rig.x.at))));
    ASSERT_TRUE(memory.write(rig.index, std::as_bytes(std::span(rig.x.index))));
    std::vector<u32> data(128);
    for (u32 i = 0; i < 128; ++i) data[i] = i * 0x9e3779b9u;
    ASSERT_TRUE(memory.write(rig.data, std::as_bytes(std::span(data))));
    const Resource r = wide ? Resource{.base = rig.memory, .records = 210}
                            : Resource{.base = rig.memory, .stride = 5, .records = 20, .rule = 0};
    const LaunchReport report = rig.go(kernel, r);
    ASSERT_EQ(report.end, LaunchReport::End::completed) << what(report);
    EXPECT_TRUE(report.findings.empty()) << what(report);
    std::vector<uint8_t> want = rig.bytes;
    for (u32 l = 0; l < 32; ++l) {
      for (u32 k = 0; k < 4 && wide; ++k) {
        const u64 offset = rig.x.at[l] + 4 * k;
        if (offset + 4 <= r.records) std::memcpy(&want[kScalar + offset], &data[4 * l + k], 4);
      }
      if (!wide && l < r.records) want[kScalar + l * 5 + 1] = static_cast<uint8_t>(data[l]);
    }
    EXPECT_EQ(rig.read<uint8_t>(rig.memory, kBytes), want) << kernel;
  }
}

TEST_P(MemoryOps, BufferAtomicsReturnZeroOutside) {
  for (const char* kernel : {"add_u32", "cmpswap_b32"}) {
    const bool add = std::string_view(kernel) == "add_u32";
    BufferRig rig(GetParam());
    ASSERT_TRUE(rig.ok());
    std::vector<u32> data(32);
    for (u32 l = 0; l < 32; ++l) {
      rig.x.at[l] = l * 4;
      data[l] = l * 0x01000193u + 5;
      std::memcpy(&rig.x.index[l], &rig.bytes[kScalar + l * 4], 4);
      if (l % 3 == 0) ++rig.x.index[l];  // the comparison fails
    }
    auto& memory = rig.emulator().memory();
    ASSERT_TRUE(memory.write(rig.at, std::as_bytes(std::span(rig.x.at))));
    ASSERT_TRUE(memory.write(rig.index, std::as_bytes(std::span(rig.x.index))));
    ASSERT_TRUE(memory.write(rig.data, std::as_bytes(std::span(data))));
    const LaunchReport report = rig.go(kernel, {.base = rig.memory, .records = 90});
    ASSERT_EQ(report.end, LaunchReport::End::completed) << what(report);
    EXPECT_TRUE(report.findings.empty()) << what(report);
    std::vector<uint8_t> want = rig.bytes;
    std::vector<u32> returned(32, 0);
    for (u32 l = 0; l < 32; ++l) {
      if (l * 4 + 4 > 90) continue;
      u32 old;
      std::memcpy(&old, &rig.bytes[kScalar + l * 4], 4);
      returned[l] = old;
      const u32 now = add ? old + data[l] : l % 3 ? data[l] : old;
      std::memcpy(&want[kScalar + l * 4], &now, 4);
    }
    EXPECT_EQ(rig.read<u32>(rig.data, 32), returned) << kernel;
    EXPECT_EQ(rig.read<uint8_t>(rig.memory, kBytes), want) << kernel;
  }
}

TEST_P(MemoryOps, ScalarBufferLoadsGiveZeroOutside) {
  for (const u32 records : {0u, 11u, 12u, 24u, 27u, 28u, 100u}) {
    BufferRig rig(GetParam());
    ASSERT_TRUE(rig.ok());
    const Resource r{.base = rig.memory, .records = records};
    ASSERT_EQ(rig.go("s_b32", r).end, LaunchReport::End::completed);
    u32 word;
    std::memcpy(&word, &rig.bytes[8], 4);
    EXPECT_EQ(rig.read<u32>(rig.data, 1)[0], records >= 12 ? word : 0) << records;
    ASSERT_EQ(rig.go("s_b128", r).end, LaunchReport::End::completed);
    for (u32 k = 0; k < 4; ++k) {
      std::memcpy(&word, &rig.bytes[kScalar + 4 * k], 4);
      EXPECT_EQ(rig.read<u32>(rig.data, 4)[k], kScalar + 4 * k + 4 <= records ? word : 0)
          << records << " word " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Objects, MemoryOps, testing::ValuesIn(paths(W4_MEMORY_OPS)), test_name);

}  // namespace
}  // namespace w4::rdna
