// What the store finds a case line by.
#pragma once

#include <cstdint>
#include <string_view>

namespace w4 {

// FNV-1a, 64 bits. The same in every store: stores are merged.
inline int64_t line_hash(std::string_view line) {
  uint64_t h = 0xcbf29ce484222325u;
  for (const char c : line) {
    h ^= static_cast<unsigned char>(c);
    h *= 0x100000001b3u;
  }
  return static_cast<int64_t>(h);
}

}  // namespace w4
