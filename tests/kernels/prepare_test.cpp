// Preparation against the layout functions of core: a checkpoint is packed nibble by nibble through
// them, prepared, and read back nibble by nibble.
#include "kernels/prepare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/dtypes.h"
#include "core/layout.h"
#include "kernels/nibbles.h"
#include "tests/kernels/call_of.h"

namespace w4 {
namespace {

using testing::HasSubstr;

// Every code in every position, each neighbour different.
uint32_t code_of(int64_t n, int64_t k) {
  return static_cast<uint32_t>((n * 7 + k * 5 + k / 8) & 15);
}
uint32_t zero_of(int64_t n, int64_t g) {
  return static_cast<uint32_t>((n * 3 + g * 11 + n / 8) & 15);
}
uint16_t scale_of(int64_t n, int64_t g) { return static_cast<uint16_t>(0x3000 + n * 64 + g); }

// A 32-bit word matrix on the host and its descriptor.
struct Words {
  std::vector<uint32_t> data;
  w4_tensor t{};
  Words(w4_layout layout, int64_t rows, int64_t cols, int64_t stride)
      : data(static_cast<size_t>(rows * stride), 0xdeadbeefu) {
    t.dtype = W4_I32;
    t.layout = layout;
    t.rank = 2;
    t.dim[0] = rows;
    t.dim[1] = cols;
    t.stride[0] = stride;
    t.stride[1] = 1;
    t.host = data.data();
    t.bytes = data.size() * 4;
  }
  void set(Nibble at, uint32_t code) { set_nibble(data.data(), t.stride[0], at, code); }
};

struct Numbers {
  std::vector<uint16_t> data;
  w4_tensor t{};
  Numbers(w4_layout layout, int64_t rows, int64_t cols) : data(static_cast<size_t>(rows * cols)) {
    t.dtype = W4_F16;
    t.layout = layout;
    t.rank = 2;
    t.dim[0] = rows;
    t.dim[1] = cols;
    t.stride[0] = cols;
    t.stride[1] = 1;
    t.host = data.data();
    t.bytes = data.size() * 2;
  }
};

struct Format {
  const char* name;
  w4_layout wei;
  Nibble (*wei_at)(LogicalNK);
  w4_layout zp;
  Nibble (*zp_at)(LogicalNG);
  bool transposed;     // scales [K/G,N]
  uint32_t zp_stored;  // added to z, modulo 16
};
const Format kFormats[] = {
    {"shuffled", W4_WEI_SHUFFLED, wei_shuffled, W4_ZP_PACKED, zp_packed, false, 0},
    {"ct", W4_WEI_SEQUENTIAL, wei_sequential, W4_ZP_PACKED, zp_packed, false, 0},
    {"awq", W4_WEI_AWQ, wei_awq, W4_ZP_AWQ, zp_awq, true, 0},
    {"gptq1", W4_WEI_GPTQ, wei_gptq, W4_ZP_GPTQ_V1, zp_gptq, true, 15},
    {"gptq2", W4_WEI_GPTQ, wei_gptq, W4_ZP_GPTQ_V2, zp_gptq, true, 0},
};

constexpr int64_t kN = 24;
constexpr int64_t kK = 128;
constexpr int64_t kG = 32;
constexpr int64_t kGroups = kK / kG;

// A whole checkpoint of kN x kK.
struct Checkpoint {
  Words wei, zp;
  Numbers scale;
  w4_source source{};

  explicit Checkpoint(const Format& f)
      : wei(wei_words(f)),
        zp(f.zp == W4_ZP_PACKED ? Words(f.zp, kN / 8, kGroups, kGroups + 1)
                                : Words(f.zp, kGroups, kN / 8, kN / 8 + 2)),
        scale(f.transposed ? Numbers(W4_SCALE_TRANSPOSED, kGroups, kN)
                           : Numbers(W4_DENSE, kN, kGroups)) {
    for (int64_t n = 0; n < kN; n++) {
      for (int64_t k = 0; k < kK; k++) wei.set(f.wei_at({n, k}), code_of(n, k));
      for (int64_t g = 0; g < kGroups; g++) {
        zp.set(f.zp_at({n, g}), (zero_of(n, g) + f.zp_stored) & 15u);
        scale.data[static_cast<size_t>(f.transposed ? g * kN + n : n * kGroups + g)] =
            scale_of(n, g);
      }
    }
    if (f.wei == W4_WEI_SHUFFLED) {  // the kernel's own form is a tensor of bytes
      wei.t.dtype = W4_I8;
      wei.t.dim[1] *= 4;
      wei.t.stride[0] *= 4;
    }
    source.wei = &wei.t;
    source.scale = &scale.t;
    source.zp = &zp.t;
    source.n = kN;
    source.k = kK;
    source.group_size = kG;
    source.zp_wanted = W4_ZP_PACKED;
  }
  Checkpoint(const Checkpoint&) = delete;

