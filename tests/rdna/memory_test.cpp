#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rdna/emulator.h"
#include "rdna/memory_impl.h"

namespace w4::rdna {
namespace {

std::vector<std::byte> pattern(size_t n) {
  std::vector<std::byte> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<std::byte>(i * 7 + 1);
  return v;
}

TEST(Memory, HoldsWhatIsWritten) {
  Memory m;
  const Address a = *m.allocate({.name = "a", .bytes = 1000});
  const auto in = pattern(1000);
  ASSERT_TRUE(m.write(a, in));
  std::vector<std::byte> out(1000);
  ASSERT_TRUE(m.read(a, out));
  EXPECT_EQ(in, out);
  EXPECT_FALSE(m.write(a + 1, in));
  EXPECT_FALSE(m.read(a - 1, out));
  EXPECT_FALSE(m.read(0, out));
  EXPECT_FALSE(m.read(~Address{0}, out));
}

TEST(Memory, OffsetsShiftTheBase) {
  Memory m;
  for (uint64_t offset : {0, 2, 100, 256, 1000}) {
    const Address a = *m.allocate({.name = "a", .bytes = 10, .offset = offset});
    EXPECT_EQ(a % 256, offset % 256);
  }
}

TEST(Memory, AddressesRepeat) {
  Memory a, b;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(*a.allocate({.name = "x", .bytes = 64}), *b.allocate({.name = "y", .bytes = 64}));
  }
  const Address first = *a.allocate({.name = "x", .bytes = 64});
  a.release(first);
  EXPECT_EQ(*a.allocate({.name = "x", .bytes = 64}), first);
  a.release_all();
  b.release_all();
  EXPECT_EQ(*a.allocate({.name = "x", .bytes = 64}), *b.allocate({.name = "x", .bytes = 64}));
}

TEST(Memory, CopiesKeepUndefinedBytesAndCountAsWritten) {
  Memory m;
  const Address from = *m.allocate({.name = "from", .bytes = 8, .initialised = false});
  const Address to = *m.allocate({.name = "to", .bytes = 10, .track_writers = true});
  const auto in = pattern(8), old = pattern(10);
  ASSERT_TRUE(m.write(from, std::span(in).first(4)));
  ASSERT_TRUE(m.write(to, old));
  ASSERT_TRUE(m.copy(to, from, 8));
  std::vector<std::byte> out(4);
  ASSERT_TRUE(m.read(to, out));
  EXPECT_TRUE(std::ranges::equal(out, std::span(in).first(4)));
  std::vector<std::byte> all(10);
  ASSERT_TRUE(m.read(to, all));
  EXPECT_TRUE(std::ranges::equal(std::span(all).subspan(4), std::span(old).subspan(4)));
  const uint8_t* state = m.impl().find(to, 8)->state;
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state[3], kDefined);
  EXPECT_NE(state[4], kDefined);
  EXPECT_EQ(state[9], kDefined);  // outside
  ASSERT_TRUE(m.note_written(to + 8, 2));
  EXPECT_EQ(m.unwritten(to, 10), (std::vector<uint64_t>{4, 6}));
  ASSERT_TRUE(m.note_written(to + 4, 2));
  EXPECT_EQ(m.unwritten(to, 10), (std::vector<uint64_t>{6}));
  // What held something is as unwritten as what it was copied from.
  ASSERT_TRUE(m.copy(to + 4, from + 4, 4));
  EXPECT_EQ(m.unwritten(to, 10), (std::vector<uint64_t>{4, 6}));
  EXPECT_FALSE(m.copy(to, from, 9));
  EXPECT_FALSE(m.copy(to + 2, to, 4));
  EXPECT_FALSE(m.note_written(to + 4, 8));
}

