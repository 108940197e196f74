// Operators as a module: what of a call they see, what of theirs becomes a refusal, and that their
// result is the output. The operators here are host functions that ask, throw and launch.
#include "intake/op_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/kernels/call_of.h"

namespace w4::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kManifest = R"({"w4_manifest": 1, "kernels": [{
  "name": "skinny", "op": "ns::skinny",
  "args": [{"tensor": "act", "layout": "dense"},
           {"tensor": "wei", "layout": "shuffled", "dtype": "i32", "strided": true},
           {"tensor": "scale", "layout": "dense"},
           {"tensor": "zp", "layout": ["packed", "unpacked"], "dtype": "i32"},
           {"tensor": "bias", "layout": "dense"}, {"int": "4*G + CUS"}, {"float": "0.5"}, {"bool": true},
           {"text": "none"}, {"none": "sinks"}],
  "clauses": ["m.range", "act.contiguous"], "assumes": ["k.step"],
  "numerics": {"weight": "product_rounded", "chain": "fma_f32", "store": "round_once"}}]})";

constexpr w4_op_kind kTakes[] = {W4_OP_TENSOR,   W4_OP_TENSOR,  W4_OP_TENSOR, W4_OP_OPTIONAL,
                                 W4_OP_OPTIONAL, W4_OP_INT,     W4_OP_FLOAT,  W4_OP_BOOL,
                                 W4_OP_TEXT,     W4_OP_OPTIONAL};

// What the operator does; a test sets it.
using Body = std::function<int(const w4_device&, bool dry, const w4_op_value*, w4_tensor*)>;
Body body;
constexpr w4_op kOp{"ns::skinny", kTakes, 10, W4_OP_TENSOR,
                    [](const w4_device* device, int32_t dry, const w4_op_value* values,
                       w4_tensor* result) { return body(*device, dry != 0, values, result); }};

struct Made {
  std::shared_ptr<const OpModule> module;
  std::string error;
};
Made make(const char* manifest, const w4_op& op = kOp) {
  const w4_ops ops{W4_OPS_VERSION, sizeof(w4_op), "skinny.cu", "gfx1151", manifest, &op, 1};
  const auto m = OpModule::make(ops, "theirs.w4m");
  return m ? Made{*m, ""} : Made{nullptr, m.error().text};
}

Problem problem() {
  return {.m = 3, .n = 16, .k = 64, .g = 32, .zp = ZpMode::packed, .lda = {}, .wpad = 8};
}

w4_tensor contiguous(const w4_device& device, int64_t m, int64_t n) {
  return {W4_F16,
          W4_DENSE,
          2,
          {m, n},
          {n, 1},
          static_cast<uint64_t>(m * n * 2),
          device.device_alloc(device.self, static_cast<size_t>(m * n * 2)),
          nullptr};
}

w4_launch launch_of(const char* symbol) {
  w4_launch l{};
  l.symbol = symbol;
  l.grid[0] = l.grid[1] = l.grid[2] = 1;
  l.block[0] = 32, l.block[1] = 16, l.block[2] = 1;
  return l;
}

TEST(OpModule, AnOperatorSeesTheCallAsTheManifestSays) {
  const Made made = make(kManifest);
  ASSERT_TRUE(made.module) << made.error;
  CallOf call(problem());
  call.out.bytes = 96;
  Recorder device;
  body = [](const w4_device& d, bool, const w4_op_value* v, w4_tensor* result) {
    EXPECT_EQ(v[0].tensor->dim[1], 64);
    EXPECT_EQ(v[1].tensor->dtype, W4_I32);
    EXPECT_THAT(v[1].tensor->dim, ElementsAre(16, 8, testing::_));
    EXPECT_EQ(v[1].tensor->stride[0], 10);  // 8 words and a pad of 8 bytes
    EXPECT_EQ(v[3].tensor->layout, W4_ZP_PACKED);
    EXPECT_EQ(v[4].tensor, nullptr);
    EXPECT_EQ(v[5].integer, 148);
    EXPECT_EQ(v[6].number, 0.5);
    EXPECT_EQ(v[7].integer, 1);
    EXPECT_STREQ(v[8].text, "none");
    EXPECT_EQ(v[9].tensor, nullptr);
    *result = contiguous(d, 3, 16);
    const w4_launch l = launch_of("_Z6kernelIiEvv");
    return d.launch(d.self, &l);
  };
  const w4_kernel& k = made.module->table().kernels[0];
  EXPECT_EQ(k.run(&k, &call.call(), &device.device), 0) << device.message;
  EXPECT_EQ(device.launches, 1);
  EXPECT_EQ(device.ran, "kernel<int> block 32x16x1; m3 g32 f16");
}

