// A MessagePack reader for the metadata note. Our own, because LLVM's aborts on map keys that are
// no scalars, and the bytes may be hostile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace w4::rdna {

struct MsgPack {
  enum class Kind : uint8_t { nil, integer, text, array, map, other } kind = Kind::nil;
  uint64_t integer = 0;  // negative numbers read as 0, false and true as 0 and 1
  std::string text;
  std::vector<MsgPack> array;  // elements, or the values of a map
  std::vector<std::string>
      keys;  // of a map, beside its values; entries without a text key are dropped

  // The first value of a well-formed document; nothing if it is malformed, cut short, or nests or
  // grows beyond what any metadata does.
  static std::optional<MsgPack> read(std::span<const std::byte> bytes);

  const MsgPack* find(std::string_view key) const;
  uint64_t uint_of(std::string_view key) const;     // 0 if absent or not an integer
  std::string text_of(std::string_view key) const;  // empty if absent or not text
};

}  // namespace w4::rdna
