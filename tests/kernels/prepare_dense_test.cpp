// The dense copy and the carrier, against the words of the contract.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/dtypes.h"
#include "kernels/prepare.h"
#include "tests/kernels/call_of.h"
#include "tests/kernels/checkpoint.h"

namespace w4 {
namespace {

w4_kernel reads(bool dense, bool carrier) {
  w4_kernel k{};
  k.dense_weights = dense ? 1 : 0;
  k.reads_carrier = carrier ? 1 : 0;
  return k;
}

uint32_t word_at(const w4_tensor& t, int64_t row, int64_t col) {
  uint32_t w = 0;
  std::memcpy(&w, static_cast<const std::byte*>(t.host) + (row * t.stride[0] + col) * 4, 4);
  return w;
}

TEST(PrepareDense, IsTheRoundedProductOfEveryFormat) {
  const w4_kernel kernel = reads(true, false);
  for (const Format& f : kFormats) {
    for (const w4_dtype dtype : {W4_F16, W4_BF16}) {
      for (const bool symmetric : {false, true}) {
        SCOPED_TRACE(testing::Message() << f.name << " " << dtype << " " << symmetric);
        Checkpoint c(f);
        c.scale.t.dtype = dtype;
        c.source.symmetric = symmetric ? 1 : 0;
        c.source.weight_row_pad_bytes = 6;
        c.source.n = 16, c.source.n0 = 8, c.source.k = 64, c.source.k0 = kG;
        Recorder recorder;
        w4_prepared out{};
        ASSERT_EQ(prepare_weights(&kernel, &c.source, &recorder.device, &out), 0)
            << recorder.message;
        EXPECT_EQ(out.wei.dtype, dtype);
        EXPECT_EQ(out.wei.layout, W4_DENSE);
        EXPECT_EQ(out.wei.stride[0], 64 + 3);
        EXPECT_EQ(out.scale.dim[1], 2);
        EXPECT_EQ(out.zp.host == nullptr, symmetric);
        const auto t = static_cast<DType>(dtype);
        for (int64_t n = 0; n < 16; n++) {
          for (int64_t k = 0; k < 64; k++) {
            const int64_t row = 8 + n, col = kG + k, g = col / kG;
            const double z = symmetric ? 8 : zero_of(row, g);
            // Exact in double; in one rounding to T.
            const double exact = (code_of(row, col) - z) * to_f64(t, scale_of(row, g));
            ASSERT_EQ(prepared_number(out.wei, n, k), from_f64(t, exact)) << n << " " << k;
          }
        }
      }
    }
  }
}

TEST(PrepareDense, UnpackedZeroPointsAreNumbersOfTheirOwn) {
  Checkpoint c(kFormats[0]);
  Numbers z(W4_ZP_UNPACKED, kN, kGroups);
  std::ranges::fill(z.data, f32_to_f16(2.5F));
  c.source.zp = &z.t;
  c.source.zp_wanted = W4_ZP_UNPACKED;
  const w4_kernel kernel = reads(true, false);
  Recorder recorder;
  w4_prepared out{};
  ASSERT_EQ(prepare_weights(&kernel, &c.source, &recorder.device, &out), 0) << recorder.message;
  EXPECT_EQ(prepared_number(out.wei, 3, 40),
            from_f64(DType::f16, (code_of(3, 40) - 2.5) * to_f64(DType::f16, scale_of(3, 1))));
}

// Every zero point with scales of every kind: high half fp16(-z*s), low half the scale's bits.
TEST(PrepareCarrier, HalvesOfFp16) {
  const w4_kernel kernel = reads(false, true);
  for (const uint16_t scale : {0x3c00, 0x0001, 0x03ff, 0x7bff, 0xbc01, 0x2e66, 0x0000, 0x8000}) {
    Checkpoint c(kFormats[1]);
    std::ranges::fill(c.scale.data, scale);
    c.source.carrier_row_pad = 5;
    c.source.scale_row_pad = 1;
    Recorder recorder;
    w4_prepared out{};
    ASSERT_EQ(prepare_weights(&kernel, &c.source, &recorder.device, &out), 0) << recorder.message;
    EXPECT_EQ(out.carrier.dtype, W4_F32);
    EXPECT_EQ(out.carrier.layout, W4_SCALE_CARRIER);
    EXPECT_EQ(out.carrier.stride[0], kGroups + 5);  // its own, whatever the scales have
    EXPECT_EQ(out.scale.stride[0], kGroups + 1);
    const double s = to_f64(DType::f16, scale);
    for (int64_t n = 0; n < kN; n++) {
      for (int64_t g = 0; g < kGroups; g++) {
        const uint32_t word = word_at(out.carrier, n, g);
        EXPECT_EQ(word & 0xffff, scale);
        const double high = to_f64(DType::f16, static_cast<uint16_t>(word >> 16));
        EXPECT_EQ(high, to_f64(DType::f16, from_f64(DType::f16, -(zero_of(n, g) * s))))
            << zero_of(n, g) << " * " << s;
      }
    }
  }
}

// contract.md 11.4: z*s >= 65520 becomes Inf, anything below rounds to a number.
TEST(PrepareCarrier, OverflowsFrom65520On) {
  const w4_kernel kernel = reads(false, true);
  Checkpoint c(kFormats[1]);
  std::ranges::fill(c.scale.data, from_f64(DType::f16, 5040));  // 13*5040 = 65520
  Recorder recorder;
  w4_prepared out{};
  ASSERT_EQ(prepare_weights(&kernel, &c.source, &recorder.device, &out), 0);
  int above = 0;
  for (int64_t n = 0; n < kN; n++) {
    for (int64_t g = 0; g < kGroups; g++) {
      const double high =
          to_f64(DType::f16, static_cast<uint16_t>(word_at(out.carrier, n, g) >> 16));
      EXPECT_EQ(std::isinf(high), zero_of(n, g) >= 13) << zero_of(n, g);
      above += std::isinf(high) ? 1 : 0;
    }
  }
  EXPECT_GT(above, 0);
}

TEST(PrepareCarrier, HoldsTheZeroPointItselfInBf16AndEightWhereSymmetric) {
  const w4_kernel kernel = reads(false, true);
  for (const Format& f : kFormats) {
    for (const bool symmetric : {false, true}) {
      Checkpoint c(f);
      c.scale.t.dtype = W4_BF16;
      c.source.symmetric = symmetric ? 1 : 0;
      Recorder recorder;
      w4_prepared out{};
      ASSERT_EQ(prepare_weights(&kernel, &c.source, &recorder.device, &out), 0);
      for (int64_t n = 0; n < kN; n++) {
        for (int64_t g = 0; g < kGroups; g++) {
          EXPECT_EQ(word_at(out.carrier, n, g),
                    (symmetric ? 8 : zero_of(n, g)) << 16 | scale_of(n, g));
        }
      }
    }
  }
}

TEST(PrepareCarrier, RefusesWhatItCannotHold) {
  const w4_kernel kernel = reads(true, true);
  const auto clause = [&](auto&& change) -> std::string {
    Checkpoint c(kFormats[0]);
    Numbers z(W4_ZP_UNPACKED, kN, kGroups);
    change(c, z);
    Recorder recorder;
    w4_prepared out{};
    return prepare_weights(&kernel, &c.source, &recorder.device, &out) == 0 ? "prepared"
                                                                            : recorder.clause;
  };
  EXPECT_EQ(clause([](Checkpoint&, Numbers&) {}), "prepared");
  EXPECT_EQ(clause([](Checkpoint& c, Numbers&) { c.source.carrier_row_pad = -1; }),
            "carrier.stride");
  EXPECT_EQ(clause([](Checkpoint& c, Numbers& z) {
              c.source.zp = &z.t;
              c.source.zp_wanted = W4_ZP_UNPACKED;
            }),
            "zp.encoding");
  EXPECT_EQ(clause([](Checkpoint& c, Numbers&) { c.scale.t.dtype = W4_I8; }), "scale.dtype");
}

}  // namespace
}  // namespace w4
