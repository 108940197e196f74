// Upstream's own files, taken in unmodified. They are not part of this project: the environment
// says where they are, and without them the tests are skipped.
//   W4_UPSTREAM_SKINNY  csrc/rocm/skinny_gemms.cu of a vLLM whose wvSplitK knows gfx11
//   W4_UPSTREAM_INT4    csrc/rocm/skinny_gemms_int4.cu
// A compilation takes one to three minutes.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/campaign/process.h"

namespace w4::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using w4::testing::Finished;
using w4::testing::read_file;
using w4::testing::TemporaryFolder;
using w4::testing::w4check;

std::string manifest(const std::string& name, const std::string& op, const std::string& arguments,
                     const std::string& clauses, const std::string& numerics) {
  return R"({"w4_manifest": 1, "kernels": [{"name": ")" + name + R"(", "op": ")" + op +
         R"(", "says": "taken in", "args": [)" + arguments + R"(], "clauses": [)" + clauses +
         R"(], "assumes": ["m.range", "align.act", "align.weight"], "numerics": )" + numerics +
         "}]}";
}

class Upstream : public ::testing::Test {
 protected:
  // Empty: skipped.
  std::string source(const char* variable) {
    const char* const path = std::getenv(variable);
    return path == nullptr ? "" : path;
  }
  void compile(const std::string& path, const std::string& text) {
    module_ = folder_ / "theirs.w4m";
    const Finished done = w4check({"intake", path, "--arch", "gfx1151", "--manifest",
                                   folder_.write("theirs.json", text), "-o", module_});
    ASSERT_EQ(done.code, 0) << done.err;
    std::fputs(done.out.c_str(), stdout);
  }
  Finished run(const std::string& line) { return w4check({"rerun", line + " module=" + module_}); }
  void passes(const std::string& line) {
    const Finished done = run(line);
    EXPECT_EQ(done.code, 0) << line;
    EXPECT_THAT(done.out, StartsWith("pass")) << done.err;
  }

  TemporaryFolder folder_;
  std::string module_;
};

TEST_F(Upstream, SkinnyKernelsOfDenseWeights) {
  const std::string path = source("W4_UPSTREAM_SKINNY");
  if (path.empty()) GTEST_SKIP() << "W4_UPSTREAM_SKINNY names no file";
  const std::string text = read_file(path);
  ASSERT_FALSE(text.empty()) << path;
  const bool has_bias = text.find("in_bias") != text.npos;
  compile(path, manifest("skinny", "wvSplitK",
                         std::string(R"({"tensor": "wei", "layout": "dense"},
                                        {"tensor": "act", "layout": "dense"},)") +
                             (has_bias ? R"({"tensor": "bias", "layout": "dense"},)" : "") +
                             R"({"int": "CUS"})",
                         "", R"({"weight": "product_rounded", "chain": "dot2_f32_wave",
                                 "store": "round_once"})"));
  const std::string bias = has_bias ? " bias=n" : "", rows = has_bias ? " bias=mxn" : "";
  for (const char* act : {"f16", "bf16"}) {
    const std::string all = std::string(" g=32 act=") + act;
    passes("skinny m=1 n=64 k=256" + all);
    passes("skinny m=4 n=64 k=256" + all + bias);
    passes("skinny m=3 n=70 k=288" + all + rows);
    passes("skinny m=2 n=64 k=2048 cus=3" + all + bias);
    passes("skinny m=1 n=8 k=36864" + all);
    passes("skinny m=4 n=16 k=10240" + all);
    passes("skinny m=2 n=64 k=512 fill=integer fp=ieee" + all);
  }
  // A launcher that asks the device and an array of a constant size: where the snapshot has it, a
  // finding.
  const Finished gate = run("skinny m=1 n=8 k=36864 g=32 lds=163840");
  EXPECT_THAT(gate.out, AnyOf(StartsWith("pass"), HasSubstr("lds_oob"))) << gate.err;
  std::fputs(gate.out.c_str(), stdout);
}

TEST_F(Upstream, SkinnyKernelsOfInt4Weights) {
  const std::string path = source("W4_UPSTREAM_INT4");
  if (path.empty()) GTEST_SKIP() << "W4_UPSTREAM_INT4 names no file";
  compile(path, manifest("int4", "wvSplitK_int4_g",
                         R"({"tensor": "wei", "layout": "shuffled"},
                            {"tensor": "act", "layout": "dense"},
                            {"tensor": "scale", "layout": "dense"},
                            {"tensor": "zp", "layout": "unpacked", "optional": true},
                            {"tensor": "bias", "layout": "dense"},
                            {"int": "CUS"}, {"int": "G"})",
                         R"("act.dtype", "scale.dtype", "group.size", "k.group")",
                         R"({"of": "chunked"})"));
  for (const char* act : {"f16", "bf16"}) {
    const std::string all = std::string(" zp=unpacked act=") + act;
    passes("int4 m=1 n=64 k=256 g=32" + all);
    passes("int4 m=4 n=64 k=512 g=64 bias=n" + all);
    passes("int4 m=3 n=40 k=2048 g=128" + all);
    passes(std::string("int4 m=2 n=64 k=256 g=32 act=") + act);
    passes("int4 m=2 n=64 k=288 g=32 bias=mxn" + all);
  }
  EXPECT_THAT(run("int4 m=2 n=64 k=480 g=48 zp=unpacked").out,
              StartsWith("refused: clause group.size: group_size must be 32, 64, or 128, got 48"));
}

}  // namespace
}  // namespace w4::test
