// Rows that lie gigabytes apart, in sparse buffers; of weights and scales no case would be let
// allocate them. Offsets from row to row have 64 bits (contract.md K15, K16).
#include <gtest/gtest.h>

#include <array>

#include "core/dtypes.h"
#include "devices/device.h"
#include "kernels/chunked.h"
#include "kernels/decode.h"
#include "kernels/prefill.h"

namespace w4 {
namespace {

constexpr int64_t kM = 3, kN = 4, kK = 64, kG = 32, kGroups = kK / kG;

struct Strides {
  int64_t act, wei, scale;  // elements, bytes, elements
};

class Far {
 public:
  // unpacked: with zero points, one number a group; otherwise symmetric.
  Far(const char* arch, const w4_kernel& kernel, bool unpacked)
      : device_(std::move(*make_device(arch))), kernel_(kernel), unpacked_(unpacked) {}

  // The output's bits. Only what belongs to a row is ever written: anything else is undefined.
  std::array<uint16_t, kM * kN> run(const Strides& far) {
    device_->reset();
    const uint64_t act = allocate("act", 2 * ((kM - 1) * far.act + kK));
    const uint64_t wei = allocate("wei", (kN - 1) * far.wei + kK / 2);
    const uint64_t scale = allocate("scale", 2 * ((kN - 1) * far.scale + kGroups));
    const uint64_t zp = allocate("zp", 2 * ((kN - 1) * far.scale + kGroups));
    const uint64_t out = allocate("out", 2 * kM * kN, true);
    uint32_t state = 1;
    const auto next = [&] { return state = state * 1664525 + 1013904223; };
    for (int64_t m = 0; m < kM; ++m) {
      std::array<uint16_t, kK> row;
      for (uint16_t& x : row) x = f64_to_f16((static_cast<int>(next() >> 26) - 32) / 16.0);
      write(act + static_cast<uint64_t>(2 * m * far.act), row);
    }
    for (int64_t n = 0; n < kN; ++n) {
      std::array<uint32_t, kK / 8> words;
      for (uint32_t& w : words) w = next() ^ next() >> 13;
      write(wei + static_cast<uint64_t>(n * far.wei), words);
      const auto s = static_cast<double>(n);
      const std::array scales{f64_to_f16(0.5 + s), f64_to_f16(0.25 * (s + 1))};
      const std::array zeros{f64_to_f16(s + 1), f64_to_f16(7 - s)};
      write(scale + static_cast<uint64_t>(2 * n * far.scale), scales);
      write(zp + static_cast<uint64_t>(2 * n * far.scale), zeros);
    }
    launch(tensor(W4_F16, W4_DENSE, kM, kK, far.act, act),
           tensor(W4_I8, W4_WEI_SHUFFLED, kN, kK / 2, far.wei, wei),
           tensor(W4_F16, W4_DENSE, kN, kGroups, far.scale, scale),
           tensor(W4_F16, W4_ZP_UNPACKED, kN, kGroups, far.scale, zp),
           tensor(W4_F16, W4_DENSE, kM, kN, kN, out));
    std::array<uint16_t, kM * kN> y{};
    EXPECT_TRUE(device_->read(out, std::as_writable_bytes(std::span(y))));
    EXPECT_TRUE(device_->unwritten(out, 1).empty());
    return y;
  }

 private:
  uint64_t allocate(const char* name, int64_t bytes, bool output = false) {
    const auto at = device_->allocate({.name = name,
                                       .bytes = static_cast<uint64_t>(bytes),
                                       .writable = output,
                                       .initialised = false,
                                       .output = output});
    EXPECT_TRUE(at) << name;
    return at.value_or(0);
  }
  template <class T, size_t n>
  void write(uint64_t to, const std::array<T, n>& values) {
    EXPECT_TRUE(device_->write(to, std::as_bytes(std::span(values))));
  }
  static w4_tensor tensor(w4_dtype dtype, w4_layout layout, int64_t rows, int64_t columns,
                          int64_t stride, uint64_t at) {
    w4_tensor t{};
    t.dtype = dtype;
    t.layout = layout;
    t.rank = 2;
    t.dim[0] = rows, t.dim[1] = columns;
    t.stride[0] = stride, t.stride[1] = 1;
    t.device = at;
    return t;
  }
  void launch(const w4_tensor& act, const w4_tensor& wei, const w4_tensor& scale,
              const w4_tensor& zp, const w4_tensor& out) {
    w4_call call{};
    call.act = &act;
    call.wei = &wei;
    call.scale = &scale;
    call.zp = unpacked_ ? &zp : nullptr;
    call.out = &out;
    call.group_size = kG;
    call.cu_count = 1;
    call.top_k = call.block_m = 1;
    w4_device table{};
    table.self = device_.get();
    table.arch = device_->gpu().arch.data();
    table.property = [](void*, w4_property) -> int64_t { return 65536; };
    table.launch = [](void* self, const w4_launch* what) {
      const LaunchResult r = static_cast<Device*>(self)->launch(*what, {});
      for (const Finding& f : r.findings) ADD_FAILURE() << to_string(f);
      EXPECT_EQ(r.end, LaunchResult::End::completed) << r.why;
      return 0;
    };
    table.refuse = [](void*, const char*, const char* message) { ADD_FAILURE() << message; };
    table.ran = [](void*, const char*) {};
    EXPECT_EQ(kernel_.run(&kernel_, &call, &table), 0);
  }

  std::unique_ptr<Device> device_;
  w4_kernel kernel_;
  bool unpacked_;
};

constexpr const char* kArchs[] = {"gfx1100", "gfx1151", "gfx1201"};
// The legal limits: rows of up to 12 GiB. The decode ops index scales with 32 bits (index.width),
// their elements lie up to 4 GiB from the first.
constexpr int64_t kFarAct = 2147483640, kFarWei = 2147483644, kFarScale = 2147483647;
constexpr int64_t kFarIndex = kFarScale / kN;

TEST(FarRows, OfPrefillGiveTheBitsOfNeighbours) {
  for (const char* arch : kArchs) {
    Far far(arch, prefill_kernel(), true);
    const auto near = far.run({kK, kK / 2, kGroups});
    EXPECT_EQ(far.run({kFarAct, kK / 2, kGroups}), near) << arch << " act";
    EXPECT_EQ(far.run({kK, kFarWei, kGroups}), near) << arch << " wei";
    EXPECT_EQ(far.run({kK, kK / 2, kFarScale}), near) << arch << " scale, zp";
  }
}

TEST(FarRows, OfChunkedGiveTheBitsOfNeighbours) {
  for (const char* arch : kArchs) {
    Far far(arch, chunked_kernel(), false);
    const auto near = far.run({kK, kK / 2, kGroups});
    EXPECT_EQ(far.run({kFarAct, kK / 2, kGroups}), near) << arch << " act";
    EXPECT_EQ(far.run({kK, kFarWei, kGroups}), near) << arch << " wei";
    EXPECT_EQ(far.run({kK, kK / 2, kFarIndex}), near) << arch << " scale";
  }
}

TEST(FarRows, OfDecodeGiveTheBitsOfNeighbours) {
  for (const char* arch : kArchs) {
    Far far(arch, decode_kernel(), true);
    const auto near = far.run({kK, kK / 2, kGroups});
    EXPECT_EQ(far.run({kK, kFarWei, kGroups}), near) << arch << " wei";
    EXPECT_EQ(far.run({kK, kK / 2, kFarIndex}), near) << arch << " scale, zp";
  }
}

}  // namespace
}  // namespace w4
