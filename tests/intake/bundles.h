// Bundles as compilers write them, put together for the tests from the format's description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace w4::testing {

using ByteVector = std::vector<std::byte>;

ByteVector read_bytes(const std::string& path);

// An offload bundle of these targets and their bytes, aligned to 4096 as clang does it.
ByteVector bundle(const std::vector<std::pair<std::string, ByteVector>>& entries);

// The same compressed, as CCOB of a version (1 to 3).
ByteVector compressed(const ByteVector& plain, int version, bool zstd);

template <class T>
void put(ByteVector& to, size_t at, T value) {
  std::memcpy(to.data() + at, &value, sizeof value);
}

}  // namespace w4::testing
