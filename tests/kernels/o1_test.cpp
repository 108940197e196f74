// The device code at -O1 must give what it gives at -O3: other instructions, other registers, the
// same contract.
#include <gtest/gtest.h>

#include "verify/run_case.h"

namespace w4 {
namespace {

constexpr const char* kLines[] = {
    "decode m=1 n=33 k=2560 g=64",
    "decode m=1 n=64 k=32768 g=64 act=bf16",
    "decode m=2 n=40 k=1088 g=64 zp=packed bias=mx1",
    "decode m=3 n=7 k=4160 g=64 zp=unpacked bias=n",
    "decode m=3 n=64 k=2112 g=64 act=bf16 zp=packed bias=mxn tile=y4u1a16w16",
    "decode m=4 n=3 k=9792 g=64 act=bf16 zp=unpacked",
    "decode m=5 n=72 k=7808 g=64 zp=packed wpad=128 spad=64",
    "chunked m=1 n=40 k=4096 g=64 zp=packed bias=n",
    "chunked m=1 n=33 k=8192 g=64 act=bf16",
    "chunked m=3 n=7 k=4160 g=64 lda=4168",
    "chunked m=4 n=40 k=2112 g=64 act=bf16 zp=packed bias=mxn",
    "chunked m=5 n=65 k=6592 g=64 cus=1",
    "chunked m=2 n=72 k=33344 g=64 zp=packed act=bf16 wpad=128 spad=64",
};

TEST(DecodeO1, IsGreenOnEveryForm) {
  Context context;
  for (const char* line : kLines) {
    auto c = parse_case(line);
    ASSERT_TRUE(c) << line << ": " << c.error().text;
    c->module = W4_O1_MODULE;
    for (const char* fp : {"ieee", "gfx1151", "gfx1201"}) {
      c->fp = fp;
      const Verdict verdict = run_case(*c, context);
      EXPECT_EQ(verdict.kind(), VerdictKind::pass) << to_string(verdict);
    }
  }
}

}  // namespace
}  // namespace w4