TEST(OpModule, TheFirstMemoryOfTheOutputsSizeIsTheOutput) {
  const Made made = make(kManifest);
  CallOf call(problem());
  call.out.bytes = 96;
  Recorder device;
  uint64_t first = 0, second = 0;
  body = [&](const w4_device& d, bool, const w4_op_value*, w4_tensor* result) {
    *result = contiguous(d, 3, 16);
    first = result->device;
    second = contiguous(d, 3, 16).device;
    return 0;
  };
  const w4_kernel& k = made.module->table().kernels[0];
  EXPECT_EQ(k.run(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(first, call.out.device);
  EXPECT_NE(second, first);
  EXPECT_TRUE(device.copies.empty());

  body = [&](const w4_device& d, bool, const w4_op_value*, w4_tensor* result) {
    contiguous(d, 3, 16);
    *result = contiguous(d, 3, 16);
    second = result->device;
    return 0;
  };
  EXPECT_EQ(k.run(&k, &call.call(), &device.device), 0);
  ASSERT_EQ(device.copies.size(), 1u);
  EXPECT_EQ(device.copies[0].to, call.out.device);
  EXPECT_EQ(device.copies[0].from, second);
  EXPECT_EQ(device.copies[0].bytes, 96u);
}

TEST(OpModule, ADryCallGetsNoOutputAndWhatItGuessesIsNoRefusal) {
  const Made made = make(kManifest);
  CallOf call(problem());
  call.out.bytes = 96;
  Recorder device;
  device.device.read = [](void*, uint64_t, void*, size_t) { return 0; };
  const w4_kernel& k = made.module->table().kernels[0];
  bool reads_result = true;
  body = [&](const w4_device& d, bool, const w4_op_value*, w4_tensor* result) {
    *result = contiguous(d, 3, 16);
    EXPECT_NE(result->device, call.out.device);
    EXPECT_EQ(d.copy(d.self, call.out.device, result->device, 96), 0);
    char byte = 0;
    d.read(d.self, reads_result ? result->device : call.act.device, &byte, 1);
    d.refuse(d.self, "", "not what was expected");
    return 1;
  };
  EXPECT_EQ(k.accept(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(device.message, "");
  reads_result = false;
  call.act.bytes = 384;
  EXPECT_NE(k.accept(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(device.message, "not what was expected");
  EXPECT_TRUE(device.copies.empty());
}

TEST(OpModule, WhatIsThrownIsARefusalUnderTheClauseThatTheCallBreaks) {
  const Made made = make(kManifest);
  Problem p = problem();
  p.m = 6;
  CallOf call(p);
  Recorder device;
  body = [](const w4_device& d, bool dry, const w4_op_value*, w4_tensor*) {
    EXPECT_TRUE(dry);
    d.refuse(d.self, "", "Expected M <= 5");
    return 1;
  };
  const w4_kernel& k = made.module->table().kernels[0];
  EXPECT_NE(k.accept(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(device.clause, "m.range");
  EXPECT_EQ(device.message, "Expected M <= 5");
  CallOf legal(problem());
  EXPECT_NE(k.accept(&k, &legal.call(), &device.device), 0);
  EXPECT_EQ(device.clause, "");
}

TEST(OpModule, WhatCallersSeeToIsRefusedBeforeItIsCalled) {
  const Made made = make(kManifest);
  Recorder device;
  body = [](const w4_device&, bool, const w4_op_value*, w4_tensor*) {
    ADD_FAILURE() << "called";
    return 0;
  };
  const w4_kernel& k = made.module->table().kernels[0];
  Problem p = problem();
  p.k = 36, p.g = 36;
  CallOf call(p);
  EXPECT_NE(k.run(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(device.clause, "k.step");
}

TEST(OpModule, ZeroPointsOfOneEncodingMayBeOptional) {
  std::string manifest = kManifest;
  const std::string from = R"("layout": ["packed", "unpacked"], "dtype": "i32"})";
  const auto clauses_with = [&](const std::string& to) {
    std::string text = manifest;
    text.replace(text.find(from), from.size(), to);
    const Made made = make(text.c_str());
    std::vector<std::string> out;
    if (!made.module) return std::vector{made.error};
    for (const char* const* c = made.module->table().kernels[0].clauses; *c != nullptr; ++c)
      out.emplace_back(*c);
    return out;
  };
  using testing::Contains;
  const auto optional = clauses_with(R"("layout": "unpacked", "optional": true})");
  EXPECT_THAT(optional, Contains("zp.numbers"));
  EXPECT_THAT(optional, testing::Not(Contains("zp.unpacked")));
  EXPECT_THAT(clauses_with(R"("layout": "unpacked"})"), Contains("zp.unpacked"));
  EXPECT_THAT(clauses_with(R"("layout": "unpacked", "optional": 1})"),
              ElementsAre(HasSubstr("args[3].optional")));
}

TEST(OpModule, AResultThatIsNotTheOutputIsNamed) {
  const Made made = make(kManifest);
  CallOf call(problem());
  call.out.bytes = 96;
  Recorder device;
  const w4_kernel& k = made.module->table().kernels[0];
  body = [](const w4_device& d, bool, const w4_op_value*, w4_tensor* result) {
    *result = contiguous(d, 16, 3);
    return 0;
  };
  EXPECT_NE(k.run(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(device.message, "the operator returns f16 [16,3]; legal: f16 [3,16]");
  body = [](const w4_device& d, bool, const w4_op_value*, w4_tensor* result) {
    *result = contiguous(d, 3, 16);
    result->stride[0] = 20;
    return 0;
  };
  EXPECT_NE(k.run(&k, &call.call(), &device.device), 0);
  EXPECT_THAT(device.message, HasSubstr("with strides"));
  body = [](const w4_device& d, bool, const w4_op_value*, w4_tensor* result) {
    *result = contiguous(d, 3, 16);
    result->dtype = W4_BF16;
    return 0;
  };
  EXPECT_NE(k.run(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(device.message, "the operator returns bf16 [3,16]; legal: f16 [3,16]");
}

TEST(OpModule, TheFirstThingThrownIsTheRefusal) {
  const Made made = make(kManifest);
  CallOf call(problem());
  Recorder device;
  body = [](const w4_device& d, bool, const w4_op_value*, w4_tensor*) {
    d.refuse(d.self, "", "Expected K % 8 == 0");
    d.refuse(d.self, "", "while unwinding");
    return 1;
  };
  const w4_kernel& k = made.module->table().kernels[0];
  EXPECT_NE(k.accept(&k, &call.call(), &device.device), 0);
  EXPECT_EQ(device.message, "Expected K % 8 == 0");
}

std::string wrong(const std::string& from, const std::string& to) {
  std::string text = kManifest;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return make(text.replace(at, from.size(), to).c_str()).error;
}

TEST(OpModule, AManifestThatDoesNotFitIsNamedByItsPlace) {
  EXPECT_EQ(wrong("", ""), "");
  EXPECT_THAT(
      wrong("ns::skinny", "skinny"),
      HasSubstr("theirs.w4m: its manifest:2:27: kernels[0].op: there is no operator 'skinny' "
                "in it; legal: ns::skinny"));
  EXPECT_THAT(wrong(", {\"none\": \"sinks\"}", ""),
              HasSubstr("9 arguments are declared; 'ns::skinny' takes 10: a tensor, a tensor"));
  EXPECT_THAT(wrong("{\"int\": \"4*G + CUS\"}", "{\"text\": \"a\"}"),
              HasSubstr("kernels[0].args[5]: parameter 5 of 'ns::skinny' takes an integer"));
  EXPECT_THAT(wrong("\"float\": \"0.5\"", "\"float\": \"half\""), HasSubstr("a number as a text"));
  EXPECT_THAT(wrong("\"dtype\": \"i32\"", "\"dtype\": \"int\""),
              HasSubstr("kernels[0].args[1].dtype: 'int'; legal: f16, bf16"));
  EXPECT_THAT(wrong("\"none\": \"sinks\"", "\"none\": \"sinks\", \"int\": 1"),
              HasSubstr("these keys do not go together"));
  EXPECT_THAT(wrong("{\"tensor\": \"act\", \"layout\": \"dense\"}", "{\"none\": \"act\"}"),
              HasSubstr("no argument is the tensor act"));
  EXPECT_THAT(wrong("\"op\":", "\"grid\": [1, 1, 1], \"op\":"),
              HasSubstr("the key 'grid' is not known"));
  EXPECT_THAT(make("").error, HasSubstr("made without a manifest"));
  w4_op nothing = kOp;
  nothing.returns = W4_OP_NOTHING;
  EXPECT_THAT(make(kManifest, nothing).error, HasSubstr("'ns::skinny' returns nothing"));
}

}  // namespace
}  // namespace w4::test