// A carry into the high word of an address that is computed wrong must show.
TEST(Memory, BuffersLieAcrossAMultipleOf4GiB) {
  Memory m;
  for (const uint64_t bytes : {257, 300, 512, 1000, 1 << 20}) {
    for (const uint64_t offset : {0, 4}) {
      const Address a = *m.allocate({.name = "a", .bytes = bytes, .offset = offset});
      EXPECT_EQ(a % 256, offset) << bytes;
      EXPECT_NE(a >> 32, (a + bytes - 1) >> 32) << bytes;
      EXPECT_NE(m.impl().find(a, bytes), nullptr) << bytes;
    }
  }
  const Address small = *m.allocate({.name = "a", .bytes = 256});
  EXPECT_EQ(small % 256, 0u);
  const Address huge = *m.allocate({.name = "a", .bytes = uint64_t{32} << 30});
  EXPECT_NE(m.impl().find(huge, uint64_t{32} << 30), nullptr);
}

TEST(Memory, HugeBuffersCostWhatIsTouched) {
  Memory m;
  const uint64_t size = uint64_t{9} << 30;
  const Address a =
      *m.allocate({.name = "huge", .bytes = size, .writable = true, .initialised = false});
  const auto in = pattern(8);
  ASSERT_TRUE(m.write(a + size - 8, in));
  ASSERT_TRUE(m.mark_gap(a + 4096, size - 8192));
  std::vector<std::byte> out(8);
  ASSERT_TRUE(m.read(a + size - 8, out));
  EXPECT_EQ(in, out);
  EXPECT_FALSE(m.allocate({.name = "more", .bytes = uint64_t{1} << 36}));
}

TEST(Memory, PoisonRepeatsAndDefinesNothing) {
  Memory m;
  const Address a = *m.allocate({.name = "a", .bytes = 11, .writable = true, .initialised = false});
  const auto p = pattern(4);
  ASSERT_TRUE(m.poison(a, p));
  std::vector<std::byte> out(11);
  ASSERT_TRUE(m.read(a, out));
  for (size_t i = 0; i < 11; ++i) EXPECT_EQ(out[i], p[i % 4]);
  const Buffer* b = m.impl().find(a, 11);
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->state[0], 0);
  ASSERT_TRUE(m.write(a, pattern(2)));
  EXPECT_EQ(b->state[1], kDefined);
  EXPECT_EQ(b->state[2], 0);
  EXPECT_FALSE(m.poison(a + 1, p));
}

// The element of the last byte has a place of its own, not one of the buffer beside it.
TEST(Memory, BuffersOfOddSizeKnowTheWriterOfTheirLastByte) {
  Memory m;
  const Address beside = *m.allocate({.name = "beside", .bytes = 1 << 20});
  ASSERT_TRUE(m.write(beside, pattern(1 << 20)));
  const uint64_t size = (1 << 18) + 1;
  const Address a = *m.allocate(
      {.name = "a", .bytes = size, .writable = true, .initialised = false, .track_writers = true});
  const auto elements = m.unwritten(a, size);
  ASSERT_EQ(elements.size(), size / 2 + 1);
  EXPECT_EQ(elements.back(), size - 1);
}

TEST(Memory, GapsMergeAndAnswer) {
  Memory m;
  const Address a = *m.allocate({.name = "a", .bytes = 100});
  for (uint64_t o : {40, 10, 20, 30}) ASSERT_TRUE(m.mark_gap(a + o, 5));
  ASSERT_TRUE(m.mark_gap(a + 12, 10));  // joins 10..15 and 20..25
  const Buffer* b = m.impl().find(a, 1);
  EXPECT_THAT(b->gaps, testing::ElementsAre(std::pair<uint64_t, uint64_t>{10, 25},
                                            std::pair<uint64_t, uint64_t>{30, 35},
                                            std::pair<uint64_t, uint64_t>{40, 45}));
  ASSERT_TRUE(m.mark_gap(a + 29, 7));  // around 30..35
  ASSERT_TRUE(m.mark_gap(a + 31, 2));  // inside it
  EXPECT_EQ(b->gaps[1], (std::pair<uint64_t, uint64_t>{29, 36}));
  for (uint64_t o = 0; o < 100; ++o) {
    const bool in = (o >= 10 && o < 25) || (o >= 29 && o < 36) || (o >= 40 && o < 45);
    EXPECT_EQ(b->in_gap(o, 1), in) << o;
    EXPECT_EQ(b->in_gap(o, 3), in || b->in_gap(o + 1, 1) || b->in_gap(o + 2, 1)) << o;
  }
}

}  // namespace
}  // namespace w4::rdna