  static Words wei_words(const Format& f) {
    switch (f.wei) {
      case W4_WEI_AWQ:
        return Words(f.wei, kK, kN / 8, kN / 8 + 1);
      case W4_WEI_GPTQ:
        return Words(f.wei, kK / 8, kN, kN + 3);
      default:
        return Words(f.wei, kN, kK / 8, kK / 8 + 2);
    }
  }
};

uint32_t prepared_code(const w4_tensor& t, Nibble at) {
  uint32_t word = 0;
  const auto* row =
      static_cast<const std::byte*>(t.host) + at.row * t.stride[0] * (t.dtype == W4_I8 ? 1 : 4);
  std::memcpy(&word, row + at.col * 4, 4);
  return word >> (4 * at.nibble) & 15u;
}
uint16_t prepared_number(const w4_tensor& t, int64_t row, int64_t col) {
  uint16_t bits = 0;
  std::memcpy(&bits, static_cast<const std::byte*>(t.host) + (row * t.stride[0] + col) * 2, 2);
  return bits;
}

TEST(Prepare, EveryFormatGivesTheSameLogicalWeights) {
  for (const Format& f : kFormats) {
    for (const int64_t pad : {0, 1}) {
      SCOPED_TRACE(f.name);
      Checkpoint c(f);
      c.source.weight_row_pad_bytes = 128 * pad;
      c.source.scale_row_pad = 5 * pad;
      Recorder recorder;
      w4_prepared out{};
      ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &out), 0) << recorder.message;
      EXPECT_EQ(out.wei.stride[0], kK / 2 + 128 * pad);
      EXPECT_EQ(out.scale.stride[0], kGroups + 5 * pad);
      EXPECT_EQ(out.zp.stride[0], out.scale.stride[0]);
      EXPECT_EQ(out.wei.layout, W4_WEI_SHUFFLED);
      EXPECT_EQ(out.zp.layout, W4_ZP_PACKED);
      EXPECT_EQ(out.wei.bytes, static_cast<uint64_t>(kN * (kK / 2 + 128 * pad)));
      for (int64_t n = 0; n < kN; n++) {
        for (int64_t k = 0; k < kK; k++) {
          ASSERT_EQ(prepared_code(out.wei, wei_shuffled({n, k})), code_of(n, k)) << n << " " << k;
        }
        for (int64_t g = 0; g < kGroups; g++) {
          ASSERT_EQ(prepared_code(out.zp, zp_packed({n, g})), zero_of(n, g)) << n << " " << g;
          ASSERT_EQ(prepared_number(out.scale, n, g), scale_of(n, g)) << n << " " << g;
        }
      }
    }
  }
}

TEST(Prepare, UnpackedZeroPointsAreNumbersOfTheScalesDtype) {
  for (const Format& f : kFormats) {
    for (const w4_dtype dtype : {W4_F16, W4_BF16}) {
      SCOPED_TRACE(f.name);
      Checkpoint c(f);
      c.scale.t.dtype = dtype;
      c.source.zp_wanted = W4_ZP_UNPACKED;
      c.source.scale_row_pad = 3;
      Recorder recorder;
      w4_prepared out{};
      ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &out), 0) << recorder.message;
      EXPECT_EQ(out.zp.dtype, dtype);
      EXPECT_EQ(out.zp.layout, W4_ZP_UNPACKED);
      EXPECT_EQ(out.zp.stride[0], out.scale.stride[0]);
      for (int64_t n = 0; n < kN; n++) {
        for (int64_t g = 0; g < kGroups; g++) {
          ASSERT_EQ(to_f64(static_cast<DType>(dtype), prepared_number(out.zp, n, g)),
                    zero_of(n, g));
        }
      }
    }
  }
}

