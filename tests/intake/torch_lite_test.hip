// torch_lite as launchers use it, on the process's own emulated device, and the glue that makes
// operators of functions. Compiled as a source would be, its host side alone.
#include <gtest/gtest.h>
#include <torch/all.h>

#include <string>
#include <vector>

#include "w4_glue.h"

namespace {

template <class F>
std::string thrown(F f) {
  try {
    f();
  } catch (const c10::Error& e) {
    return e.what();
  }
  return "nothing";
}

const auto kDevice = torch::TensorOptions().device(torch::kCUDA).dtype(torch::kFloat16);

TEST(Checks, PrintAsTorchDoes) {
  const at::Tensor t = torch::empty({2, 3}, kDevice);
  EXPECT_EQ(thrown([&] {
              TORCH_CHECK(t.dim() == 3, "got ", t.sizes(), ' ', t.dtype(), ' ', t.scalar_type(),
                          ' ', t.device(), ' ', 1.5);
            }),
            "got [2, 3] c10::Half Half cuda:0 1.5");
  EXPECT_EQ(thrown([&] { TORCH_CHECK(t.dim() == 2, "never"); }), "nothing");
  EXPECT_EQ(thrown([&] { TORCH_CHECK(t.dim() == 3); }).find("Expected t.dim() == 3 to be true"),
            0u);
  EXPECT_EQ(thrown([&] { TORCH_CHECK_EQ(1, 2); }), "Check failed: 1 == 2 (1 vs. 2). ");
  EXPECT_THROW(TORCH_CHECK_VALUE(false, "v"), c10::ValueError);
}

TEST(Tensors, KnowTheirShape) {
  const at::Tensor t = torch::empty({4, 6}, kDevice);
  EXPECT_TRUE(t.is_cuda() && t.is_contiguous() && t.defined());
  EXPECT_EQ(t.numel(), 24);
  EXPECT_EQ(t.element_size(), 2);
  EXPECT_EQ(t.size(-1), 6);
  EXPECT_EQ(t.stride(0), 6);
  EXPECT_TRUE(t.dtype() == torch::kHalf && t.scalar_type() == at::ScalarType::Half);
  EXPECT_FALSE(at::Tensor().defined());
  EXPECT_EQ(at::Tensor().numel(), 0);
  EXPECT_EQ(torch::empty({0, 4}, kDevice).data_ptr(), nullptr);
  EXPECT_NE(thrown([&] { t.size(2); }).find("expected to be in range of [-2, 1], but got 2"),
            std::string::npos);
  EXPECT_EQ(thrown([&] { t.data_ptr<float>(); }), "expected scalar type Float but found Half");
  EXPECT_NE(thrown([] { at::Tensor().sizes(); }).find("undefined Tensor"), std::string::npos);
}

TEST(Tensors, ViewsShareMemoryAndStayInIt) {
  const at::Tensor t = torch::empty({4, 6}, kDevice);
  char* const base = static_cast<char*>(t.data_ptr());
  const at::Tensor u = t.t();
  EXPECT_EQ(u.sizes(), (at::IntArrayRef{6, 4}));
  EXPECT_EQ(u.strides(), (at::IntArrayRef{1, 6}));
  EXPECT_FALSE(u.is_contiguous());
  EXPECT_EQ(static_cast<char*>(t.narrow(0, 1, 2).data_ptr()), base + 12);
  EXPECT_EQ(static_cast<char*>(t.select(1, 5).data_ptr()), base + 10);
  EXPECT_EQ(t[3].sizes(), (at::IntArrayRef{6}));
  EXPECT_EQ(t.view({2, -1}).sizes(), (at::IntArrayRef{2, 12}));
  EXPECT_EQ(t.view({2, 2, 3, 2}).strides(), (at::IntArrayRef{12, 6, 2, 1}));
  EXPECT_EQ(t.narrow(1, 0, 4).view({2, 2, 2, 2}).strides(), (at::IntArrayRef{12, 6, 2, 1}));
  EXPECT_NE(thrown([&] { u.view({24}); }).find("view size is not compatible"), std::string::npos);
  EXPECT_NE(thrown([&] { t.view({5, 5}); }).find("is invalid for input of size 24"),
            std::string::npos);
  EXPECT_NE(thrown([&] { t.as_strided({4, 6}, {7, 1}); }).find("out of bounds for storage"),
            std::string::npos);
  EXPECT_EQ(t.view(at::kInt).sizes(), (at::IntArrayRef{4, 3}));
  EXPECT_EQ(t.unsqueeze(1).squeeze(1).sizes(), t.sizes());
  EXPECT_EQ(t.permute({1, 0}).sizes(), u.sizes());
  EXPECT_NE(u.reshape({24}).data_ptr(), t.data_ptr());
  EXPECT_EQ(t.reshape({24}).data_ptr(), t.data_ptr());
}

TEST(Tensors, AreFilledAndCopied) {
  const at::Tensor t = torch::full({3, 4}, 1.5, kDevice);
  t.select(1, 2).zero_();
  const at::Tensor u = t.t().contiguous();
  EXPECT_EQ(float(u[0][1].item<c10::Half>()), 1.5f);
  EXPECT_EQ(float(u[2][1].item<c10::Half>()), 0.0f);
  EXPECT_EQ(torch::zeros({1}, kDevice.dtype(at::kLong)).item<int64_t>(), 0);
  EXPECT_NE(thrown([&] {
              t.copy_(torch::empty({3, 4}, kDevice.dtype(at::kFloat)));
            }).find("legal: one dtype"),
            std::string::npos);
}

TEST(Numbers, RoundToNearestEven) {
  EXPECT_EQ(c10::BFloat16(1.00390625f).x, 0x3f80);  // halfway between 0x3f80 and 0x3f81
  EXPECT_EQ(c10::BFloat16(1.01171875f).x, 0x3f82);
  EXPECT_EQ(c10::Half(2049.0f).x, 0x6800);
  EXPECT_EQ(__float2bfloat16(1.01171875f).data, 0x3f82);
  EXPECT_EQ(__bfloat162float(__float2bfloat16(-2.5f)), -2.5f);
  EXPECT_EQ(c10::BFloat16(__builtin_nanf("")).x & 0x7fc0, 0x7fc0);
}

TEST(Dispatch, GivesTheTypeOrSaysWhichItLacks) {
  size_t size = 0;
  AT_DISPATCH_REDUCED_FLOATING_TYPES(at::kBFloat16, "f", [&] {
    size = std::is_same_v<scalar_t, c10::BFloat16> ? sizeof(scalar_t) : 0;
  });
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(AT_DISPATCH_SWITCH(at::kInt, "g",
                               AT_DISPATCH_CASE(at::kInt, [] { return sizeof(scalar_t); })),
            4u);
  EXPECT_EQ(thrown([] { AT_DISPATCH_FLOATING_TYPES(at::kInt, "f", [] {}); }),
            "\"f\" not implemented for 'Int'");
}

// Operators of every kind, on a device that counts.
std::string seen;
at::Tensor all(at::Tensor a, const at::Tensor& b, at::Tensor& c, const std::optional<at::Tensor>& o,
               std::optional<at::Tensor> p, int64_t i, int j, bool flag, double d, float f,
               std::string s, const std::string& t) {
  seen = c10::str(a.sizes(), b.dtype(), c.is_cuda(), o.has_value(), p.has_value(), i, j, flag, d, f,
                  s, t);
  return torch::empty({2, 3}, a.options());
}
void nothing(const at::Tensor& t) { TORCH_CHECK(t.defined(), "t is missing"); }
at::Tensor fails() { throw std::runtime_error("plain"); }
at::Tensor on_host(const at::Tensor& t) { return torch::empty({2}, t.scalar_type()); }
void unknown(std::vector<at::Tensor>) {}

W4_OPS_BEGIN
W4_OP(all)
W4_OP(nothing)
W4_OP(fails)
W4_OP(on_host)
W4_OP(unknown)
W4_OPS_END("a.cu", "gfx1151", "")

struct Recorder {
  std::string message;
  size_t asked = 0;
  uint64_t next = uint64_t{1} << 36, freed = 0;
  w4_device device{};
  Recorder() {
    device.version = W4_MODULE_VERSION;
    device.self = this;
    device.arch = "gfx1151";
    device.device_alloc = [](void* self, size_t bytes) {
      auto& me = *static_cast<Recorder*>(self);
      me.asked = bytes;
      return me.next;
    };
    device.device_free = [](void* self, uint64_t) { ++static_cast<Recorder*>(self)->freed; };
    device.property = [](void*, w4_property) -> int64_t { return 32; };
    device.refuse = [](void* self, const char*, const char* text) {
      static_cast<Recorder*>(self)->message = text;
    };
  }
};
const w4_op& op(int i) { return w4_ops_v1()->ops[i]; }

TEST(Glue, GivesEveryKindOfParameter) {
  ASSERT_EQ(w4_ops_v1()->count, 5);
  const std::vector<w4_op_kind> takes(op(0).takes, op(0).takes + op(0).parameters);
  EXPECT_EQ(takes,
            (std::vector<w4_op_kind>{W4_OP_TENSOR, W4_OP_TENSOR, W4_OP_TENSOR, W4_OP_OPTIONAL,
                                     W4_OP_OPTIONAL, W4_OP_INT, W4_OP_INT, W4_OP_BOOL, W4_OP_FLOAT,
                                     W4_OP_FLOAT, W4_OP_TEXT, W4_OP_TEXT}));
  EXPECT_EQ(op(0).returns, W4_OP_TENSOR);
  EXPECT_EQ(op(1).returns, W4_OP_NOTHING);
  EXPECT_EQ(op(4).takes[0], W4_OP_UNKNOWN);

  Recorder r;
  const w4_tensor t{W4_BF16, W4_DENSE, 2, {4, 8}, {10, 1}, 76, 0x5000, nullptr};
  std::vector<w4_op_value> v(12);
  v[0].tensor = v[1].tensor = v[2].tensor = v[3].tensor = &t;
  v[5].integer = int64_t{1} << 40;
  v[6].integer = -7;
  v[7].integer = 1;
  v[8].number = v[9].number = 0.5;
  v[10].text = "s";
  v[11].text = "t";
  w4_tensor result{};
  ASSERT_EQ(op(0).call(&r.device, 0, v.data(), &result), 0) << r.message;
  EXPECT_EQ(seen, "[4, 8]c10::BFloat161101099511627776-710.50.5st");
  EXPECT_EQ(result.dim[1], 3);
  EXPECT_EQ(result.bytes, 12u);
  EXPECT_EQ(result.device, r.next);
  EXPECT_EQ(r.asked, 12u);
  EXPECT_EQ(r.freed, 0u);  // the result stays

  v[6].integer = int64_t{1} << 31;
  EXPECT_EQ(op(0).call(&r.device, 0, v.data(), &result), 1);
  EXPECT_NE(r.message.find("32-bit integer without overflow: 2147483648"), std::string::npos);
}

TEST(Glue, WhatIsThrownIsARefusal) {
  Recorder r;
  w4_op_value none{};
  w4_tensor result{};
  EXPECT_EQ(op(1).call(&r.device, 0, &none, nullptr), 1);
  EXPECT_EQ(r.message, "t is missing");
  EXPECT_EQ(op(2).call(&r.device, 0, nullptr, &result), 1);
  EXPECT_EQ(r.message, "plain");
  const w4_tensor t{W4_F32, W4_DENSE, 1, {4}, {1}, 16, 0x5000, nullptr};
  w4_op_value one{};
  one.tensor = &t;
  EXPECT_EQ(op(3).call(&r.device, 0, &one, &result), 1);
  EXPECT_EQ(r.message, "the operator returned a tensor on cpu; legal: cuda:0");
  EXPECT_EQ(op(4).call(&r.device, 0, &none, nullptr), 1);
  EXPECT_NE(r.message.find("cannot be called"), std::string::npos);
}

}  // namespace
