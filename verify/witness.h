// What a case shows besides its verdict, for those who run one mutated and unmutated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace w4 {

struct Witness {
  uint64_t outputs = kStart;  // hash of the output bytes of every call, in order (FNV-1a, 64 bits)
  uint64_t mutated = 0;       // times that the mutated instruction ran, in all calls

  void add(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) outputs = (outputs ^ static_cast<uint8_t>(b)) * 0x100000001b3;
  }

 private:
  static constexpr uint64_t kStart = 0xcbf29ce484222325;
};

}  // namespace w4
