#include "fuzz/classes.h"

#include <gtest/gtest.h>

namespace w4::fuzz {
namespace {

std::vector<uint64_t> classes(const char* line) { return classes_of(*parse_case(line)); }

// How many classes differ; all cases have as many.
int apart(const char* a, const char* b) {
  const auto x = classes(a), y = classes(b);
  EXPECT_EQ(x.size(), y.size());
  int out = 0;
  for (size_t i = 0; i < x.size(); ++i) out += x[i] != y[i] ? 1 : 0;
  return out;
}

TEST(FuzzClasses, OtherDataAreTheSameClasses) {
  EXPECT_EQ(apart("decode n=16 k=256 g=64 seed=5", "decode n=16 k=256 g=64 seed=6"), 0);
}

TEST(FuzzClasses, AFieldIsAClass) {
  const char* plain = "decode n=64 k=256 g=32";
  EXPECT_EQ(apart(plain, "decode n=64 k=256 g=32 act=bf16"), 1);
  EXPECT_EQ(apart(plain, "decode n=64 k=256 g=32 src=awq"), 1);
  EXPECT_EQ(apart(plain, "decode n=64 k=256 g=32 cus=7"), 1);
  EXPECT_EQ(apart(plain, "decode n=64 k=256 g=32 bias=n"), 1);
  EXPECT_EQ(apart(plain, "decode n=64 k=256 g=32 sched=rev"), 1);
  EXPECT_EQ(apart(plain, "decode n=64 k=256 g=32 fill=extreme"), 1);
}

TEST(FuzzClasses, LargeNumbersByTheirWidth) {
  EXPECT_EQ(apart("decode n=72 k=256 g=32", "decode n=120 k=256 g=32"), 0);
  EXPECT_EQ(apart("decode n=72 k=256 g=32", "decode n=136 k=256 g=32"), 1);
  EXPECT_EQ(apart("decode m=3 n=72 k=256 g=32", "decode m=4 n=72 k=256 g=32"), 1);
}

// K*M at the LDS array, and N in an octet, where no field's class changes.
TEST(FuzzClasses, WhatFollowsOfFieldsIsAClass) {
  EXPECT_EQ(apart("decode m=4 n=72 k=8192 g=32", "decode m=4 n=72 k=8704 g=32"), 1);
  EXPECT_EQ(apart("decode n=72 k=256 g=32", "decode n=73 k=256 g=32"), 1);
  EXPECT_EQ(apart("decode n=64 k=256 g=32 src=gptq2 zp=packed",
                  "decode n=72 k=256 g=32 src=gptq2 zp=packed"),
            1);
}

}  // namespace
}  // namespace w4::fuzz
