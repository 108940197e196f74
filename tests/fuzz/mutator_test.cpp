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

// Two classes that bytes of the input choose.
std::vector<uint64_t> first_bytes(Bytes input) { return {input[0] % 2u, 2u + input[1] % 4u}; }

std::vector<uint8_t> next(const Novelty& seen, unsigned seed, Bytes other = {}) {
  return next_input(kA, other, seen, first_bytes, seed);
}

TEST(FuzzMutator, TheSameSeedIsTheSameInput) {
  const Novelty none;
  EXPECT_EQ(next(none, 5), next(none, 5));
  EXPECT_NE(next(none, 5), next(none, 6));
}

// A uniform input shares next to no byte with kA.
TEST(FuzzMutator, AFewInputsAreSteps) {
  const Novelty none;
  int steps = 0, crossings = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const auto out = next(none, seed, kB);
    const auto of = [&](uint8_t byte) { return std::ranges::count(out, byte); };
    steps += of(kA[0]) > kInputBytes / 4 ? 1 : 0;
    crossings += of(kA[0]) + of(kB[0]) == kInputBytes ? 1 : 0;
  }
  EXPECT_GT(steps, 25);
  EXPECT_LT(steps, 100);
  EXPECT_GT(crossings, 10);
}

// One of eight inputs has the class that no case had; of those that are chosen nearly seven of ten.
TEST(FuzzMutator, MostInputsAreStrange) {
  Novelty seen;
  for (uint64_t i = 0; i < 800; ++i) {
    const std::vector<uint64_t> classes{i % 2, 2 + i / 2 % 4};
    if (classes != std::vector<uint64_t>{1, 5}) seen.add(classes);
  }
  int strange = 0;
  for (unsigned seed = 0; seed < 400; ++seed)
    strange += first_bytes(next(seen, seed)) == std::vector<uint64_t>{1, 5} ? 1 : 0;
  EXPECT_GT(strange, 120);
  EXPECT_LT(strange, 280) << "some are uniform all the same";
}

TEST(FuzzMutator, ShortInputsGrowToAWholeOne) {
  const Novelty none;
  for (unsigned seed = 0; seed < 50; ++seed)
    EXPECT_EQ(next_input({}, {}, none, first_bytes, seed).size(), static_cast<size_t>(kInputBytes));
  std::vector<uint8_t> room(10);
  EXPECT_EQ(write(kA, room), room.size());
  EXPECT_EQ(room, std::vector<uint8_t>(10, 0x11));
}

}  // namespace
}  // namespace w4::fuzz
