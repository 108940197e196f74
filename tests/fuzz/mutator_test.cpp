#include "fuzz/mutator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "verify/cases/case_bytes.h"

namespace w4::fuzz {
namespace {

const std::vector<uint8_t> kA(kInputBytes, 0x11), kB(kInputBytes, 0xee);

// Which parts are wholly kB's; others must be wholly kA's.
std::vector<int> taken(const std::vector<uint8_t>& crossing) {
  std::vector<int> out;
  for (int part = 0; part <= kParts; ++part) {
    const auto [first, bytes] = place_of(part);
    const auto begin = crossing.begin() + first, end = begin + bytes;
    EXPECT_TRUE(std::all_of(begin, end, [&](uint8_t b) { return b == *begin; })) << "part " << part;
    if (*begin == kB[0]) out.push_back(part);
  }
  return out;
}

TEST(FuzzMutator, CrossingTakesWholeParts) {
  int ones = 0;
  size_t most = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto out = crossed(kA, kB, seed);
    ASSERT_EQ(out.size(), static_cast<size_t>(kInputBytes));
    const auto from_b = taken(out);
    ASSERT_FALSE(from_b.empty());
    ones += from_b.size() == 1 ? 1 : 0;
    most = std::max(most, from_b.size());
  }
  EXPECT_LT(most, static_cast<size_t>(kParts) + 1);
  EXPECT_LT(ones, 100);
}

TEST(FuzzMutator, CrossingLooksOnlyWhereTheyDiffer) {
  std::vector<uint8_t> b = kA;
  const PartPlace tokens = place_of(1 + static_cast<int>(Part::tokens));
  b[static_cast<size_t>(tokens.first)] = 9;
  for (unsigned seed = 0; seed < 50; ++seed) EXPECT_EQ(crossed(kA, b, seed), b);
  EXPECT_EQ(crossed(kA, kA, 1), kA);
}

TEST(FuzzMutator, TheSameSeedIsTheSameMutant) {
  const Archive none;
  EXPECT_EQ(mutated(kA, none, 5), mutated(kA, none, 5));
  EXPECT_NE(mutated(kA, none, 5), mutated(kA, none, 6));
}

// A uniform input shares next to no byte with kA.
TEST(FuzzMutator, UniformInputsAtFirstStepsLater) {
  const auto far = [](const std::vector<uint8_t>& out) {
    return std::ranges::count(out, kA[0]) < kInputBytes / 4;
  };
  Archive archive;
  for (unsigned seed = 0; seed < 20; ++seed) EXPECT_TRUE(far(mutated(kA, archive, seed)));
  for (uint64_t i = 0; i < 300; ++i) archive.add(kA, std::vector<uint64_t>{i});
  int uniform = 0;
  for (unsigned seed = 0; seed < 400; ++seed) uniform += far(mutated(kA, archive, seed)) ? 1 : 0;
  EXPECT_GT(uniform, 60);
  EXPECT_LT(uniform, 160);
}

TEST(FuzzMutator, ShortInputsGrowToAWholeOne) {
  const Archive none;
  EXPECT_EQ(mutated({}, none, 1).size(), static_cast<size_t>(kInputBytes));
  std::vector<uint8_t> room(10);
  EXPECT_EQ(write(kA, room), room.size());
  EXPECT_EQ(room, std::vector<uint8_t>(10, 0x11));
}

}  // namespace
}  // namespace w4::fuzz
