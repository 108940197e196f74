// Operands as another module wrote them: taken as they are, or refused as no tensor at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>

#include "core/case.h"
#include "kernels/table.h"
#include "verify/operands.h"

namespace w4 {
namespace {

using testing::HasSubstr;

std::array<std::byte, 1 << 16> memory{};

w4_tensor tensor(w4_dtype dtype, w4_layout layout, int64_t rows, int64_t cols, int64_t stride,
                 uint64_t bytes) {
  return {.dtype = dtype,
          .layout = layout,
          .rank = 2,
          .dim = {rows, cols, 0},
          .stride = {stride, 1, 0},
          .bytes = bytes,
          .device = 0,
          .host = memory.data()};
}

// What a module wrote for decode n=16 k=256 g=128 zp=packed.
w4_prepared right() {
  w4_prepared p{};
  p.wei = tensor(W4_I8, W4_WEI_SHUFFLED, 16, 128, 128, 2048);
  p.scale = tensor(W4_F16, W4_DENSE, 16, 2, 2, 64);
  p.zp = tensor(W4_I32, W4_ZP_PACKED, 2, 2, 2, 16);
  return p;
}

struct Handed {
  Operands ops;
  std::string error;
  std::string undeclared;
};

Handed hand(const w4_prepared& prepared, const char* line = "decode n=16 zp=packed") {
  const Problem p = parse_case(line)->problem;
  const w4_kernel& kernel = builtin_module().kernels[0];
  Handed h;
  h.ops = plan_operands(p, kernel, nullptr);
  if (const auto done = hand_over(h.ops, prepared); !done) {
    h.error = done.error().text;
  } else if (const auto o = undeclared_operand(h.ops, kernel, p.zp)) {
    h.undeclared = std::string(o->clause) + ": " + o->what;
  }
  return h;
}

TEST(HandOver, WhatIsDeclaredIsTakenAsItIs) {
  const Handed h = hand(right());
  EXPECT_EQ(h.error + h.undeclared, "");
  EXPECT_EQ(h.ops.zp->rows, 2);
  EXPECT_EQ(h.ops.zp->row_bytes, 8);
  w4_prepared padded = right();
  padded.scale = tensor(W4_F16, W4_DENSE, 16, 2, 6, 16 * 12);
  const Handed wide = hand(padded);
  EXPECT_EQ(wide.ops.scale.stride_bytes, 12);
  EXPECT_EQ(wide.ops.scale.desc.stride[0], 6);
}

Operand scale_of(const w4_tensor& t) {
  w4_prepared p = right();
  p.scale = t;
  const Handed h = hand(p);
  EXPECT_EQ(h.error, "");
  return h.ops.scale;
}

// Rows with pads between them, where the bytes that were given reach that far.
TEST(HandOver, WhatIsNoRowsWithPadsIsOnePieceOfMemory) {
  Operand o = scale_of(tensor(W4_F16, W4_DENSE, 16, 2, 6, 15 * 12 + 4));
  EXPECT_EQ(o.rows, 1);
  EXPECT_EQ(o.row_bytes, 15 * 12 + 4);
  w4_tensor turned = tensor(W4_F16, W4_DENSE, 16, 2, 1, 64);
  turned.stride[1] = 16;
  o = scale_of(turned);
  EXPECT_EQ(o.rows, 1);
  EXPECT_EQ(o.row_bytes, 64);
}

TEST(HandOver, RowsOfExpertsFollowEachOther) {
  w4_tensor t = tensor(W4_F16, W4_DENSE, 3, 16, 32, 192);
  t.rank = 3, t.dim[2] = 2, t.stride[1] = 2, t.stride[2] = 1;
  Operand o = scale_of(t);
  EXPECT_EQ(o.rows, 48);
  EXPECT_EQ(o.row_bytes, 4);
  EXPECT_EQ(o.per_expert, 16);
  t.stride[0] = 40, t.bytes = 240;
  o = scale_of(t);
  EXPECT_EQ(o.rows, 1) << "a gap between experts";
  EXPECT_EQ(o.row_bytes, 240);
}

TEST(HandOver, ATensorWithoutElementsNeedsNoBytes) {
  EXPECT_EQ(scale_of(tensor(W4_F16, W4_DENSE, 0, 2, 2, 0)).rows, 0);
}

TEST(HandOver, AnotherEncodingThanTheLineAsksForIsHandedOver) {
  w4_prepared p = right();
  p.zp = tensor(W4_F16, W4_ZP_UNPACKED, 16, 2, 2, 64);
  const Handed h = hand(p);
  EXPECT_EQ(h.error + h.undeclared, "") << "decode reads the tag";
  EXPECT_EQ(h.ops.zp->desc.layout, W4_ZP_UNPACKED);
  EXPECT_EQ(h.ops.zp->rows, 16);
}

TEST(HandOver, WhatTheKernelDoesNotDeclareIsNamed) {
  w4_prepared p = right();
  p.zp.layout = W4_ZP_AWQ;
  EXPECT_EQ(hand(p).undeclared,
            "zp.dtype: it was given AWQ zero points of i32, which it does not declare");
  p = right();
  p.zp.dtype = W4_F16;
  EXPECT_THAT(hand(p).undeclared, HasSubstr("packed zero points of f16"));
  p = right();
  p.zp = {};
  EXPECT_THAT(hand(p).undeclared, HasSubstr("no zero points, and the weights have some"));
  p = right();
  p.wei.layout = W4_WEI_SEQUENTIAL;
  EXPECT_THAT(hand(p).undeclared, HasSubstr("weight.stride: it was given weights in sequential"));
  p = right();
  p.scale.dtype = W4_BF16;
  EXPECT_THAT(hand(p).undeclared, HasSubstr("scale.dtype"));
  p = right();
  p.carrier = tensor(W4_I32, W4_SCALE_CARRIER, 16, 2, 2, 128);
  EXPECT_EQ(hand(p).undeclared, "carrier.stride: a carrier that the kernel does not read");
  p = right();
  EXPECT_EQ(hand(p, "decode n=16").undeclared, "") << "zero points nobody asked for, but declared";
}

TEST(HandOver, WhatIsNoTensorIsAnError) {
  w4_prepared p = right();
  p.zp.bytes = 15;
  EXPECT_EQ(hand(p).error, "the module prepared zp in 15 bytes; its shape and stride need 16");
  p = right();
  p.wei.host = nullptr;
  EXPECT_EQ(hand(p).error, "prepare() gave no wei");
  p = right();
  p.scale.rank = 0;
  EXPECT_THAT(hand(p).error, HasSubstr("scale as f16 of rank 0; legal: a w4_dtype, rank 1 to 3"));
  p = right();
  p.scale.dim[0] = -1;
  EXPECT_THAT(hand(p).error, HasSubstr("scale with dim[0] -1"));
  p = right();
  p.scale.stride[0] = INT64_MAX;
  EXPECT_THAT(hand(p).error, HasSubstr("its shape and stride need"));
}

}  // namespace
}  // namespace w4
