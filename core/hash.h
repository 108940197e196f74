// Hashes that are the same on every machine and in every build. Not for what somebody may forge.
#pragma once

#include <cstdint>
#include <string_view>

namespace w4 {

// FNV-1a, 64 bits.
constexpr uint64_t hash_of(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  return h;
}

// `h` with one more number in it.
constexpr uint64_t mixed(uint64_t h, uint64_t value) {
  h = (h ^ value) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

}  // namespace w4