TEST(Prepare, GptqV1ReadsAStored15AsZeroAndNeverMakes16) {
  Checkpoint c(kFormats[3]);
  std::ranges::fill(c.zp.data, 0xffffffffu);
  Recorder recorder;
  w4_prepared out{};
  ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &out), 0);
  for (int64_t n = 0; n < kN; n++) EXPECT_EQ(prepared_code(out.zp, zp_packed({n, 0})), 0u);
}

TEST(Prepare, SymmetricSourcesIgnoreZeroPointsThatExist) {
  Checkpoint c(kFormats[3]);
  c.source.symmetric = 1;
  c.zp.t.dim[0] = 1000;  // not even looked at
  Recorder recorder;
  w4_prepared out{};
  ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &out), 0) << recorder.message;
  EXPECT_EQ(out.zp.host, nullptr);
}

TEST(Prepare, TheTestVectorOfTheContract) {
  EXPECT_EQ(shuffle_nibbles(0x76543210u), 0x75316420u);
  for (uint32_t i = 0; i < 8; i++) {
    for (uint32_t v = 0; v < 16; v++) {
      const uint32_t w = v << (4 * i);
      EXPECT_EQ(unshuffle_nibbles(shuffle_nibbles(w)), w);
    }
  }
}

TEST(Prepare, TransposeMovesEveryCode) {
  std::array<uint32_t, 8> in{};
  for (uint32_t i = 0; i < 8; i++) {
    for (uint32_t j = 0; j < 8; j++) in[i] |= ((i * 5 + j * 3 + 1) & 15u) << (4 * j);
  }
  const auto out = transpose_nibbles(in);
  for (uint32_t i = 0; i < 8; i++) {
    for (uint32_t j = 0; j < 8; j++) EXPECT_EQ(out[i] >> (4 * j) & 15u, in[j] >> (4 * i) & 15u);
  }
}

template <class F>
std::string refused(const Format& f, F&& change) {
  Checkpoint c(f);
  change(c);
  Recorder recorder;
  w4_prepared out{};
  if (prepare_weights(nullptr, &c.source, &recorder.device, &out) == 0) return "prepared";
  EXPECT_THAT(recorder.message, HasSubstr("legal"));
  return recorder.clause;
}

TEST(Prepare, RefusesWithTheClauseThatIsBroken) {
  const Format& ct = kFormats[1];
  const Format& awq = kFormats[2];
  using C = Checkpoint;
  EXPECT_EQ(refused(ct, [](C&) {}), "prepared");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.group_size = 0; }), "group.size");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.n = 0; }), "n.positive");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.k = 0; }), "k.positive");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.k = 100; }), "k.group");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.k = c.source.group_size = 100; }), "k.step");
  EXPECT_EQ(refused(awq, [](C& c) { c.source.n = 20; }), "source.octet");
  EXPECT_EQ(refused(ct,
                    [](C& c) {
                      c.source.n = 20;
                      c.wei.t.dim[0] = c.scale.t.dim[0] = 20;
                    }),
            "source.octet");
  EXPECT_EQ(refused(kFormats[0],
                    [](C& c) {
                      c.source.n = 20;
                      c.wei.t.dim[0] = c.scale.t.dim[0] = 20;
                    }),
            "zp.octet");
  EXPECT_EQ(refused(ct, [](C& c) { c.wei.t.dim[1]++; }), "weight.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.wei.t.dtype = W4_F16; }), "weight.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.wei.t.layout = W4_DENSE; }), "weight.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.wei.t.host = nullptr; }), "weight.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.wei = nullptr; }), "weight.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.weight_row_pad_bytes = -4; }), "weight.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.scale_row_pad = -1; }), "scale.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.scale.t.dim[1]++; }), "scale.stride");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.scale = nullptr; }), "scale.dtype");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.zp = nullptr; }), "zp.dtype");
  EXPECT_EQ(refused(ct, [](C& c) { c.zp.t.dtype = W4_F16; }), "zp.dtype");
  EXPECT_EQ(refused(ct, [](C& c) { c.zp.t.dim[0]++; }), "zp.dtype");
  EXPECT_EQ(refused(ct, [](C& c) { c.source.zp_wanted = W4_DENSE; }), "zp.dtype");
}

}  // namespace
}  // namespace w4
