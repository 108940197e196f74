// The metadata reader on documents built byte by byte.
#include "rdna/msgpack.h"

#include <gtest/gtest.h>

namespace w4::rdna {
namespace {

using Bytes = std::vector<uint8_t>;

std::optional<MsgPack> read(const Bytes& b) { return MsgPack::read(std::as_bytes(std::span(b))); }
Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}

TEST(MsgPackReader, Integers) {
  const std::pair<Bytes, uint64_t> documents[] = {
      {{0x00}, 0},
      {{0x7f}, 127},
      {{0xcc, 0xfe}, 254},
      {{0xcd, 0x12, 0x34}, 0x1234},
      {{0xce, 1, 2, 3, 4}, 0x01020304},
      {{0xcf, 1, 2, 3, 4, 5, 6, 7, 8}, 0x0102030405060708},
      {{0xe0}, 0},        // -32
      {{0xd0, 0x80}, 0},  // -128
      {{0xd0, 0x7f}, 127},
      {{0xd1, 0x12, 0x34}, 0x1234},
      {{0xd1, 0xff, 0xff}, 0},
      {{0xd2, 0x7f, 0, 0, 1}, 0x7f000001},
      {{0xd3, 0xff, 0, 0, 0, 0, 0, 0, 0}, 0},
      {{0xc2}, 0},
      {{0xc3}, 1},
  };
  for (const auto& [bytes, value] : documents) {
    const auto d = read(bytes);
    ASSERT_TRUE(d) << int{bytes[0]};
    EXPECT_EQ(d->kind, MsgPack::Kind::integer);
    EXPECT_EQ(d->integer, value) << int{bytes[0]};
  }
}

TEST(MsgPackReader, TextOfEveryLengthForm) {
  const std::string text(300, 'x');
  const auto of = [&](Bytes head, size_t n) {
    for (size_t i = 0; i < n; ++i) head.push_back(static_cast<uint8_t>(text[i]));
    return head;
  };
  const std::pair<Bytes, size_t> documents[] = {{of({0xa3}, 3), 3},
                                                {of({0xbf}, 31), 31},
                                                {of({0xd9, 200}, 200), 200},
                                                {of({0xda, 1, 44}, 300), 300},
                                                {of({0xdb, 0, 0, 1, 44}, 300), 300}};
  for (const auto& [bytes, n] : documents) {
    const auto d = read(bytes);
    ASSERT_TRUE(d) << int{bytes[0]};
    EXPECT_EQ(d->text, text.substr(0, n)) << int{bytes[0]};
  }
}

TEST(MsgPackReader, MapsAndArraysOfEveryLengthForm) {
  const Bytes pair = {0xa1, 'k', 0x05};
  for (const Bytes& head : {Bytes{0x81}, Bytes{0xde, 0, 1}, Bytes{0xdf, 0, 0, 0, 1}}) {
    const auto d = read(joined({head, pair}));
    ASSERT_TRUE(d) << int{head[0]};
    EXPECT_EQ(d->uint_of("k"), 5u);
    EXPECT_EQ(d->find("other"), nullptr);
  }
  for (const Bytes& head : {Bytes{0x92}, Bytes{0xdc, 0, 2}, Bytes{0xdd, 0, 0, 0, 2}}) {
    const auto d = read(joined({head, {0x01, 0x02}}));
    ASSERT_TRUE(d) << int{head[0]};
    ASSERT_EQ(d->array.size(), 2u);
    EXPECT_EQ(d->array[1].integer, 2u);
  }
  // A key that is no text is dropped with its value.
  const auto odd = read(joined({{0x82}, {0x07, 0x01}, pair}));
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->keys, std::vector<std::string>{"k"});
}

// What is not kept is skipped whole: binary, extensions, floats.
TEST(MsgPackReader, OtherKindsAreSkipped) {
  for (const Bytes& skipped :
       {Bytes{0xc0}, Bytes{0xc4, 2, 9, 9}, Bytes{0xc5, 0, 1, 9}, Bytes{0xc6, 0, 0, 0, 1, 9},
        Bytes{0xc7, 1, 9, 9}, Bytes{0xc8, 0, 1, 9, 9}, Bytes{0xc9, 0, 0, 0, 1, 9, 9},
        Bytes{0xca, 9, 9, 9, 9}, Bytes{0xcb, 9, 9, 9, 9, 9, 9, 9, 9}, Bytes{0xd4, 9, 9},
        Bytes{0xd5, 9, 9, 9}, Bytes{0xd6, 9, 9, 9, 9, 9}}) {
    const Bytes whole = joined({{0x92}, skipped, {0x2a}});
    const auto d = read(whole);
    ASSERT_TRUE(d) << int{skipped[0]};
    EXPECT_EQ(d->array[1].integer, 42u) << int{skipped[0]};
    for (size_t n = 0; n < whole.size(); ++n)
      EXPECT_FALSE(read(Bytes(whole.begin(), whole.begin() + static_cast<long>(n))))
          << int{skipped[0]};
  }
}

TEST(MsgPackReader, HostileDocuments) {
  EXPECT_TRUE(read(joined({Bytes(12, 0x91), {0x01}})));
  EXPECT_FALSE(read(Bytes(1 << 20, 0x91)));            // nests a million deep
  EXPECT_FALSE(read({0xdd, 0xff, 0xff, 0xff, 0xff}));  // four billion elements that are not there
  EXPECT_FALSE(read({0xdb, 0xff, 0xff, 0xff, 0xff, 'x'}));
  EXPECT_FALSE(read({0xc1}));
}

}  // namespace
}  // namespace w4::rdna
