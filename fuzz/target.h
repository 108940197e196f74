// Fuzz targets register themselves; one binary holds them all and picks by --target.
//   FUZZ_TARGET(decode) { … bytes … }
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "verify/cases/chooser.h"

namespace w4::fuzz {

using Bytes = std::span<const uint8_t>;
using Target = void (*)(Bytes);

// Filled before main() by FUZZ_TARGET.
std::map<std::string_view, Target>& targets();

struct Register {
  Register(std::string_view name, Target target) { targets()[name] = target; }
};

#define FUZZ_TARGET(name)                                                \
  static void fuzz_##name(::w4::fuzz::Bytes bytes);                      \
  static const ::w4::fuzz::Register register_##name(#name, fuzz_##name); \
  static void fuzz_##name(::w4::fuzz::Bytes bytes)

// Total: every byte string answers every question; past its end the answer is 0, the plainest.
class ByteChooser final : public Chooser {
 public:
  explicit ByteChooser(Bytes bytes) : bytes_(bytes) {}
  int pick(int count) override;

 private:
  Bytes bytes_;
  size_t at_ = 0;
};

}  // namespace w4::fuzz
