// A shard of a checkpoint is the same part of the prepared whole; and a conversion that runs twice
// changes nothing or is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/prepare.h"
#include "tests/kernels/call_of.h"
#include "tests/kernels/checkpoint.h"

namespace w4 {
namespace {

using testing::HasSubstr;

TEST(PrepareShard, IsThatPartOfThePreparedWhole) {
  constexpr int64_t kRows = 8, kColumns = 2 * kG;
  for (const Format& f : kFormats) {
    for (const int64_t n0 : {0, 8, 16}) {
      for (const int64_t k0 : {int64_t{0}, kG, 2 * kG}) {
        SCOPED_TRACE(testing::Message() << f.name << " n0=" << n0 << " k0=" << k0);
        Checkpoint c(f);
        Recorder recorder;
        w4_prepared whole{}, part{};
        ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &whole), 0);
        c.source.n = kRows, c.source.k = kColumns, c.source.n0 = n0, c.source.k0 = k0;
        c.source.weight_row_pad_bytes = 4;
        ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &part), 0)
            << recorder.message;
        EXPECT_EQ(part.wei.dim[0], kRows);
        EXPECT_EQ(part.wei.dim[1], kColumns / 2);
        EXPECT_EQ(part.scale.dim[1], kColumns / kG);
        for (int64_t n = 0; n < kRows; n++) {
          for (int64_t k = 0; k < kColumns; k++) {
            ASSERT_EQ(prepared_code(part.wei, wei_shuffled({n, k})),
                      prepared_code(whole.wei, wei_shuffled({n0 + n, k0 + k})));
          }
          for (int64_t g = 0; g < kColumns / kG; g++) {
            ASSERT_EQ(prepared_code(part.zp, zp_packed({n, g})),
                      prepared_code(whole.zp, zp_packed({n0 + n, k0 / kG + g})));
            ASSERT_EQ(prepared_number(part.scale, n, g),
                      prepared_number(whole.scale, n0 + n, k0 / kG + g));
          }
        }
      }
    }
  }
}

TEST(PrepareShard, AnyRowCanComeFirstWhereNothingIsPackedAlongN) {
  for (const char* name : {"shuffled", "ct", "gptq1"}) {
    const Format& f = *std::ranges::find(kFormats, std::string_view(name), &Format::name);
    Checkpoint c(f);
    c.source.symmetric = 1;
    c.source.n = 5, c.source.n0 = 3;
    Recorder recorder;
    w4_prepared out{};
    ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &out), 0) << recorder.message;
    EXPECT_EQ(prepared_code(out.wei, wei_shuffled({4, 9})), code_of(7, 9)) << name;
    EXPECT_EQ(prepared_number(out.scale, 4, 1), scale_of(7, 1)) << name;
  }
}

TEST(PrepareShard, OutsideOrOffTheGridIsRefused) {
  const auto clause = [](const Format& f, int64_t n0, int64_t k0) -> std::string {
    Checkpoint c(f);
    c.source.n = 8, c.source.k = kG, c.source.n0 = n0, c.source.k0 = k0;
    Recorder recorder;
    w4_prepared out{};
    if (prepare_weights(nullptr, &c.source, &recorder.device, &out) == 0) return "prepared";
    EXPECT_THAT(recorder.message, HasSubstr("legal"));
    return recorder.clause;
  };
  constexpr int64_t kFar = int64_t{1} << 62;
  for (const Format& f : kFormats) {
    EXPECT_EQ(clause(f, kN - 8, kK - kG), "prepared") << f.name;
    for (const int64_t n0 : {int64_t{-8}, kN, kN - 7, kFar}) {
      EXPECT_EQ(clause(f, n0, 0), "shard.range") << f.name << n0;
    }
    for (const int64_t k0 : {-kG, kK, kK - kG + 8, kFar}) {
      EXPECT_EQ(clause(f, 0, k0), "shard.range") << f.name << k0;
    }
    EXPECT_EQ(clause(f, 0, kG / 2), "shard.group") << f.name;
    EXPECT_EQ(clause(f, 4, 0), "shard.octet") << f.name;
  }
}

// The source that a prepared result would be.
w4_source again(const w4_prepared& made, const w4_source& first) {
  w4_source s = first;
  s.wei = &made.wei;
  s.scale = &made.scale;
  s.zp = &made.zp;
  return s;
}

TEST(PrepareTwice, TheKernelsOwnLayoutIsCopied) {
  for (const Format& f : kFormats) {
    SCOPED_TRACE(f.name);
    Checkpoint c(f);
    c.source.weight_row_pad_bytes = 128, c.source.scale_row_pad = 3;
    Recorder recorder;
    w4_prepared once{}, twice{};
    ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &once), 0);
    const w4_source second = again(once, c.source);
    ASSERT_EQ(prepare_weights(nullptr, &second, &recorder.device, &twice), 0) << recorder.message;
    for (const auto member : {&w4_prepared::wei, &w4_prepared::scale, &w4_prepared::zp}) {
      const w4_tensor& a = once.*member;
      const w4_tensor& b = twice.*member;
      ASSERT_EQ(a.bytes, b.bytes);
      EXPECT_EQ(std::memcmp(a.host, b.host, a.bytes), 0);
    }
  }
}

