#include "tests/intake/bundles.h"

#include <fstream>
#include <iterator>
#include <string_view>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compression.h"

namespace w4::testing {
namespace {

template <class T>
void append(ByteVector& to, T value) {
  to.resize(to.size() + sizeof value);
  put(to, to.size() - sizeof value, value);
}
void append(ByteVector& to, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace

ByteVector read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

ByteVector bundle(const std::vector<std::pair<std::string, ByteVector>>& entries) {
  uint64_t header = 32;
  for (const auto& [target, bytes] : entries) header += 24 + target.size();
  const auto aligned = [](uint64_t x) { return (x + 4095) / 4096 * 4096; };
  ByteVector out;
  append(out, std::string_view("__CLANG_OFFLOAD_BUNDLE__"));
  append<uint64_t>(out, entries.size());
  uint64_t at = header;
  for (const auto& [target, bytes] : entries) {
    at = aligned(at);
    append<uint64_t>(out, at);
    append<uint64_t>(out, bytes.size());
    append<uint64_t>(out, target.size());
    append(out, std::string_view(target));
    at += bytes.size();
  }
  for (const auto& [target, bytes] : entries) {
    out.resize(aligned(out.size()));
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return out;
}

ByteVector compressed(const ByteVector& plain, int version, bool zstd) {
  const llvm::ArrayRef<uint8_t> in(reinterpret_cast<const uint8_t*>(plain.data()), plain.size());
  llvm::SmallVector<uint8_t, 0> packed;
  if (zstd) {
    llvm::compression::zstd::compress(in, packed);
  } else {
    llvm::compression::zlib::compress(in, packed);
  }
  ByteVector out;
  append(out, std::string_view("CCOB"));
  append<uint16_t>(out, static_cast<uint16_t>(version));
  append<uint16_t>(out, zstd ? 1 : 0);
  const uint64_t header = version == 1 ? 20 : version == 2 ? 24 : 32;
  if (version == 2) append<uint32_t>(out, static_cast<uint32_t>(header + packed.size()));
  if (version == 3) append<uint64_t>(out, header + packed.size());
  if (version == 3) {
    append<uint64_t>(out, plain.size());
  } else {
    append<uint32_t>(out, static_cast<uint32_t>(plain.size()));
  }
  append<uint64_t>(out, 0x1234);  // a hash, which nobody reads
  const auto* p = reinterpret_cast<const std::byte*>(packed.data());
  out.insert(out.end(), p, p + packed.size());
  return out;
}

}  // namespace w4::testing
