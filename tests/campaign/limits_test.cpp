// How long a case may take: what was asked for, or the default where native code runs.
#include <gtest/gtest.h>

#include "campaign/execute.h"

namespace w4 {
namespace {

double limit(const char* line, std::optional<double> timeout = std::nullopt) {
  ExecuteOptions options;
  options.timeout = timeout;
  return limit_of({"test", *parse_case(line), line}, options);
}

TEST(Limits, NativeCodeHasOneByDefault) {
  EXPECT_EQ(limit("decode m=1"), 0);
  EXPECT_EQ(limit("decode m=1 module=builtin"), 0);
  EXPECT_EQ(limit("decode m=1 module=x.json"), 0);  // the emulator has a limit of its own
  EXPECT_EQ(limit("decode m=1 device=host"), 0);
  EXPECT_GE(limit("decode m=1 module=x.so"), 60);
  EXPECT_LT(limit("decode m=1 module=x.so"), 61);
  EXPECT_GE(limit("decode m=1 module=x.json prep=x.so"), 60);
  EXPECT_GT(limit("decode m=512 n=4096 k=4096 module=x.so"), 300);
}

TEST(Limits, TimeoutSetsItAndZeroTurnsItOff) {
  EXPECT_EQ(limit("decode m=1 module=x.so", 7), 7);
  EXPECT_EQ(limit("decode m=1 module=x.so", 0), 0);
  EXPECT_EQ(limit("decode m=1", 7), 7);
}

}  // namespace
}  // namespace w4