// The second run of AWQ's own conversion, or of any other: the tags no longer fit the tensors.
TEST(PrepareTwice, UnderTheOldTagsItIsRefused) {
  for (const Format& f : kFormats) {
    if (f.wei == W4_WEI_SHUFFLED) continue;
    SCOPED_TRACE(f.name);
    Checkpoint c(f);
    Recorder recorder;
    w4_prepared once{}, twice{};
    ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &once), 0);
    w4_prepared tagged = once;
    tagged.wei.layout = f.wei;
    w4_source second = again(tagged, c.source);
    EXPECT_NE(prepare_weights(nullptr, &second, &recorder.device, &twice), 0);
    EXPECT_EQ(recorder.clause, "weight.stride");
    if (f.zp == W4_ZP_PACKED) continue;  // compressed-tensors: the kernel's own
    tagged = once;
    tagged.zp.layout = f.zp;
    second = again(tagged, c.source);
    EXPECT_NE(prepare_weights(nullptr, &second, &recorder.device, &twice), 0);
    EXPECT_EQ(recorder.clause, "zp.dtype");
  }
}

TEST(PrepareTwice, DenseWeightsAndCarriersAreNoSource) {
  Checkpoint c(kFormats[1]);
  w4_kernel kernel{};
  kernel.dense_weights = kernel.reads_carrier = 1;
  Recorder recorder;
  w4_prepared once{}, twice{};
  ASSERT_EQ(prepare_weights(&kernel, &c.source, &recorder.device, &once), 0);
  w4_source second = again(once, c.source);
  EXPECT_NE(prepare_weights(&kernel, &second, &recorder.device, &twice), 0);
  EXPECT_EQ(recorder.clause, "weight.stride");
  second = c.source;
  second.scale = &once.carrier;
  EXPECT_NE(prepare_weights(&kernel, &second, &recorder.device, &twice), 0);
  EXPECT_EQ(recorder.clause, "scale.stride");
}

// GPTQ: g_idx says the group of each column.
struct Indexed : Checkpoint {
  std::vector<int32_t> groups;
  w4_tensor index{};
  explicit Indexed(const Format& f) : Checkpoint(f), groups(static_cast<size_t>(kK)) {
    for (size_t k = 0; k < groups.size(); k++) groups[k] = static_cast<int32_t>(k / kG);
    index.dtype = W4_I32;
    index.layout = W4_GROUP_INDEX;
    index.rank = 1;
    index.dim[0] = kK;
    index.stride[0] = 1;
    index.bytes = 4 * kK;
    index.host = groups.data();
    source.g_idx = &index;
  }
  std::string prepared() const {
    Recorder recorder;
    w4_prepared out{};
    if (prepare_weights(nullptr, &source, &recorder.device, &out) == 0) return "prepared";
    return recorder.clause + ": " + recorder.message;
  }
};

TEST(PrepareGroupIndex, SequentialIsTakenAndActOrderDeclinedWithItsReason) {
  for (const size_t format : {3u, 4u}) {
    Indexed c(kFormats[format]);
    EXPECT_EQ(c.prepared(), "prepared");
    std::swap(c.groups[5], c.groups[100]);
    EXPECT_THAT(c.prepared(), HasSubstr("act.order: g_idx[5] = 3; legal: k div G = 0"));
    // Order elsewhere in the checkpoint does not matter to a shard.
    c.source.k = c.source.k0 = kG;
    EXPECT_EQ(c.prepared(), "prepared");
    c.groups[kG] = 0;
    EXPECT_THAT(c.prepared(), HasSubstr("g_idx[32] = 0; legal: k div G = 1"));
  }
}

TEST(PrepareGroupIndex, OnlyGptqHasOneAndItsShapeIsChecked) {
  for (const size_t format : {0u, 1u, 2u}) {
    EXPECT_THAT(Indexed(kFormats[format]).prepared(), HasSubstr("source.gidx"));
  }
  Indexed c(kFormats[3]);
  c.index.dim[0]--;
  EXPECT_THAT(c.prepared(), HasSubstr("act.order: g_idx is i32 [127]"));
  c.index.dim[0]++;
  c.index.dtype = W4_I64;
  EXPECT_THAT(c.prepared(), HasSubstr("act.order: g_idx is i64"));
}

// contract.md K5: [K/G,N/8] is the kernel's shape where N/8 = K/G.
TEST(PrepareSymmetric, ZeroPointsWhoseShapeCoincidesAreIgnored) {
  for (const Format& f : kFormats) {
    Checkpoint c(f);
    c.source.symmetric = 1;
    for (const w4_layout layout : {W4_ZP_PACKED, f.zp, W4_DENSE}) {
      c.zp.t.layout = layout;
      c.zp.t.dim[0] = kN / 8, c.zp.t.dim[1] = kGroups;
      Recorder recorder;
      w4_prepared out{};
      ASSERT_EQ(prepare_weights(nullptr, &c.source, &recorder.device, &out), 0);
      EXPECT_EQ(out.zp.host, nullptr);
    }
  }
}

}  // namespace
}  // namespace w4
