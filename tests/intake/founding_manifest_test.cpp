// The founding defects through a manifest: each declares the same object wrongly, is caught by a
// case, and is named by explain; the right declaration takes every form of the kernel.
#include <gmock/gmock.h>

#include "kernels/objects.h"
#include "tests/intake/decode_manifest.h"
#include "tests/intake/triton_manifest.h"
#include "tests/intake/written_module.h"
#include "verify/explain/explain.h"

namespace w4::test {
namespace {

using testing::HasSubstr;

class DecodeManifest : public testing::Test {
 protected:
  DecodeManifest() : folder_("decode_manifest") {}
  std::string module(int g, const std::string& text) {
    const KernelObject* o = find_object("decode", "gfx1151", "f16", g);
    EXPECT_NE(o, nullptr);
    if (o != nullptr) folder_.object("decode.co", {o->begin, o->bytes()});
    return folder_.manifest(text);
  }
  WrittenModule folder_;
  Context context_;
};

TEST_F(DecodeManifest, TakesEveryFormOfTheKernel) {
  const std::string path = module(64, decode_manifest());
  for (const char* zp : {"none", "packed", "unpacked"}) {
    for (const char* rest :
         {"m=1 n=24 k=512", "m=2 n=24 k=512 bias=mx1", "m=3 n=8 k=1024 bias=mxn",
          "m=5 n=40 k=192 bias=1xn", "m=4 n=16 k=16384 cus=3", "m=2 n=24 k=512 wpad=16 spad=2",
          "m=2 n=16 k=512 ldy=40 bias=n", "m=1 n=24 k=512 bias=1x1 cus=1",
          "m=2 n=24 k=512 bias=n ldb=2", "m=2 n=24 k=512 bias=mxn ldb=30"}) {
      const Verdict v = run_line(context_, fmt::format("w4_decode {} g=64 zp={}", rest, zp), path);
      EXPECT_EQ(v.kind(), VerdictKind::pass) << to_string(v);
    }
  }
  for (const char* rest :
       {"m=6", "m=1 lda=264", "m=1 wpad=2", "m=1 ldy=3", "m=2 bias=mxn ldb=23"}) {
    const Verdict v = run_line(context_, fmt::format("w4_decode {} n=24 k=256 g=64", rest), path);
    EXPECT_EQ(v.kind(), VerdictKind::refused) << to_string(v);
    EXPECT_TRUE(v.green()) << to_string(v);
  }
}

TEST_F(DecodeManifest, ACaseWithoutAnInstantiationIsRefusedByItsName) {
  const std::string path = module(64, decode_manifest());
  const Verdict v = run_line(context_, "w4_decode m=2 n=24 k=512 g=128 zp=packed", path);
  EXPECT_FALSE(v.green());
  EXPECT_THAT(to_string(v),
              HasSubstr("launch: no instantiation 'w4_decode_small_m2_y2_u2_g128_f16_packed' for "
                        "gfx1151 at M = 2, N = 24, K = 512, G = 128; there are: "));
  EXPECT_THAT(to_string(v), HasSubstr("there are: w4_decode_small_m2_y2_u2_g64_f16_packed, "));
}

struct Founding {
  const char* name;
  int object;  // group size
  const char *from, *to;
  const char* line;
  const char* hypothesis;
};
const Founding kFounding[] = {
    {"g64_runs_128", 128, "_g{G}_", "_g{G == 64 ? 128 : G}_", "m=2 n=24 k=512 g=64 zp=packed",
     "group.size"},
    {"bias_row_stride_n", 64, "\"bias_m_stride\"", "\"N\"", "m=3 n=24 k=512 g=64 bias=mx1",
     "bias.stride_n"},
    {"zp_half_read_as_packed", 64, "{\"when\": \"has_zp\", \"text\": \"unpacked\"}",
     "{\"when\": \"has_zp\", \"text\": \"packed\"}", "m=2 n=24 k=512 g=64 zp=unpacked",
     "zp.halves_read_as_words"},
    {"lds_gate_missing", 64, "K*M <= 32768 && ", "", "m=4 n=16 k=16384 g=64", "act.lds_truncated"},
    {"lds_gate_asks_device", 64, "K*M <= 32768", "2*K*M <= LDS", "m=4 n=16 k=16384 g=64 lds=163840",
     "act.lds_truncated"},
};

TEST_F(DecodeManifest, EachFoundingDefectIsCaughtAndNamed) {
  for (const Founding& f : kFounding) {
    SCOPED_TRACE(f.name);
    const std::string path = module(f.object, changed(decode_manifest(), f.from, f.to));
    const auto c = parse_case(fmt::format("w4_decode {} module={}", f.line, path));
    ASSERT_TRUE(c);
    Context fresh;  // the path is the same, the module is not
    const explain::Explanation e = explain::explain(*c, fresh);
    EXPECT_FALSE(e.verdict.green());
    ASSERT_FALSE(e.named.empty()) << to_string(e);
    EXPECT_EQ(e.named.front().name, f.hypothesis) << to_string(e);
  }
}

class TritonManifest : public testing::TestWithParam<const char*> {};

TEST_P(TritonManifest, WrongOnesAreExplained) {
  struct Row {
    const char *from, *to, *line, *hypothesis;
  };
  const Row rows[] = {
      {"\"layout\": \"packed\"", "\"layout\": \"unpacked\"", "zp=unpacked",
       "zp.halves_read_as_words"},
      {"{\"i32\": \"G\"}", "{\"i32\": \"2*G\"}", "zp=packed", "group.size_and_stride"},
      {"{\"i32\": \"G\"}", "{\"i32\": \"G/2\"}", "zp=packed", "group.size_and_stride"},
      {"ceil_div(M, 32)", "max(1, M / 32)", "zp=packed", "out.unwritten"},
      {"ceil_div(N, 32)", "max(1, N / 32)", "zp=packed", "out.unwritten"},
  };
  for (const Row& r : rows) {
    SCOPED_TRACE(r.to);
    const std::string path = write_manifest(fmt::format("explained_{}", GetParam()),
                                            changed(triton_manifest(), r.from, r.to));
    const auto c = parse_case(
        fmt::format("w4a16 m=33 n=40 k=256 g=64 {} module={} device={}", r.line, path, GetParam()));
    ASSERT_TRUE(c);
    Context context;
    const explain::Explanation e = explain::explain(*c, context);
    EXPECT_FALSE(e.verdict.green());
    ASSERT_FALSE(e.named.empty()) << to_string(e);
    EXPECT_EQ(e.named.front().name, r.hypothesis) << to_string(e);
    EXPECT_EQ(e.certainty, explain::Certainty::exact) << to_string(e);
  }
}

INSTANTIATE_TEST_SUITE_P(Archs, TritonManifest, testing::Values("gfx1151", "gfx1201"),
                         [](const auto& p) { return std::string(p.param); });

}  // namespace
}  // namespace w4::test
