// Kernels that read every layout a manifest can name, chosen by patterns over demangled names.
#include <gmock/gmock.h>

#include "intake/object_module.h"
#include "tests/intake/layouts_manifest.h"
#include "tests/intake/triton_manifest.h"
#include "tests/intake/written_module.h"

namespace w4::test {
namespace {

using testing::HasSubstr;

class Layouts : public testing::Test {
 protected:
  Layouts() : folder_("layouts") { put_layouts_object(folder_); }
  void expect_pass(const std::string& manifest, const std::string& rest) {
    const std::string path = folder_.manifest(manifest);
    for (const char* g : {"k=128 g=32", "k=192 g=64"}) {
      Context context;
      const Verdict v = run_line(context, fmt::format("gemv m=3 n=40 {} {}", g, rest), path);
      EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    }
  }
  std::string opening(const std::string& manifest) {
    const auto m = ObjectModule::open(folder_.manifest(manifest));
    return m ? "it opens" : m.error().text;
  }
  WrittenModule folder_;
};

TEST_F(Layouts, SequentialRowsOfWords) {
  const std::string m = gemv_manifest("sequential", scale_and_zp("dense", zp_arg("packed", true)),
                                      R"({"when": "has_zp", "text": "1"}, {"text": "0"})");
  expect_pass(m, "zp=packed");
  expect_pass(m, "zp=none bias=mxn lda=264 ldy=48 spad=3 src=ct");
  expect_pass(m, "zp=packed bias=mx1 src=awq spad=1");
}

TEST_F(Layouts, AwqAsItsCheckpointsHaveIt) {
  const std::string m =
      gemv_manifest("awq", scale_and_zp("transposed", zp_arg("awq")), R"({"text": "3"})");
  expect_pass(m, "zp=packed");
  expect_pass(m, "zp=packed src=awq bias=n");
}

TEST_F(Layouts, GptqWithBothContractsOfItsZeroPoints) {
  for (const auto& [layout, number] : {std::pair{"gptq1", 4}, {"gptq2", 5}}) {
    const std::string m = gemv_manifest("gptq", scale_and_zp("transposed", zp_arg(layout)),
                                        fmt::format(R"({{"text": "{}"}})", number));
    expect_pass(m, "zp=packed");
    expect_pass(m, fmt::format("zp=packed src={} bias=1x1", layout));
  }
  // One is not the other.
  const std::string swapped = folder_.manifest(
      gemv_manifest("gptq", scale_and_zp("transposed", zp_arg("gptq1")), R"({"text": "5"})"));
  Context context;
  EXPECT_EQ(run_line(context, "gemv m=1 n=40 k=128 g=32 zp=packed", swapped).kind(),
            VerdictKind::mismatch);
}

TEST_F(Layouts, OnePointerInEitherEncodingBothDtypesAndPads) {
  const std::string both =
      R"({"tensor": "zp", "layout": ["packed", "unpacked"], "optional": true})";
  const std::string m = gemv_manifest(
      "shuffled", scale_and_zp("dense", both),
      R"({"when": "zp_packed", "text": "1"}, {"when": "has_zp", "text": "2"}, {"text": "0"})");
  for (const char* zp : {"none", "packed", "unpacked"}) {
    expect_pass(m, fmt::format("zp={} wpad=16 spad=1 lda=200 ldy=41 bias=mxn", zp));
  }
  expect_pass(m, "zp=packed act=bf16");
}

TEST_F(Layouts, DenseWeightsNeedNoScale) {
  const std::string m =
      gemv_manifest("dense", R"({"null": "scale"}, {"null": "zero points"},)", R"({"text": "0"})");
  // The dense copy is rounded once to fp16.
  const std::string rounded = changed(m, "product_exact", "product_rounded");
  expect_pass(rounded, "zp=none");
  expect_pass(rounded, "zp=packed bias=n lda=200");
}

TEST_F(Layouts, PatternsThatNothingMatchesOrTwoDoAreErrorsAtLoad) {
  const std::string m =
      gemv_manifest("shuffled", scale_and_zp("dense", zp_arg("packed")), R"({"text": "1"})");
  EXPECT_EQ(opening(m), "it opens");
  EXPECT_THAT(opening(changed(m, "layouts::gemv<{T}", "layouts::gemm<{T}")),
              testing::AllOf(HasSubstr("kernels[0].symbol.pattern: no kernel of layouts.co is "
                                       "called 'layouts::gemm<{T}"),
                             HasSubstr("there are: layouts::gemv<_Float16,(layouts::Wei)0")));
  std::string twice = changed(
      m, "layouts::gemv<{T}, (layouts::Wei){WEI}, (layouts::Zeros){ZP}, {G}>", "twice<{G}>");
  EXPECT_THAT(opening(twice), HasSubstr("has 4 explicit ones"));
  const size_t args = twice.find("\"args\": ["), end = twice.find("],\n    \"grid\"");
  twice.replace(args, end - args, R"("args": [
    {"tensor": "act", "layout": "dense"}, {"tensor": "wei", "layout": "shuffled"},
    {"tensor": "scale", "layout": "dense"}, {"tensor": "out", "layout": "dense"})");
  EXPECT_THAT(opening(twice),
              HasSubstr("'twice<32>' is two kernels of layouts.co: void twice<32>"));
  EXPECT_EQ(opening(changed(twice, "twice<{G}>",
                            "twice<{G}>(float const*, void const*, float const*, float*)")),
            "it opens");
}

TEST_F(Layouts, WhatAPatternSpellsWronglyIsRefusedWithItsPlace) {
  const std::string m =
      gemv_manifest("shuffled", scale_and_zp("dense", zp_arg("packed")), R"({"text": "1"})");
  const auto wrong = [&](const char* from, const char* to) {
    return opening(changed(m, from, to));
  };
  EXPECT_THAT(wrong("{G}>", "{GG}>"),
              HasSubstr("symbol.pattern: in {GG}: column 1: 'GG'; legal: M, N, K, G"));
  EXPECT_THAT(wrong("{G}>", "{GG}>"), HasSubstr("or a word of bind: T, WEI, ZP"));
  EXPECT_THAT(wrong("{G}>", "{G>"), HasSubstr("a brace without its other half at character 63"));
  EXPECT_THAT(wrong("{T}, ", "{T} "), HasSubstr("no kernel of layouts.co is called"));
  EXPECT_THAT(wrong("{T}, ", "{T} {G}"), HasSubstr("two {} with nothing in between"));
  EXPECT_THAT(wrong("\"T\":", "\"M\":"),
              HasSubstr("kernels[0].bind.M: 'M' is a variable already: rows of act and out"));
  EXPECT_THAT(wrong("{\"text\": \"_Float16\"}", "{}"),
              HasSubstr("kernels[0].bind.T[1]: the key 'text' is missing"));
  EXPECT_THAT(wrong("\"pattern\":", "\"patern\":"),
              HasSubstr("the key 'patern' is not known; legal: symbol, pattern, when"));
  EXPECT_THAT(wrong("\"optional\": false", "\"optional\": 1"),
              HasSubstr("args[3].optional: 1; legal: true or false"));
  EXPECT_THAT(wrong("\"layout\": \"dense\"}, {\"tensor\": \"wei\"",
                    "\"layout\": \"dense\", \"optional\": true}, {\"tensor\": \"wei\""),
              HasSubstr("args[0].optional: of act; legal: of zp"));
  EXPECT_THAT(wrong("\"zeroed\": true}, {\"u32\": \"N\"}",
                    "\"zeroed\": true}, {\"u32\": \"N\", \"zeroed\": true}"),
              HasSubstr("these keys do not go together"));
}

}  // namespace
}  // namespace w4::test
