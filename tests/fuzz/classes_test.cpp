#include "fuzz/classes.h"

#include <gtest/gtest.h>

#include <set>

namespace w4::fuzz {
namespace {

std::set<uint64_t> pairs(const char* line) {
  const auto all = class_pairs(*parse_case(line));
  return {all.begin(), all.end()};
}

TEST(FuzzClasses, OtherDataOrAnotherScheduleIsNoNewPair) {
  EXPECT_EQ(pairs("decode n=16 k=256 g=64 seed=5"), pairs("decode n=16 k=256 g=64 seed=6"));
  EXPECT_EQ(pairs("decode n=16 k=256 g=64"), pairs("decode n=16 k=256 g=64 sched=rev"));
}

// Each value alone has been seen, together they have not.
TEST(FuzzClasses, TwoValuesTogetherAreNew) {
  auto seen = pairs("decode n=64 k=256 g=32 src=awq");
  seen.merge(pairs("decode n=64 k=256 g=32 act=bf16"));
  const auto both = pairs("decode n=64 k=256 g=32 src=awq act=bf16");
  int fresh = 0;
  for (const uint64_t id : both) fresh += seen.contains(id) ? 0 : 1;
  EXPECT_EQ(fresh, 1);
}

}  // namespace
}  // namespace w4::fuzz
