// Preparation against the layout functions of core: a checkpoint is packed nibble by nibble through
// them, prepared, and read back nibble by nibble.
#include "kernels/prepare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dtypes.h"
#include "kernels/nibbles.h"
#include "tests/kernels/call_of.h"
#include "tests/kernels/checkpoint.h"

namespace w4 {
namespace {

using testing::HasSubstr;

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
