// Modules that declare what their code does not do: the probe names the property, and what is true.
#include <gmock/gmock.h>

#include "kernels/objects.h"
#include "tests/intake/decode_manifest.h"
#include "tests/intake/layouts_manifest.h"
#include "tests/intake/triton_manifest.h"
#include "verify/probe/probe.h"

namespace w4::test {
namespace {

using probe::Probed;
using probe::Property;
using probe::Status;
using testing::HasSubstr;

Probed probed(const std::string& line, const std::string& module) {
  const auto c = parse_case(line + " module=" + module);
  EXPECT_TRUE(c) << line;
  Context context;
  return c ? probe::probe(*c, context) : Probed{};
}

// "name: recovered" of what differs.
std::vector<std::string> lies(const Probed& p) {
  EXPECT_EQ(p.error, "");
  std::vector<std::string> out;
  for (const Property& x : p.properties) {
    if (x.status == Status::differs) out.push_back(x.name + ": " + x.recovered);
  }
  return out;
}

using testing::ElementsAre;
using testing::IsEmpty;

class Lies : public testing::Test {
 protected:
  Lies() : folder_("probe_lies") { put_layouts_object(folder_); }
  std::vector<std::string> of(const std::string& manifest, const std::string& line) {
    return lies(probed("gemv m=2 n=16 k=256 g=64 " + line, folder_.manifest(manifest)));
  }
  WrittenModule folder_;
};

std::string shuffled(const std::string& zp, const std::string& number) {
  return gemv_manifest("shuffled", scale_and_zp("dense", zp_arg(zp)),
                       fmt::format(R"({{"text": "{}"}})", number));
}

TEST_F(Lies, ZeroPointContractsAreToldApart) {
  EXPECT_THAT(of(shuffled("packed", "1"), "zp=packed"), IsEmpty());
  EXPECT_THAT(of(shuffled("unpacked", "2"), "zp=unpacked"), IsEmpty());
  EXPECT_THAT(of(shuffled("packed", "2"), "zp=packed"),
              ElementsAre("zero-point encoding: numbers in the activation dtype",
                          "zero points: n * 4 + k div 64"));
  EXPECT_THAT(of(shuffled("unpacked", "1"), "zp=unpacked"),
              ElementsAre("zero-point encoding: packed words",
                          "zero points: along N, order 0 1 2 3 4 5 6 7 (sequential); word n div 8 "
                          "* 4 + k div 64"));
  EXPECT_THAT(of(shuffled("packed", "0"), "zp=packed"),
              ElementsAre("zero-point encoding: none", "zero-point value: 8",
                          "zero points: not recovered: no output depends on them"));
}

TEST_F(Lies, PlusOneIsSeenWithItsWrap) {
  EXPECT_THAT(of(shuffled("packed", "6"), "zp=packed"),
              ElementsAre("zero-point value: z = stored +1"));
  EXPECT_THAT(of(shuffled("packed", "7"), "zp=packed"),
              ElementsAre("zero-point value: z = stored +1, modulo 16"));
}

TEST_F(Lies, NibbleOrderIsSeen) {
  // The kernel reads sequential words; the manifest hands it shuffled ones. Its stride is a number
  // of words, so that it is right.
  const std::string m = changed(
      changed(
          gemv_manifest("sequential", scale_and_zp("dense", zp_arg("packed")), R"({"text": "1"})"),
          "\"tensor\": \"wei\", \"layout\": \"sequential\"",
          "\"tensor\": \"wei\", \"layout\": \"shuffled\""),
      "\"wei_stride\"", "\"wei_stride / 4\"");
  EXPECT_THAT(of(m, "zp=packed"),
              ElementsAre("weight codes: along K, order 0 1 2 3 4 5 6 7 (sequential); word n * 32 "
                          "+ k div 8"));
}

TEST_F(Lies, WordsAlongNAndTransposedScalesAreSeen) {
  const std::string awq =
      gemv_manifest("awq", scale_and_zp("transposed", zp_arg("awq")), R"({"text": "3"})");
  EXPECT_THAT(of(awq, "zp=packed"), IsEmpty());  // the module lays them out anew
  const std::string wei = changed(changed(awq, "\"layout\": \"awq\"}", "\"layout\": \"shuffled\"}"),
                                  "\"wei_stride\"", "\"N / 8\"");
  EXPECT_THAT(of(wei, "zp=packed"),
              ElementsAre("weight codes: along N, order 0 2 4 6 1 3 5 7 (shuffled); word n div 8 + "
                          "k * 2"));
  const std::string scale = changed(changed(awq, "\"transposed\"", "\"dense\""),
                                    "{\"i32\": \"scale_stride\"}", "{\"i32\": \"N\"}");
  EXPECT_THAT(of(scale, "zp=packed"), ElementsAre("scales: n + k div 64 * 16"));
}

TEST_F(Lies, GroupSizeIsSeen) {
  const std::string m = changed(shuffled("packed", "1"), "{G}>", "{G == 64 ? 32 : G}>");
  EXPECT_THAT(of(m, "zp=packed"),
              ElementsAre("scales: n * 4 + k div 32",
                          "zero points: along N, order 0 1 2 3 4 5 6 7 (sequential); word n div 8 "
                          "* 4 + k div 32"));
}

TEST_F(Lies, ABiasStrideIsSeenAtEveryShape) {
  const KernelObject* o = find_object("decode", "gfx1151", "f16", 64);
  ASSERT_NE(o, nullptr);
  folder_.object("decode.co", {o->begin, o->bytes()});
  const std::string path =
      folder_.manifest(changed(decode_manifest(), "\"bias_m_stride\"", "\"N\""));
  EXPECT_THAT(lies(probed("w4_decode m=3 n=16 k=256 g=64 zp=packed cus=2", path)),
              ElementsAre("bias n: m * 16 + n", "bias 1xn: m * 16 + n", "bias 1x1: m * 16",
                          "bias mx1: m * 16"));
}

TEST_F(Lies, WhatIsReadOutsideIsEvidence) {
  const std::string path = write_manifest(
      "probe_outside", changed(triton_manifest(), "{\"i32\": \"G\"}", "{\"i32\": \"G/2\"}"));
  const Probed p = probed("w4a16 m=4 n=16 k=256 g=64 zp=packed", path);
  EXPECT_THAT(lies(p), ElementsAre("scales: n * 8 + k div 32",
                                   "zero points: along N, order 0 1 2 3 4 5 6 7 (sequential); word "
                                   "n div 8 * 8 + k div 32"));
  ASSERT_FALSE(p.findings.empty());
  EXPECT_THAT(p.findings.front(), HasSubstr("oob_read"));
}

TEST_F(Lies, ACallThatTheKernelRefusesIsNoProbe) {
  const Probed p =
      probed("gemv m=2 n=16 k=256 g=128 zp=packed", folder_.manifest(shuffled("packed", "1")));
  EXPECT_THAT(p.error, HasSubstr("no instantiation"));
  EXPECT_TRUE(p.properties.empty());
}

}  // namespace
}  // namespace w4::test
