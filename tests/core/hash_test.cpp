// Stores and corpora of other machines hold these numbers: they never change.
#include "core/hash.h"

#include <gtest/gtest.h>

namespace w4 {
namespace {

TEST(Hash, IsFnv1a) {
  // Test vectors of FNV-1a, 64 bits (draft-eastlake-fnv).
  EXPECT_EQ(hash_of(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hash_of("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash_of("foobar"), 0x85944171f73967e8u);
}

TEST(Hash, MixesEveryNumberIn) {
  EXPECT_NE(mixed(0, 1), mixed(0, 2));
  const uint64_t start = hash_of("kernel");
  EXPECT_NE(mixed(mixed(start, 1), 2), mixed(mixed(start, 2), 1));
}

}  // namespace
}  // namespace w4
